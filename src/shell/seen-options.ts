import { type GivenOption, MAX_OPTIONS, type OptionNames } from "./options.ts";
import { isSurelyNoOption, knownWord, type Word } from "./word.ts";

/** What can be seen in words that are not understood as a whole: it says what a program does at least, never what it does at most. */
export interface SeenOptions {
  readonly options: readonly GivenOption[];
  /** In their places; those of which nothing is known too, since they may be some. */
  readonly operands: readonly Word[];
}

/** Takes words apart as `parseOptions` does. What it would refuse is passed over: an option that is not known is taken for one without a value. */
export function seenOptions(args: readonly Word[], names: OptionNames): SeenOptions {
  const options: GivenOption[] = [];
  const operands: Word[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (!word || options.length > MAX_OPTIONS) break;
    if (word.known && word.value === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    const isOperand = word.known ? !/^[-+]./.test(word.value) || word.value.startsWith("+") : isSurelyNoOption(word) || word.prefix === "";
    if (isOperand && names.mixed === false) {
      operands.push(...args.slice(at));
      break;
    }
    if (isOperand) operands.push(word);
    if (isOperand || !word.known) continue;
    const { flags, name, value } = optionsIn(word.value, names);
    options.push(...flags.map((flag) => ({ name: flag, value: null })));
    if (name === undefined) continue;
    const next = args[at + 1];
    if (value === undefined) at += 1;
    if (value !== undefined || next) options.push({ name, value: value === undefined ? (next ?? null) : value });
  }
  return { options, operands };
}

interface Seen {
  /** Those without a value, in their order. */
  readonly flags: readonly string[];
  /** The one with a value behind them, if there is one. */
  readonly name?: string;
  /** What stands in the same word; `null`: it is left out; undefined: it is the next word. */
  readonly value?: Word | null;
}

/** The options that are known in a word. */
function optionsIn(text: string, names: OptionNames): Seen {
  const { flags = "", values = "", optional = "", special } = names;
  const isIn = (list: string, name: string): boolean => list.split(" ").includes(name);
  if (special?.test(text)) return { flags: [text] };
  // programs with options of one dash and several letters
  if (isIn(values, text)) return { flags: [], name: text };
  const equals = text.indexOf("=");
  if (equals > 2 && !text.startsWith("--") && isIn(values, text.slice(0, equals)))
    return { flags: [], name: text.slice(0, equals), value: knownWord(text.slice(equals + 1)) };
  if (text.startsWith("--")) {
    const [, written = "", attached] = /^(--[^=]*)(?:=([\s\S]*))?$/.exec(text) ?? [];
    const long = [flags, values, optional].flatMap((list) => list.split(" ")).filter((name) => name.startsWith(written) && name !== "");
    const name = long.includes(written) ? written : names.abbreviated === false || long.length !== 1 ? undefined : long[0];
    if (name === undefined) return { flags: [] };
    if (attached !== undefined) return { flags: [], name, value: knownWord(attached) };
    return isIn(values, name) ? { flags: [], name } : { flags: [name] };
  }
  const found: string[] = [];
  for (let at = 1; at < Math.min(text.length, MAX_OPTIONS); at += 1) {
    const name = `-${text.charAt(at)}`;
    const attached = text.slice(at + 1);
    if (isIn(values, name)) return { flags: found, name, ...(attached === "" ? {} : { value: knownWord(attached) }) };
    if (isIn(optional, name)) return { flags: found, name, value: attached === "" ? null : knownWord(attached) };
    if (!isIn(flags, name)) break;
    found.push(name);
  }
  return { flags: found };
}
