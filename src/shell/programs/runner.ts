/** Rows of programs that run the rest of their words. */
import { type Doing, declared, type FileUse, type Invocation, open, type Program } from "../doing.ts";
import { type GivenOption, type OptionNames, parseOptions } from "../options.ts";
import { fileUses } from "../program.ts";
import { seenOptions } from "../seen-options.ts";
import { knownWord, unknownWord, type Word } from "../word.ts";
import { given, valuesOf } from "./given.ts";
import { shellText } from "./told.ts";

export interface Runner extends OptionNames {
  /** The form of the operand that stands before the command; absent: there is none. */
  readonly before?: RegExp;
  /** Options that take files. */
  readonly writes?: string;
  /** With one of these there is no command, and anything may be done. */
  readonly never?: string;
  /** Without a command: prints (`declared`), does something else (`open`), or starts a shell or fails (`unknown`). Default `unknown`. */
  readonly alone?: "declared" | "open" | "unknown";
  /** `open`: it does more than to run the command, such as to change who runs it. Default `declared`. */
  readonly sure?: "declared" | "open";
}

/** The words behind the runner's own options are the command. */
export function runner(spec: Runner): Program {
  const { before, writes = "", never = "", alone = "unknown", sure = "declared" } = spec;
  return ({ name, args }) => {
    if (isAboutItself(args)) return declared();
    const parsed = parseOptions(args, { ...spec, mixed: false });
    if (!parsed.ok) return notUnderstood(name, parsed.problem);
    const { options, operands } = parsed;
    const files = options.flatMap(({ name: option, value }): readonly FileUse[] =>
      value !== null && writes.split(" ").includes(option) ? fileUses("write", value) : [],
    );
    if (never !== "" && given(options, never)) return notUnderstood(name, "it works on what runs already, or starts a shell");
    const [first] = operands;
    if (before && first && !(first.known ? before.test(first.value) : first.single))
      return notUnderstood(name, "where it begins is not plain");
    const command = before ? operands.slice(1) : operands;
    const doing = sure === "declared" ? declared : open;
    if (command.length === 0 && alone !== "unknown") return alone === "declared" ? declared({ files }) : open({ files });
    if (command.length === 0) return notUnderstood(name, "there is no command");
    return doing({ files, runs: [{ words: command }] });
  };
}

export function notUnderstood(name: string, why: string): Doing {
  return open({ unknown: `\`${name}\` runs a command that cannot be told: ${why}` });
}

export function isAboutItself([first, second]: readonly Word[]): boolean {
  return second === undefined && first?.known === true && /^--(?:help|version)$/.test(first.value);
}

export interface Guessed extends OptionNames {
  /** Options whose value is a text that a shell runs. */
  readonly texts?: string;
  /** How many operands stand before the command; default none. */
  readonly before?: number;
  /** True: what it seems to run it does run, and nothing else in the place of it. */
  readonly isSure?: true;
  /** Variables that it sets for the command, by name. */
  readonly assigns?: readonly string[];
  /** True: its operands are the words of one text for a shell. */
  readonly isText?: true;
}

/**
 * Programs that run their words in a place, a time or an order of their own, of which nobody can say what they run: what they seem to run is
 * looked at all the same.
 */
export function guessedRunner({ texts = "", before = 0, isSure, isText, assigns, ...names }: Guessed = {}): Program {
  return ({ name, args }: Invocation): Doing => {
    if (isAboutItself(args)) return open();
    const { options, operands } = seenOptions(args, { mixed: false, ...names, values: `${names.values ?? ""} ${texts}` });
    const command = operands.slice(before);
    const runs = valuesOf(options, texts).map(shellText);
    const [first] = command;
    const run = { words: command, ...(assigns ? { assigns } : {}) };
    const words = first === undefined || !first.known ? [] : isText ? [shellText(joined(command))] : [run];
    if (isSure && (first === undefined || first.known)) return open({ runs: [...runs, ...words] });
    return { ...notUnderstood(name, "it does so in a place or an order of its own"), runs: [...runs, ...words] };
  };
}

/** The words of a text, joined by blanks. */
export function joined(words: readonly Word[]): Word {
  const known = words.flatMap((word) => (word.known ? [word.value] : []));
  const text = known.join(" ");
  return known.length === words.length ? knownWord(text) : unknownWord("a text of several words", { single: true });
}

/** The value of the last of these options. */
export function lastValue(options: readonly GivenOption[], names: string): Word | null {
  return options.filter(({ name }) => names.split(" ").includes(name)).at(-1)?.value ?? null;
}
