/**
 * `find`: its own grammar of folders to start in, then predicates. It prints paths, runs commands (`-exec` …), deletes and writes lists. A word
 * whose value is not known could be any predicate, and so is certain only as the value of one.
 */
import { type Doing, declared, type FileUse, open, type Program, type Run } from "../doing.ts";
import { fileUses } from "../program.ts";
import { knownWord, unknownWord, type Word } from "../word.ts";
import { eitherOf, type Facts, findFacts, type Term } from "./find-facts.ts";
import { pathsBelow } from "./lines.ts";

const PLAIN = new Set(
  (
    "-empty -executable -readable -writable -nouser -nogroup -true -false -daystart -depth -d -ignore_readdir_race -noignore_readdir_race -mount " +
    "-xdev -x -noleaf -warn -nowarn -print -print0 -prune -quit -ls -not -a -and -o -or ! ( ) , -follow -help --help -version --version"
  ).split(" "),
);

const WITH_TEXT = new Set(
  (
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -size -perm -user -group -uid -gid " +
    "-links -inum -mtime -atime -ctime -mmin -amin -cmin -used -maxdepth -mindepth -fstype -context -printf -Btime -Bmin -newermt -newerct " +
    "-newerat -newerBt"
  ).split(" "),
);

const WITH_FILE = /^-(?:newer|anewer|cnewer|samefile|newer[aBcm][aBcm])$/;
const WRITING = new Set(["-fprint", "-fprint0", "-fls", "-fprintf"]);
const RUNNING = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

export const find: Program = ({ args }): Doing => {
  const starts = startsOf(args);
  if (!starts) return open();
  const { folders, follows, rest } = starts;
  const isShallow = maxDepths(rest).length === 1 && /^0*[01]$/.test(maxDepths(rest)[0] ?? "");
  const files: FileUse[] = folders.flatMap((path): readonly FileUse[] =>
    isShallow ? [{ access: "stat", path }] : fileUses("names", path),
  );
  const terms: Term[] = [];
  const running: { readonly command: Command; readonly name: string; readonly action: number }[] = [];
  const printing: number[] = [];
  const printed = new Set<string>();
  let mayFollow = follows === "all";
  for (let at = 0; at < rest.length; at += 1) {
    const name = textOf(rest[at]);
    const value = rest[at + 1];
    if (PLAIN.has(name)) {
      if (name === "-follow") mayFollow = true;
      if (/^-(?:print0?|ls)$|help$|version$/.test(name)) printed.add(name);
      if (/^-print0?$/.test(name)) printing.push(at);
      terms.push({ name, action: at });
    } else if (name === "-delete") {
      files.push(...folders.flatMap((path) => fileUses("delete_tree", path)));
      terms.push({ name });
    } else if (RUNNING.has(name)) {
      const command = commandAt(rest, at + 1);
      if (!command) return open({ unknown: "nobody can say where the command ends that `find` is told to run" });
      running.push({ command, name, action: at });
      terms.push({ name, action: at });
      printed.add(name);
      at = command.end;
    } else {
      if (!value || (!value.known && !value.single)) return open();
      if (WRITING.has(name)) files.push({ access: "write", path: value });
      else if (WITH_FILE.test(name)) files.push({ access: "stat", path: value });
      else if (!WITH_TEXT.has(name)) return open();
      if (name === "-printf") {
        printed.add(/^%p\\[n0]$/.test(textOf(value)) ? (textOf(value) === "%p\\n" ? "-print" : "-print0") : "-printf");
        printing.push(at);
      }
      terms.push({ name, value, action: at });
      at += name === "-fprintf" ? 2 : 1;
      if (at >= rest.length) return open();
    }
  }
  const facts = findFacts(terms);
  // a path may lead through a link whose name matches nothing; links in the place of a folder are followed by -H
  const certain = ({ only, regular }: Facts = {}): Facts => ({
    ...(only && !mayFollow ? { only } : {}),
    ...(regular && !mayFollow && follows === "none" ? { regular } : {}),
  });
  const runs = running.map(({ command, name, action }) =>
    runFor(command.words, { name, folders, isBatch: command.isBatch, facts: certain(facts.actions.get(action)) }),
  );
  const all = mayFollow ? files.map((use) => (use.tree ? { ...use, follows: true as const } : use)) : files;
  const [only = "-print"] = printed;
  const prints = printed.size > 1 || !/^-print0?$/.test(only) ? undefined : pathsBelow(folders, only === "-print0" ? "\0" : "\n");
  const isSilent = printed.size === 0 && rest.some((word) => textOf(word) === "-delete" || WRITING.has(textOf(word)));
  const factsPrinted = printing.map((action) => facts.actions.get(action) ?? {});
  const shown = certain(factsPrinted.length === 0 ? facts.whole : factsPrinted.reduce(eitherOf));
  return declared({ files: all, runs, ...(prints && !isSilent ? { prints: { ...prints, ...shown } } : {}) });
};

