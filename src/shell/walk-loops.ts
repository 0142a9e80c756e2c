/** Walks the loops of a script. */
import type { ArithmeticFor, CompoundList, For, Select, While } from "unbash";
import { assign } from "./assign.ts";
import type { At } from "./doing-effects.ts";
import { createExpanding, eachChoice, expandFields } from "./expand.ts";
import { counterOf, loop } from "./loops.ts";
import type { WordNode } from "./machine.ts";
import { after, type Flow, type State } from "./state.ts";
import { ANYTHING, joinValues, sameValue, scalar } from "./value.ts";
import { compute } from "./walk-tests.ts";
import { unknownWord, type Word } from "./word.ts";

/** Walks the statements within a loop; the state that is given is changed. */
export type WalkList = (list: CompoundList, state: State) => Promise<Flow>;

/** One loop, as often as it takes until nothing more can hold in it. */
export async function walkLoop(node: While | For | Select | ArithmeticFor, at: At, walk: WalkList): Promise<Flow> {
  switch (node.type) {
    case "While":
      return loop(at.state, at.machine, async (inner) => {
        const clause = await walk(node.clause, inner);
        const [go, stop] = node.kind === "while" ? [clause.ok, clause.bad] : [clause.bad, clause.ok];
        const left = stop.copy();
        return { again: after(await walk(node.body, go === stop ? go.copy() : go)), left };
      });
    case "For":
    case "Select":
      return forEach(node, at, walk);
    case "ArithmeticFor":
      return (await counted(node, at, walk)) ?? arithmeticFor(node, at, walk);
  }
}

async function forEach(node: For | Select, { state, machine }: At, walk: WalkList): Promise<Flow> {
  const expanding = createExpanding(state, machine);
  const name = node.name.value;
  const given: readonly Word[] = node.wordlist
    ? (await eachChoice(expanding, () => eachFields(node.wordlist ?? [], (word) => expandFields(word, expanding)))).flat()
    : (state.positional ?? [unknownWord("$@")]);
  for (const [path, isTree] of expanding.listed)
    machine.effects.add({ kind: "file.read", sure: "declared", path, ...(isTree ? { tree: true } : {}) });
  // one after the other it is each of them
  const words = given.map((word): Word => (word.known ? word : { ...word, single: true, ...(word.single ? {} : { nonEmpty: true }) }));
  const value = node.type === "Select" ? ANYTHING : scalar(words);
  return loop(state, machine, async (inner) => {
    const left = inner.copy();
    if (words.length > 0) assign(name, value, { state: inner, machine });
    if (node.type === "Select") assign("REPLY", ANYTHING, { state: inner, machine });
    return { again: after(await walk(node.body, inner)), left };
  });
}

async function arithmeticFor(node: ArithmeticFor, { state, machine }: At, walk: WalkList): Promise<Flow> {
  await compute(node.initialize, state, machine);
  return loop(state, machine, async (inner) => {
    await compute(node.test, inner, machine);
    const left = inner.copy();
    const again = after(await walk(node.body, inner));
    await compute(node.update, again, machine);
    return { again, left };
  });
}

/** A loop that counts from one number to another, if nothing else changes the variable; `null`: it is none. */
async function counted(node: ArithmeticFor, { state, machine }: At, walk: WalkList): Promise<Flow | null> {
  const counter = counterOf(node);
  if (!counter) return null;
  const { name, values, end } = counter;
  const before = state.copy();
  const mark = machine.effects.mark();
  let isCounted = true;
  const value = scalar(values);
  const flow = await loop(state, machine, async (inner) => {
    const left = inner.copy();
    assign(name, value, { state: inner, machine });
    const again = after(await walk(node.body, inner));
    isCounted &&= sameValue(again.get(name), value);
    return { again, left };
  });
  if (isCounted) {
    assign(name, joinValues(scalar([end]), value), { state, machine });
    return flow;
  }
  machine.effects.rollback(mark);
  state.become(before);
  return null;
}

async function eachFields(nodes: readonly WordNode[], expand: (word: WordNode) => Promise<readonly Word[]>): Promise<readonly Word[]> {
  const all: Word[] = [];
  for (const node of nodes) for (const word of await expand(node)) all.push(word);
  return all;
}
