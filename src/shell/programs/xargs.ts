import { type Doing, declared, type Input, type Invocation, open, type Run } from "../doing.ts";
import { type GivenOption, parseOptions } from "../options.ts";
import { fileUses } from "../program.ts";
import { knownWord, type UnknownWord, type Word, wordsOfPaths } from "../word.ts";
import { given } from "./given.ts";

/** Longer inputs are not taken apart: `xargs` calls the command several times for them, at places that depend on the system. */
const MAX_ITEMS = 1000;
const MAX_TEXT = 16 * 1024;

const ANYTHING: UnknownWord = { known: false, raw: "what xargs reads", single: false, prefix: "" };

/** Items known one by one, or one word that stands for any number of them. */
type Items = readonly string[] | UnknownWord;

/** `xargs`: runs a command with words that it reads. */
export function xargs({ name, args, stdin, told = { kind: "unknown" } }: Invocation): Doing {
  if (args.length === 1 && args[0]?.known && /^--(?:help|version)$/.test(args[0].value)) return declared();
  const parsed = parseOptions(args, {
    flags: "-0 --null -r --no-run-if-empty -t --verbose -x --exit --show-limits",
    values: "-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs -s --max-chars --process-slot-var",
    optional: "-e --eof -i --replace -l",
    mixed: false,
  });
  if (!parsed.ok) return unclear(name, parsed.problem);
  const { options, operands } = parsed;
  const last = (names: string): Word | null | undefined => options.findLast((option) => names.split(" ").includes(option.name))?.value;
  const file = last("-a --arg-file");
  const mark = replaced(options);
  if (mark === undefined) return unclear(name, "what it replaces is not known");
  if (mark !== null && given(options, "-n --max-args -L -l --max-lines"))
    return unclear(name, "systems differ in what its options mean together");
  const items = itemsOf(file ? told : stdin, separation(options, mark !== null));
  const slot = last("--process-slot-var");
  if (slot && !slot.known) return unclear(name, "which variable it sets is not known");
  const command = operands.length === 0 ? [knownWord("echo")] : operands;
  const most = last("-n --max-args");
  const batch = most ? (most.known ? Number(most.value) : Number.NaN) : MAX_ITEMS;
  const runs = calls(command, items, { mark, batch: given(options, "-L -l --max-lines -s --max-chars") ? Number.NaN : batch });
  const run = ({ words }: { words: readonly Word[] }): Run => ({
    words,
    // with a file, the command reads what `xargs` would have read
    ...(file ? {} : { stdin: { kind: "empty" } as const }),
    ...(slot ? { assigns: [slot.value] } : {}),
  });
  return declared({
    files: file ? fileUses("read", file) : [],
    runs: runs.map((words) => run({ words })),
    // some take `-` for the standard input
    ...(file?.known && file.value !== "-" ? { asks: file } : {}),
  });
}

function unclear(name: string, why: string): Doing {
  return open({ unknown: `\`${name}\` runs a command that cannot be told: ${why}` });
}

/** The mark that items stand in for; `null`: items go to the end; undefined: it cannot be told. */
function replaced(options: readonly GivenOption[]): string | null | undefined {
  const option = options.findLast(({ name }) => name === "-I" || name === "-i" || name === "--replace");
  if (!option) return null;
  if (option.value === null) return "{}";
  return option.value.known && option.value.value !== "" ? option.value.value : undefined;
}

/** `quoted`: by blanks or lines, with quotes and backslashes; else by one character. */
type Separation = { readonly by: "blanks" | "lines" } | { readonly by: "character"; readonly character: string } | null;

