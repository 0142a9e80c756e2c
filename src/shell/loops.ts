import type { ArithmeticExpression, ArithmeticFor } from "unbash";
import type { Machine } from "./machine.ts";
import { differentNames, type Flow, flowOf, joinStates, PRINTS_ANYTHING, type State, sameStates } from "./state.ts";
import { ANYTHING, joinValues, MAX_OPTIONS, NUMBER, sameValue, UNSET } from "./value.ts";
import { knownWord, type Word } from "./word.ts";
import { COST } from "./work.ts";

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
    machine.work.spend(COST.compound);
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
  next.spendOn(before);
  for (const name of differentNames(next, before)) {
    const value = next.variables.get(name);
    const old = before.variables.get(name);
    if (!value || (old && sameValue(value, old))) continue;
    const isNumber =
      value.kind === "scalar" && value.options.every((word) => (word.known ? /^-?\d+$/.test(word.value) : word.number === true));
    wide.variables.set(name, isNumber ? joinValues(NUMBER, value.unset ? UNSET : NUMBER) : ANYTHING);
  }
  if (JSON.stringify(next.folders) !== JSON.stringify(before.folders)) wide.folders = null;
  if (JSON.stringify(next.previous) !== JSON.stringify(before.previous)) wide.previous = null;
  return wide;
}

/** The variable of a `for ((i = 1; i <= 3; i++))` with few rounds, all that it is in them, and what it is at the end. */
export function counterOf({ initialize, test, update }: ArithmeticFor) {
  const name = nameOf(initialize?.type === "ArithmeticBinary" && initialize.operator === "=" ? initialize.left : undefined);
  const from = numberOf(initialize?.type === "ArithmeticBinary" ? initialize.right : undefined);
  if (name === null || from === null || test?.type !== "ArithmeticBinary" || nameOf(test.left) !== name) return null;
  const to = numberOf(test.right);
  const counts = update?.type === "ArithmeticUnary" && update.operator === "++" && nameOf(update.operand) === name;
  if (to === null || !counts || !/^<=?$/.test(test.operator)) return null;
  const end = test.operator === "<" ? to : to + 1;
  if (end <= from || end - from > MAX_OPTIONS) return null;
  const values: readonly Word[] = Array.from({ length: end - from }, (_, index) => knownWord(String(from + index)));
  return { name, values, end: knownWord(String(end)) };
}

function nameOf(node: ArithmeticExpression | undefined): string | null {
  const text = node?.type === "ArithmeticWord" ? node.value.trim() : "";
  return /^[A-Za-z_]\w*$/.test(text) ? text : null;
}

function numberOf(node: ArithmeticExpression | undefined): number | null {
  const text = node?.type === "ArithmeticWord" ? node.value.trim() : "";
  return /^(?:0|[1-9]\d{0,6})$/.test(text) ? Number(text) : null;
}
