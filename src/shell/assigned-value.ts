import type { ArrayValue, Assignment } from "unbash";
import { createExpanding, eachChoice, expandFields, expandValue } from "./expand.ts";
import type { Expanding } from "./expanding.ts";
import { lose, type Machine, mayDrop } from "./machine.ts";
import { numberOf } from "./numbers.ts";
import type { State } from "./state.ts";
import { ANYTHING, type List, scalar, UNKNOWN_LIST, type Value } from "./value.ts";
import { knownWord, unknownWord, type Word } from "./word.ts";
import { weightOfWords } from "./work.ts";

/** What a variable holds after an assignment; it is not yet set. */
export async function assignedValue({ name, value, append, index }: Assignment, state: State, machine: Machine): Promise<Value> {
  const expanding = createExpanding(state, machine);
  const before = state.get(name);
  const isKeyed = before.kind === "list" && before.keyed;
  if (index) {
    await expandValue(index, expanding);
    if (!isKeyed) checkKey(index.text, expanding);
    // one that is not there, or that is no number
    mayDrop(machine, state);
    if (value.type === "Word") await expandValue(value, expanding);
    return { ...UNKNOWN_LIST, keyed: isKeyed };
  }
  if (value.type === "ArrayValue") {
    const list = await listOf(value, expanding);
    if (!append) return isKeyed ? { ...UNKNOWN_LIST, keyed: true } : list;
    const old = before.kind === "list" ? before.elements : null;
    return { ...list, elements: old && list.elements ? [...old, ...list.elements] : null, keyed: isKeyed };
  }
  const words = value.text === "" ? [knownWord("")] : await eachChoice(expanding, () => expandValue(value, expanding));
  if (before.kind === "list") return { ...UNKNOWN_LIST, keyed: isKeyed };
  if (!append) return scalar(words);
  machine.work.spend(weightOfWords(before.options) * words.length + weightOfWords(words) * before.options.length);
  if (before.unset && before !== ANYTHING && before.options.length === 0) return scalar(words);
  return scalar(before.options.flatMap((old) => words.map((word) => together(old, word))).concat(before.unset ? words : []));
}

/** An argument such as `a=b` of `export`, which bash reads as an assignment: its name with the value behind it. */
export async function assignmentWord({ name, value, append, index, text }: Assignment, expanding: Expanding): Promise<Word> {
  if (index || value.type === "ArrayValue") {
    if (index) {
      await expandValue(index, expanding);
      checkKey(index.text, expanding);
    }
    if (value.type === "ArrayValue") await listOf(value, expanding);
    else await expandValue(value, expanding);
    return unknownWord(text, { single: true, prefix: `${name}${index ? "[" : "="}` });
  }
  const word = await expandValue(value, expanding);
  const prefix = `${name}${append ? "+" : ""}=`;
  return word.known ? knownWord(`${prefix}${word.value}`) : { ...word, raw: text, single: true, prefix: `${prefix}${word.prefix}` };
}

/** The words of `(…)`. Elements with a key of their own make the list one of which nothing is known. */
export async function listOf({ elements }: ArrayValue, expanding: Expanding): Promise<List> {
  const words: Word[] = [];
  let isPlain = true;
  for (const element of elements) {
    const [, key] = /^\[([\s\S]*?)\]\+?=/.exec(element.text) ?? [];
    if (key !== undefined) {
      checkKey(key, expanding);
      isPlain = false;
    }
    for (const word of await expandFields(element, expanding)) words.push(word);
  }
  isPlain &&= words.every((word) => word.known || word.single) && !expanding.choices.next();
  return { kind: "list", elements: isPlain ? words : null, keyed: false };
}

/** The subscript of an array is computed. */
function checkKey(text: string, expanding: Expanding): void {
  if (/[$`[\]]/.test(text)) {
    const [, name] = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(text) ?? [];
    if (name === undefined) lose(expanding.machine, expanding.state, `it computes the subscript ${text}`);
    else numberOf(name, expanding);
    return;
  }
  for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) numberOf(name, expanding);
}

function together(before: Word, behind: Word): Word {
  if (before.known && behind.known) return knownWord(`${before.value}${behind.value}`);
  return unknownWord(`${before.known ? before.value : before.raw}${behind.known ? behind.value : behind.raw}`, {
    single: true,
    prefix: before.known ? `${before.value}${behind.known ? "" : behind.prefix}` : before.prefix,
  });
}
