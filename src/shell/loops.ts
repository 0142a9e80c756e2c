import type { Machine } from "./machine.ts";
import { type Flow, flowOf, joinStates, PRINTS_ANYTHING, type State, sameStates } from "./state.ts";
import { ANYTHING, joinValues, NUMBER, UNSET } from "./value.ts";

/** What holds after one round of a loop. */
export interface Round {
  /** Before the next round. */
  readonly again: State;
  /** Behind the loop, when it ends before this round. */
  readonly left: State;
}

const MAX_EXACT_ROUNDS = 2;

/** Walks a body until nothing more can hold before it than was thought; what was found with less is taken back. */
export async function loop(state: State, machine: Machine, round: (state: State) => Promise<Round>): Promise<Flow> {
  const outer = machine.jumps.loop;
  let entry = state.copy();
  for (let rounds = 1; ; rounds += 1) {
    const mark = machine.effects.mark();
    const jumps: State[] = [];
    machine.jumps.loop = jumps;
    const { again, left } = await round(entry.copy());
    machine.jumps.loop = outer;
    // a jump may leave more loops than one
    outer.push(...jumps);
    const joined = jumps.reduce(joinStates, joinStates(entry, again));
    if (sameStates(joined, entry)) {
      state.become(jumps.reduce(joinStates, left));
      return flowOf(state, PRINTS_ANYTHING);
    }
    machine.effects.rollback(mark);
    entry = rounds < MAX_EXACT_ROUNDS ? joined : widened(joined, entry);
  }
}

/** What still changes from round to round may be anything. */
function widened(next: State, before: State): State {
  const wide = next.copy();
  for (const [name, value] of next.variables) {
    if (JSON.stringify(value) === JSON.stringify(before.variables.get(name))) continue;
    const isNumber =
      value.kind === "scalar" && value.options.every((word) => (word.known ? /^-?\d+$/.test(word.value) : word.number === true));
    wide.variables.set(name, isNumber ? joinValues(NUMBER, value.unset ? UNSET : NUMBER) : ANYTHING);
  }
  if (JSON.stringify(next.folders) !== JSON.stringify(before.folders)) wide.folders = null;
  return wide;
}
