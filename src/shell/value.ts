import { knownWord, type UnknownWord, unknownWord, type Word } from "./word.ts";

/** What a variable of the script may hold at one point of it. */
export type Value = Scalar | List;

export interface Scalar {
  readonly kind: "scalar";
  /** All that it can be, 32 at most. Empty: it is not set. */
  readonly options: readonly Word[];
  /** True: it may also be unset. */
  readonly unset: boolean;
}

export interface List {
  readonly kind: "list";
  /** `null`: not known. */
  readonly elements: readonly Word[] | null;
  /** True for what is surely an associative array, whose subscripts are not computed. */
  readonly keyed: boolean;
}

export const MAX_OPTIONS = 32;

export const UNSET: Scalar = { kind: "scalar", options: [], unset: true };
export const EMPTY: Scalar = { kind: "scalar", options: [knownWord("")], unset: false };
export const NUMBER: Scalar = scalar([unknownWord("", { single: true, number: true, nonEmpty: true })]);
/** Anything at all, or nothing. */
export const ANYTHING: Scalar = { kind: "scalar", options: [unknownWord("", { single: true })], unset: true };
export const UNKNOWN_LIST: List = { kind: "list", elements: null, keyed: false };

/** The value that is one of these words; each stays one word, as the value of a variable does. */
export function scalar(words: readonly Word[]): Scalar {
  return { kind: "scalar", options: distinct(words.map(asOne)), unset: false };
}

export function joinValues(a: Value, b: Value): Value {
  if (a === b) return a;
  if (a.kind === "list" || b.kind === "list") {
    return sameValue(a, b) ? a : { ...UNKNOWN_LIST, keyed: a.kind === "list" && a.keyed && b.kind === "list" && b.keyed };
  }
  return { kind: "scalar", options: distinct([...a.options, ...b.options]), unset: a.unset || b.unset };
}

export function sameValue(a: Value, b: Value): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** One word in place of several of which any may stand there. */
export function anyOf(words: readonly Word[], raw: string): Word {
  const [first] = words;
  if (first && words.length === 1) return first;
  const paths = words.flatMap((word) => (word.known ? [word.value] : (word.below ?? [""])));
  const arePaths = words.every((word) => (word.known ? isPlainPath(word.value) : word.below !== undefined));
  const areNumbers = words.every((word) => (word.known ? /^-?\d+$/.test(word.value) : word.number));
  return unknownWord(raw, {
    single: words.every((word) => word.known || word.single),
    ...(arePaths ? { below: [...new Set(paths)] } : {}),
    ...(areNumbers ? { number: true } : {}),
    ...(words.every((word) => (word.known ? word.value !== "" : word.nonEmpty)) ? { nonEmpty: true } : {}),
  });
}

function isPlainPath(text: string): boolean {
  return text !== "" && !text.split("/").includes("..");
}

function distinct(words: readonly Word[]): readonly Word[] {
  const byText = new Map<string, Word>();
  for (const word of words) {
    const key = word.known ? `=${word.value}` : JSON.stringify({ ...word, raw: "" });
    // the first stays, so that what was joined before is found to be the same
    if (!byText.has(key)) byText.set(key, word);
  }
  const all = [...byText.values()];
  return all.length > MAX_OPTIONS ? [anyOf(all, all[0] && !all[0].known ? all[0].raw : "")] : all;
}

function asOne(word: Word): Word {
  if (word.known || word.single) return word;
  const { below: _, ...rest } = word;
  return { ...(rest satisfies UnknownWord), single: true };
}
