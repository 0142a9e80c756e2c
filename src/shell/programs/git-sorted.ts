/** Words of subcommands of git that are `open` anyway, sorted without a list of all options. */
import { type Doing, type FileUse, open, type Program } from "../doing.ts";
import { fileUses, type Role } from "../program.ts";
import { knownWord, type Word } from "../word.ts";

export interface Sorted {
  readonly operands: readonly Word[];
  /** Those of `operands` that stand after `--`. */
  readonly after: readonly Word[];
  has(names: string): boolean;
  /** Values of an option that takes one, in the next word or behind `=`, or of a short one behind its letter. */
  values(names: string): readonly Word[];
}

/** Sorts words, of which the options in `withValue`, separated by blanks, take a value. Long ones may be cut short. */
export function sort(args: readonly Word[], withValue: string): Sorted {
  const dashes = args.findIndex((word) => word.known && word.value === "--");
  const before = dashes === -1 ? args : args.slice(0, dashes);
  const after = dashes === -1 ? [] : args.slice(dashes + 1);
  const takes = withValue.split(" ");
  const plain: Word[] = [];
  const given: { readonly name: string; readonly value: Word }[] = [];
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at];
    if (!word) break;
    const text = textOf(word);
    if (text === "-" || !text.startsWith("-")) {
      plain.push(word);
      continue;
    }
    const found = text.startsWith("--") ? longOption(text, takes) : shortOption(text, takes);
    if (!found) continue;
    const { name, length } = found;
    const next = before[at + 1];
    // of a word that is not known the rest may be the value
    if (length < text.length || !word.known) given.push({ name, value: behind(word, length) });
    else if (next) {
      given.push({ name, value: next });
      at += 1;
    }
  }
  const has = (names: string): boolean =>
    names.split(" ").some((name) =>
      before.some((word) => {
        const text = textOf(word);
        if (name.length > 2) return text === name || text.startsWith(`${name}=`);
        return /^-[^-]/.test(text) && text.includes(name.slice(1));
      }),
    );
  const values = (names: string): readonly Word[] =>
    names.split(" ").flatMap((name) => given.flatMap((option) => (option.name === name ? [option.value] : [])));
  return { operands: [...plain, ...after], after, has, values };
}

function textOf(word: Word): string {
  return word.known ? word.value : word.prefix;
}

interface Found {
  readonly name: string;
  /** Of what stands before a value in the same word. */
  readonly length: number;
}

function longOption(text: string, takes: readonly string[]): Found | null {
  const [written = "", equals = ""] = /^--[^=]*(=?)/.exec(text) ?? [];
  const start = equals === "" ? written : written.slice(0, -1);
  const meant = takes.includes(start) ? [start] : takes.filter((name) => name.startsWith(start) && start.length > 2);
  const [name] = meant;
  return name === undefined || meant.length > 1 ? null : { name, length: written.length };
}

function shortOption(text: string, takes: readonly string[]): Found | null {
  const at = [...text.slice(1, MAX_CLUSTER)].findIndex((letter) => takes.includes(`-${letter}`));
  return at === -1 ? null : { name: `-${text.charAt(at + 1)}`, length: at + 2 };
}

/** No subcommand has as many letters. */
const MAX_CLUSTER = 60;

function behind(word: Word, length: number): Word {
  if (word.known) return knownWord(word.value.slice(length));
  const { below: _, ...kept } = word;
  return { ...kept, prefix: word.prefix.slice(length) };
}

export type Effects = Partial<Omit<Doing, "sure">>;

/** A row of what is seen in the words. */
export function changes(withValue: string, effects: (sorted: Sorted) => Effects): Program {
  return ({ args }) => open(effects(sort(args, withValue)));
}

/** The uses of files that words in this role stand for. */
export function uses(role: Role, words: readonly Word[]): readonly FileUse[] {
  return words.flatMap((word) => fileUses(role, word));
}
