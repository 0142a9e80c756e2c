/**
 * The words of a program taken apart into options and operands, as `getopt_long` of the GNU system does: clusters (`-rn`), values in the
 * same word or the next (`-n5`, `-n 5`, `--lines=5`, `--lines 5`), long options cut short (`--lin`), `--`, options after operands.
 */
import { isSurelyNoOption, knownWord, type Word } from "./word.ts";

/** Options of a program. Each list holds names separated by blanks, with their dashes: `-a --all`. */
export interface OptionNames {
  /** Take no value. */
  readonly flags?: string;
  /** Take a value, in the same word or the next. */
  readonly values?: string;
  /** Take a value only in the same word: `--color=auto`, `-i.bak`. */
  readonly optional?: string;
  /** False: the first operand ends the options, as for programs that run the rest of their words. Default true. */
  readonly mixed?: boolean;
  /** False: long options must be written out. Default true. */
  readonly abbreviated?: boolean;
  /** A form of a whole word that is an option of its own, such as `-20` of `head`. */
  readonly special?: RegExp;
}

/** One option as it was given. */
export interface GivenOption {
  /** As the program's spec names it, dashes included; of a special form the word. */
  readonly name: string;
  /** `null`: it has none. */
  readonly value: Word | null;
  /** Its value stood in a word of its own behind an operand: a program that stops at the first operand takes it for one more operand. */
  readonly late?: true;
}

export type ParsedOptions =
  | { readonly ok: true; readonly options: readonly GivenOption[]; readonly operands: readonly Word[] }
  /** An option that is not known, cut too short, without its value, or a word that may or may not be one. */
  | { readonly ok: false; readonly problem: string };

/** Nobody writes as many; rows look at each of them more than once. */
export const MAX_OPTIONS = 500;

/** Takes words apart; anything that is not certain is a problem. */
export function parseOptions(args: readonly Word[], names: OptionNames): ParsedOptions {
  const { mixed = true, special } = names;
  const options: GivenOption[] = [];
  const operands: Word[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (!word) break;
    if (word.known && word.value === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (isSurelyNoOption(word) || (word.known && (word.value === "-" || word.value.startsWith("+")))) {
      if (!mixed) {
        operands.push(...args.slice(at));
        break;
      }
      operands.push(word);
      continue;
    }
    if (word.known && special?.test(word.value)) {
      options.push({ name: word.value, value: null });
      continue;
    }
    const taken = takeOption(word, { next: args[at + 1], names });
    if (typeof taken === "string") return { ok: false, problem: taken };
    const isLate = taken.tookNext && operands.length > 0;
    options.push(...(isLate ? taken.options.map((option) => ({ ...option, late: true as const })) : taken.options));
    if (options.length > MAX_OPTIONS) return { ok: false, problem: `there are more than ${MAX_OPTIONS} options` };
    if (taken.tookNext) at += 1;
  }
  return { ok: true, options, operands };
}

interface Taken {
  readonly options: readonly GivenOption[];
  readonly tookNext: boolean;
}

interface Around {
  readonly next: Word | undefined;
  readonly names: OptionNames;
}

function takeOption(word: Word, around: Around): Taken | string {
  const text = word.known ? word.value : word.prefix;
  if (!word.known && (!word.single || text === "")) return `${word.raw} may be an option`;
  return text.startsWith("--") ? takeLong(word, text, around) : takeShort(word, text, around);
}

function takeLong(word: Word, text: string, { next, names }: Around): Taken | string {
  const [, written = "", attached] = /^(--[^=]*)(?:=([\s\S]*))?$/.exec(text) ?? [];
  if (!word.known && attached === undefined) return `${word.raw} may be another option`;
  const name = fullName(written, names);
  if (name === null) return `the option ${written} is not known`;
  const value = attached === undefined ? null : word.known ? knownWord(attached) : rest(word, attached);
  if (has(names.flags, name)) return value === null ? { options: [{ name, value }], tookNext: false } : `${name} takes no value`;
  if (value !== null || has(names.optional, name)) return { options: [{ name, value }], tookNext: false };
  return withNext(name, next, []);
}

function takeShort(word: Word, text: string, { next, names }: Around): Taken | string {
  if (text === "-") return `${word.known ? text : word.raw} may be any option`;
  const options: GivenOption[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text.charAt(at)}`;
    const attached = text.slice(at + 1);
    const value = word.known ? (attached === "" ? null : knownWord(attached)) : rest(word, attached);
    if (has(names.flags, name)) {
      if (at > MAX_OPTIONS) return `there are more than ${MAX_OPTIONS} options in one word`;
      options.push({ name, value: null });
      // what follows in an unknown word may be any letter
      if (attached === "" && !word.known) return `${word.raw} may hold another option`;
      continue;
    }
    if (has(names.optional, name)) return { options: [...options, { name, value }], tookNext: false };
    if (!has(names.values, name)) return `the option ${name} is not known`;
    return value === null ? withNext(name, next, options) : { options: [...options, { name, value }], tookNext: false };
  }
  return { options, tookNext: false };
}

function withNext(name: string, next: Word | undefined, before: readonly GivenOption[]): Taken | string {
  if (!next) return `${name} lacks its value`;
  if (!next.known && !next.single) return `the value of ${name} may be several words`;
  return { options: [...before, { name, value: next }], tookNext: true };
}

/** An unknown word without what was taken from its front. */
function rest(word: Exclude<Word, { known: true }>, prefix: string): Word {
  const { below: _, ...kept } = word;
  return { ...kept, prefix };
}

/** The option that a long name stands for, itself or by its beginning. */
function fullName(written: string, { flags = "", values = "", optional = "", abbreviated = true }: OptionNames): string | null {
  if ([flags, values, optional].some((list) => has(list, written))) return written;
  if (!abbreviated) return null;
  const long = [...flags.split(" "), ...values.split(" "), ...optional.split(" ")].filter((name) => name.startsWith("--"));
  const matches = long.filter((name) => name.startsWith(written));
  return matches.length === 1 ? (matches[0] ?? null) : null;
}

function has(names: string | undefined, name: string): boolean {
  return names !== undefined && /^\S+$/.test(name) && ` ${names} `.includes(` ${name} `);
}