function separation(options: readonly GivenOption[], isReplacing: boolean): Separation {
  // an end that is marked in the text, or lines of several words
  if (options.some(({ name, value }) => /^(?:-E|-L|-l|--max-lines)$/.test(name) || (/^(?:-e|--eof)$/.test(name) && value !== null)))
    return null;
  const option = options.findLast(({ name }) => /^(?:-0|--null|-d|--delimiter)$/.test(name));
  if (!option) return { by: isReplacing ? "lines" : "blanks" };
  if (option.value === null) return { by: "character", character: "\0" };
  if (!option.value.known) return null;
  const written = option.value.value;
  const character = written === "\\n" ? "\n" : written === "\\0" ? "\0" : written === "\\t" ? "\t" : written;
  return character.length === 1 && character !== "\\" ? { by: "character", character } : null;
}

function itemsOf(input: Input, separated: Separation): Items {
  if (input.kind === "empty") return [];
  if (separated === null || input.kind === "unknown") return ANYTHING;
  if (input.kind === "paths") {
    const isSure = separated.by === "character" ? separated.character === input.end : input.plain === true && input.end === "\n";
    return isSure ? { ...ANYTHING, raw: "the paths that xargs reads", ...wordsOfPaths(input) } : ANYTHING;
  }
  if (input.text.length > MAX_TEXT) return ANYTHING;
  if (separated.by !== "character") return quotedItems(input.text, separated.by) ?? ANYTHING;
  const items = input.text.split(separated.character);
  if (items.at(-1) === "") items.pop();
  return items.length > MAX_ITEMS ? ANYTHING : items;
}

const BLANKS = /(?:"[^"]*"|'[^']*'|\\.|[^"'\\ \t])+|["'\\]/g;
const LINE = /(?:"[^"]*"|'[^']*'|\\.|[^"'\\])+|["'\\]/g;
const QUOTED = /"([^"]*)"|'([^']*)'|\\(.)/g;

/** As `xargs` takes words apart without `-0` and `-d`; `null` when it would complain, or systems differ. */
function quotedItems(text: string, by: "blanks" | "lines"): readonly string[] | null {
  const items: string[] = [];
  for (const line of text.split("\n")) {
    // an end of a line in quotes, or after a backslash, is told apart by system
    const words = line.match(by === "lines" ? LINE : BLANKS) ?? [];
    for (const word of words) {
      // a quote that stays open, or white space that separates for some, and not for others
      if (/^["'\\]$|[\v\f\r]/.test(word)) return null;
      const kept = by === "lines" ? word.replace(/^[ \t]+/, "") : word;
      const item = kept.replace(QUOTED, (_, double?: string, single?: string, escaped?: string) => double ?? single ?? escaped ?? "");
      if (by === "lines" && kept !== "" && (item === "" || /\s$/.test(item))) return null;
      if (kept !== "") items.push(item);
    }
  }
  return items.length > MAX_ITEMS ? null : items;
}

interface Way {
  readonly mark: string | null;
  readonly batch: number;
}

/** The words of each call. */
function calls(command: readonly Word[], items: Items, { mark, batch }: Way): readonly (readonly Word[])[] {
  if (mark !== null) {
    if (!("known" in items)) return items.map((item) => command.map((word) => put(word, mark, knownWord(item))));
    return [command.map((word) => put(word, mark, items))];
  }
  if ("known" in items) return [[...command, items]];
  // without items some call it once all the same
  if (items.length === 0) return [command];
  if (!(batch >= 1)) return [[...command, ANYTHING]];
  const words = items.map(knownWord);
  return Array.from({ length: Math.ceil(words.length / batch) }, (_, at) => [...command, ...words.slice(at * batch, (at + 1) * batch)]);
}

/** The word with an item in the places of the mark; an unknown word may hold it too. */
function put(word: Word, mark: string, item: Word): Word {
  if (!word.known) return { known: false, raw: word.raw, single: word.single, prefix: "" };
  if (!word.value.includes(mark)) return word;
  if (item.known) return knownWord(word.value.split(mark).join(item.value));
  if (word.value === mark) return { ...item, single: true };
  return { known: false, raw: word.value, single: true, prefix: word.value.slice(0, word.value.indexOf(mark)) };
}
