import type { TrackedUse } from "./tracked-use.ts";
import type { UnknownWord, Word } from "./word.ts";

/**
 * What a program does when it is called with certain words: the answer of the table of programs. What is not listed it does not do, when
 * `sure` is `declared`; when it is `open` it may do more.
 */
export interface Doing {
  readonly sure: "declared" | "open";
  readonly files: readonly FileUse[];
  readonly network: readonly Address[];
  /** Commands that it is told to run; each is judged as if it stood in the script. */
  readonly runs: readonly Run[];
  /** Why nobody can say which commands it runs, or what it reaches: no rule allows that. `null`: it can be said. */
  readonly unknown: string | null;
  /** What its standard output holds, as far as the commands behind a pipe or in `$(…)` can rely on it. Absent: anything. */
  readonly prints?: Input;
  /** A file in which words stand that decide what it does: the row is called once more with its text, when that is known. */
  readonly asks?: Word;
  /** Switched off in the environment of the script, without which it would not be `declared`. */
  readonly quiet?: "git" | "git_without_hooks";
  /** What it shows of the files that its repository tracks. */
  readonly tracked?: TrackedUse;
  /** Where a quiet git begins to look for its repository, when that is not the folder in which it starts: the words of its `-C` in their order. */
  readonly quietIn?: readonly Word[];
}

/** One use of a file or folder by a program. */
export interface FileUse {
  /** `stat`: only its name, type, size, times, or that it is there; for a link the link's own unless the program follows it. */
  readonly access: "read" | "stat" | "write" | "delete";
  /** Relative to the folder in which the program starts, or absolute. An unknown word without `below` becomes an `unknown` effect. */
  readonly path: Word;
  /** The path, and all below it; with `stat` the names in all folders, without the content of files. */
  readonly tree?: true;
  /** With `tree`: what is put there, such as the source of `mv`; when that is one file, so is what is written. */
  readonly treeOf?: Word;
  /** With `tree`: links found on the way are followed, as by `grep -R`; without it they are told or left out. */
  readonly follows?: true;
  /** With `tree`: only files whose name matches one of these wildcards of `*` and `?` are read, as with `--include` of `grep`. */
  readonly only?: readonly string[];
  /** With `tree`, without `follows`: what is surely passed over below it. */
  readonly except?: LeftOut;
  /** For a target such as that of `cp`: when `path` is a folder that exists, the file of this name in it is meant. */
  readonly into?: string;
}

/** What a program that reads a folder leaves out. */
export interface LeftOut {
  /** Wildcards of `*` for names of files. */
  readonly files?: readonly string[];
  /** Wildcards of `*` for names of folders, with all that lies in them. */
  readonly folders?: readonly string[];
  /** Names that begin with a dot, folders with all that lies in them: `always`, or unless a file such as `.gitignore` says otherwise. */
  readonly hidden?: "always" | "unless_shown";
}

/** A connection: host and port as a rule would name them. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A command that a program is told to run. */
export type Run = RunWords | RunScript;

/** Words that are started as one simple command, without a shell. */
export interface RunWords {
  readonly words: readonly Word[];
  /** Where it starts, relative to the program's own folder; absent: there. */
  readonly folder?: Word;
  /** Its standard input; absent: that of the program. */
  readonly stdin?: Input;
  /** Variables that it gets, by name; their values may change what runs. */
  readonly assigns?: readonly string[];
}

/** Text that a shell runs. */
export interface RunScript {
  readonly script: Word;
  /** What `$0`, `$1` … are in it. */
  readonly positional?: readonly Word[];
  /** Which shell reads it. Absent: any `sh`, and then what bash and others read in different ways is not understood. */
  readonly shell?: "bash";
  /**
   * True: the shell may read it in another way, or has read other files before. What it does then is looked at as far as it is understood, and
   * none of it counts as all that it does; the caller says that it is unknown.
   */
  readonly roughly?: true;
}

/** What can be read from a standard input. */
export type Input =
  | { readonly kind: "empty" }
  /** Exactly this text; `part`: some of its lines, in their order, since others may have read before. Programs are not given that. */
  | { readonly kind: "text"; readonly text: string; readonly part?: true }
  | Paths
  /** `numbers`: nothing but decimal numbers and white space. */
  | { readonly kind: "unknown"; readonly numbers?: true };

/** Paths as in `UnknownWord`, each ended by this character. A name may hold any other character. */
export interface Paths extends Pick<UnknownWord, "only" | "regular"> {
  readonly kind: "paths";
  readonly below: readonly string[];
  readonly end: "\n" | "\0";
  /** Put there by the evaluator, which has looked: no name holds a blank, a quote, a backslash or a line break. */
  readonly plain?: true;
  /** Some of them, since others may have read before. Programs are not given that. */
  readonly part?: true;
}

/** One call of a program. */
export interface Invocation {
  /** The name by which the table knows it, such as `grep`: the last name of the path that was written. */
  readonly name: string;
  /** The words after it. */
  readonly args: readonly Word[];
  readonly stdin: Input;
  /** The text of the file that the row asked for. */
  readonly told?: Input;
}

/** A row of the table of programs. Pure; never throws for any words. */
export type Program = (invocation: Invocation) => Doing;

const NOTHING = { files: [], network: [], runs: [], unknown: null } as const;

/** A program that does only what is listed. */
export function declared(doing: Partial<Omit<Doing, "sure">> = {}): Doing {
  return { ...NOTHING, ...doing, sure: "declared" };
}

/** A program that may do anything, and does at least what is listed. */
export function open(doing: Partial<Omit<Doing, "sure">> = {}): Doing {
  return { ...NOTHING, ...doing, sure: "open" };
}