/** The words behind each `-maxdepth`, which holds wherever it stands; a word that is not known counts as any. */
function maxDepths(rest: readonly Word[]): readonly string[] {
  return rest.flatMap((word, at) => (textOf(word) === "-maxdepth" || !word.known ? [textOf(rest[at + 1])] : []));
}

interface Starts {
  readonly folders: readonly Word[];
  /** Links that it follows by options before the folders; `starts`: those among the folders. */
  readonly follows: "none" | "starts" | "all";
  readonly rest: readonly Word[];
}

/** Options before the folders, the folders, and what follows; `null` when a word may be a folder or a predicate. */
function startsOf(args: readonly Word[]): Starts | null {
  let at = 0;
  let follows: Starts["follows"] = "none";
  for (; /^-(?:[HLPEsX]+|O\d|D)$/.test(textOf(args[at])); at += 1) {
    // -X leaves out names that `xargs` would split, -E and -s change the patterns and the order
    if (textOf(args[at]) === "-D") at += 1;
    else if (/^-[^O]*L/.test(textOf(args[at]))) follows = "all";
    else if (/^-[^O]*H/.test(textOf(args[at])) && follows === "none") follows = "starts";
  }
  const folders: Word[] = [];
  for (let word = args[at]; word; word = args[at]) {
    if (word.known ? /^[-!(),]/.test(word.value) : !isSurelyFolder(word)) break;
    folders.push(word);
    at += 1;
  }
  const next = args[at];
  if (next && !next.known) return null;
  return { folders: folders.length > 0 ? folders : [knownWord(".")], follows, rest: args.slice(at) };
}

function isSurelyFolder(word: Exclude<Word, { known: true }>): boolean {
  const begins = word.below?.every((path) => path !== "") ? word.below : word.single || word.below ? [word.prefix] : [""];
  return begins.every((text) => /^[^-!(),+]/.test(text));
}

interface Command {
  readonly words: readonly Word[];
  readonly isBatch: boolean;
  /** Where its `;` or `+` stands. */
  readonly end: number;
}

/** `null` when it has no end, or an unknown word in it may be one. */
function commandAt(rest: readonly Word[], from: number): Command | null {
  for (let at = from; at < rest.length; at += 1) {
    const word = rest[at];
    const text = textOf(word);
    if (text === ";" || (text === "+" && textOf(rest[at - 1]) === "{}" && at - 1 > from)) {
      return at === from ? null : { words: rest.slice(from, at), isBatch: text === "+", end: at };
    }
    // `;` and `+` end it, and what stands behind them is read as predicates
    if (word && !word.known && !(/^[^;+]/.test(word.prefix) || word.below?.every((path) => /^[^;+]/.test(path)))) return null;
  }
  return null;
}

interface RunContext {
  readonly name: string;
  readonly folders: readonly Word[];
  readonly isBatch: boolean;
  /** What is certain of the paths. */
  readonly facts: Facts;
}

/** The command with what `find` puts for `{}`, which stands anywhere in a word. */
function runFor(words: readonly Word[], { name, folders, isBatch, facts }: RunContext): Run {
  const found = pathsBelow(folders, "\0");
  const below = found?.kind === "paths" ? found.below : undefined;
  const inFolder = name.endsWith("dir");
  const put = words.map((word): Word => {
    const text = word.known ? word.value : word.prefix;
    if (word.known && !text.includes("{}")) return word;
    // some versions put the bare name, which may begin with anything, before which others put `./`
    if (word.known && text === "{}") {
      return unknownWord(
        "{}",
        inFolder || !below ? { single: !isBatch } : { single: !isBatch, nonEmpty: true, prefix: commonStart(below), below, ...facts },
      );
    }
    if (word.known) return unknownWord(text, { single: true, prefix: text.slice(0, text.indexOf("{}")) });
    return word.raw.includes("{}") ? unknownWord(word.raw, { single: word.single }) : word;
  });
  if (!inFolder) return { words: put };
  return {
    words: put,
    folder: unknownWord(
      "the folder of what is found",
      below ? { single: true, nonEmpty: true, prefix: commonStart(below), below } : { single: true },
    ),
  };
}

/** What all of them begin with. */
function commonStart([first = "", ...others]: readonly string[]): string {
  let length = first.length;
  while (others.some((path) => !path.startsWith(first.slice(0, length)))) length -= 1;
  return first.slice(0, length);
}

function textOf(word: Word | undefined): string {
  return word?.known ? word.value : "";
}
