/** Walks `[[ … ]]` and `(( … ))`, which run no program of their own. */
import type { ArithmeticExpression, TestCommand } from "unbash";
import { computed } from "./arithmetic.ts";
import { condition } from "./conditions.ts";
import { declared } from "./doing.ts";
import { addJudged } from "./doing-effects.ts";
import { createExpanding, eachChoice, expandParts } from "./expand.ts";
import type { Machine } from "./machine.ts";
import { type Flow, flowOf, joinStates, type State } from "./state.ts";
import { unknownWord, type Word } from "./word.ts";

/** A `[[ … ]]`, as a command with the words that it compares. */
export async function testCommand(node: TestCommand, state: State, machine: Machine): Promise<Flow> {
  const expanding = createExpanding(state, machine);
  const all = await eachChoice(expanding, () => condition(node.expression, expanding));
  const files = all.flatMap((each) => each.files);
  // no program, but what it looks at is its own
  const raw = unknownWord("[[ … ]]", { single: true });
  const words: readonly Word[] = [
    { known: true, value: "[[" },
    ...(all.length === 1 ? (all[0]?.words ?? []) : [raw]),
    { known: true, value: "]]" },
  ];
  const none = { files: [], network: [], unknown: [], stdin: null, keepsOutput: true, isSure: true };
  await addJudged({ words, doing: declared({ files }), redirected: none, listed: expanding.listed }, { state, machine });
  return flowOf(state);
}

/** What is computed. What fails in it ends it, with what was stored until then. */
export async function compute(expression: ArithmeticExpression | undefined, state: State, machine: Machine): Promise<void> {
  const { jumps } = machine;
  const outer = jumps.dropped;
  jumps.dropped = null;
  const expanding = createExpanding(state, machine);
  await eachChoice(expanding, () => computed(expression, { expanding, value: (parts, raw) => expandParts(parts, raw, expanding) }));
  if (jumps.dropped) state.become(joinStates(state, jumps.dropped));
  jumps.dropped = outer && jumps.dropped ? joinStates(outer, jumps.dropped) : (jumps.dropped ?? outer);
}
