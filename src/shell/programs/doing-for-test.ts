import type { Doing, Input, LeftOut, Run } from "../doing.ts";
import { knownWord, type UnknownWord, type Word } from "../word.ts";
import type { Family } from "./table.ts";

/** For tests only: `$x` is one word of which nothing is known, `$*` any number of them, `a/**` paths below `a`, `it$x` a word that begins so. */
export function wordForTest(text: string): Word {
  const unknown: UnknownWord = { known: false, raw: text, single: true, prefix: "" };
  if (text === "$*") return { ...unknown, single: false };
  if (text.endsWith("/**")) return { ...unknown, single: false, prefix: text.slice(0, -3), below: [text.slice(0, -3)] };
  if (text.endsWith("$x")) return { ...unknown, prefix: text.slice(0, -2) };
  return knownWord(text);
}

/** For tests only: what a program of a family does, called with words. */
export function callForTest(family: Family, words: readonly string[], stdin: Input = { kind: "unknown" }): Doing {
  const [name = "", ...args] = words;
  const program = family[name];
  if (!program) throw new Error(`the family has no ${name}`);
  return program({ name, args: args.map(wordForTest), stdin });
}

/**
 * For tests only: the same as one line, the whole of it. `read a`, `names a/**` (`stat` of a tree), `write d>n` (`into`), `tree!` when links are
 * followed, `of *.ts` (`only`), `but *.env dir/ .always` (`except`); `run …`, `net host:port`, `unknown`, `prints …` behind.
 */
export function doingForTest(family: Family, script: string, stdin?: Input): string {
  return showDoing(callForTest(family, script === "" ? [] : script.split(" "), stdin));
}

export function showDoing({ sure, files, network, runs, unknown, prints }: Doing): string {
  const parts = [
    ...files.map(({ access, path, tree, follows, into, only, except }) => {
      const below = tree ? (follows ? "/**!" : "/**") : "";
      return `${access} ${showWord(path)}${below}${into === undefined ? "" : `>${into}`}${only ? ` of ${only.join(" ")}` : ""}${except ? showLeftOut(except) : ""}`;
    }),
    ...network.map(({ host, port }) => `net ${host}:${port}`),
    ...runs.map(showRun),
    ...(unknown === null ? [] : ["unknown"]),
    ...(prints === undefined ? [] : [`prints ${showInput(prints)}`]),
  ];
  return parts.length === 0 ? sure : `${sure}: ${parts.join(", ")}`;
}

function showLeftOut({ files = [], folders = [], hidden }: LeftOut): string {
  const names = [...files, ...folders.map((name) => `${name}/`), ...(hidden ? [`.${hidden}`] : [])];
  return names.length === 0 ? "" : ` but ${names.join(" ")}`;
}

function showRun(run: Run): string {
  if ("script" in run) return `run sh ${showWord(run.script)}`;
  return `run ${run.words.map(showWord).join(" ")}${run.folder ? ` in ${showWord(run.folder)}` : ""}`;
}

function showInput(input: Input): string {
  if (input.kind === "text") return JSON.stringify(input.text);
  if (input.kind === "unknown" && input.numbers) return "numbers";
  return input.kind === "paths" ? `<${input.below.join(" ")}${showFacts(input)}>${input.end === "\0" ? "0" : ""}` : input.kind;
}

function showWord(word: Word): string {
  if (word.known) return word.value;
  if (word.below) return `<${word.below.join(" ")}${showFacts(word)}>${word.single ? "" : "*"}`;
  return `${word.prefix}?${word.single ? "" : "*"}`;
}

function showFacts({ only, regular }: Pick<UnknownWord, "only" | "regular">): string {
  return `${only ? ` of ${only.join(" ")}` : ""}${regular ? " regular" : ""}`;
}
