/**
 * `git`, by its subcommands. Those that only read are `declared` on the condition of `quiet`: with the environment of GIT_QUIET, and in a
 * repository in whose settings `gitSettingThatRuns` finds nothing. A name that git has built in can be no alias; any other is `open`.
 */
import { type Doing, declared, type FileUse, type Invocation, open, type Program } from "../doing.ts";
import { seenFiles } from "../program.ts";
import { isSurelyNoOption, knownWord, type Word } from "../word.ts";
import { outputUses } from "./git-files.ts";
import { GIT_HISTORY } from "./git-history.ts";
import { GIT_LISTS } from "./git-lists.ts";
import { GIT_LOOK_UP } from "./git-look-up.ts";
import { GIT_NAMES } from "./git-names.ts";
import { GIT_WRITES } from "./git-writes.ts";
import type { Family } from "./table.ts";

const READS: Family = { ...GIT_HISTORY, ...GIT_LOOK_UP, ...GIT_LISTS };

/** Options before the subcommand that choose nothing but looks. */
const HARMLESS = /^(?:-P|--no-pager|--no-optional-locks|--no-replace-objects|--no-advice)$/;

/** Settings that may be given by `-c`: none of them names a program or a file. */
const HARMLESS_SETTING =
  /^(?:color\.[a-z.-]+|advice\.[a-z]+|column\.[a-z]+|core\.(?:quotepath|abbrev)|diff\.(?:noprefix|mnemonicprefix|renames|algorithm|context|wordregex)|log\.(?:date|decorate|abbrevcommit|follow)|user\.(?:name|email)|i18n\.logoutputencoding)=/i;

const PRINTS = /^(?:-v|--version|-h|--exec-path|--html-path|--man-path|--info-path)$/;

interface Start {
  /** The words of `-C`, in their order. */
  readonly folders: readonly Word[];
  readonly rest: readonly Word[];
  /** An option that can change anything. */
  readonly why: string | null;
}

const git: Program = ({ args, stdin }) => {
  const { folders, rest, why } = beforeSubcommand(args);
  const [subcommand, ...words] = rest;
  if (subcommand === undefined) return why === null ? declared() : open({ unknown: why });
  if (!subcommand.known) return open({ unknown: `the subcommand of git is only known when it runs: ${subcommand.raw}` });
  const name = subcommand.value;
  if (why === null && PRINTS.test(name) && words.length === 0) return declared();
  const invocation = { name, args: words, stdin };
  const read = rowOf(READS, name)?.(invocation) ?? open();
  const doing = read.sure === "declared" && why === null ? read : openDoing(read, invocation);
  return inFolder({ ...doing, unknown: doing.unknown ?? why }, folders);
};

export const GIT: Family = { git, ...GIT_NAMES };

/** What it does at least, when it may do more than its row as a read says. */
function openDoing(read: Doing, invocation: Invocation): Doing {
  const doing = rowOf(GIT_WRITES, invocation.name)?.(invocation) ?? open(read);
  const named = read.sure === "declared" ? read.files : [];
  return open({ ...doing, files: seenFiles([...doing.files, ...named, ...outputUses(invocation.args)]) });
}

function rowOf(family: Family, name: string): Program | undefined {
  return Object.hasOwn(family, name) ? family[name] : undefined;
}

/** The options before the subcommand; it ends at the first word that is none. */
function beforeSubcommand(args: readonly Word[]): Start {
  const folders: Word[] = [];
  let why: string | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (!word) break;
    if (!word.known || isSurelyNoOption(word) || PRINTS.test(word.value)) return { folders, why, rest: args.slice(at) };
    const next = args[at + 1];
    if (word.value === "-C" && next) {
      if (!next.known && !next.single) why ??= "the folder that git is told to work in may be several words";
      if (!next.known || next.value !== "") folders.push(next);
      at += 1;
    } else if (word.value === "-c" && next) {
      if (!next.known || !HARMLESS_SETTING.test(next.value)) why ??= "git is given settings that can run commands";
      at += 1;
    } else if (!HARMLESS.test(word.value)) {
      why ??= `\`${word.value}\` of git can change ${word.value.endsWith("-pathspecs") ? "which files it shows" : "what it runs"}`;
      if (/^--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source)$/.test(word.value)) at += 1;
    }
  }
  return { folders, why, rest: [] };
}

/** What a program does when it goes to folders first, one from the other. */
function inFolder(doing: Doing, folders: readonly Word[]): Doing {
  const folder = folders.reduce<Word | null>(below, null);
  if (folder === null) return doing;
  const files: FileUse[] = doing.files.map((file) => ({ ...file, path: below(folder, file.path) }));
  const runs = doing.runs.map((run) => ("words" in run ? { ...run, folder } : run));
  const scripts = doing.runs.some((run) => "script" in run) ? "it runs a script in another folder" : null;
  return { ...doing, quietIn: folders, files: [{ access: "read", path: folder }, ...files], runs, unknown: doing.unknown ?? scripts };
}

function below(folder: Word | null, path: Word): Word {
  if (folder === null) return path;
  if (path.known && (path.value === "" || path.value.startsWith("/"))) return path.value === "" ? folder : path;
  if (!folder.known) return { known: false, raw: folder.raw, single: true, prefix: folder.prefix };
  const join = (name: string): string => (name.startsWith("/") ? name : `${folder.value}/${name}`);
  if (path.known) return knownWord(join(path.value));
  return path.below
    ? { ...path, prefix: "", below: path.below.map(join) }
    : { ...path, prefix: path.prefix === "" ? "" : join(path.prefix) };
}
