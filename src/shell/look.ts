import type { GitTracked } from "../base/git-tracked.ts";

/**
 * What the reader of scripts asks about the disk, at the time of the question. Paths go in absolute and may hold `..` and links. Nothing
 * may throw; what cannot be told is `null` or "unknown".
 */
export interface Look {
  /** What a path leads to, links followed. */
  kind(path: string): Promise<"file" | "folder" | "other" | "none" | "unknown">;
  /** Names in a folder, without `.` and `..`, in any order; `null` when they cannot be listed, or are more than 10,000. */
  names(folder: string): Promise<readonly string[] | null>;
  /** The text of a small file; `null` when it is none, or cannot be told. */
  text(path: string): Promise<string | null>;
  /** What stands out below a folder; looks at the nearest 20,000 names at most, a level at a time. */
  tree(folder: string): Promise<TreeLook>;
  /**
   * Where the system's PATH for commands, or a path, leads a program's name. `trusted`: to the file outside every root that a bare `base` name
   * also leads to. `workspace`: to a file that lies, or through a link that lies, in a root. `absent`: there is none. `other`: to a file
   * somewhere else, or it cannot be told.
   */
  program(spelled: string, cwd: string): Promise<"trusted" | "workspace" | "absent" | "other">;
  /**
   * What in the repository that git finds from this folder makes git run other programs, when the environment does not switch it off, such as
   * `diff.x.textconv`; `null` when there is nothing, or no repository.
   */
  gitRuns(folder: string): Promise<string | null>;
  /** What of the files that the evidence guard takes for secrets the repository tracks that git finds from this folder; `null`: it cannot be told. */
  gitTracked(folder: string): Promise<GitTracked | null>;
  /** Known values of variables that commands get: HOME, PWD aside, such as USER or TMPDIR; `null` when the name is unset; absent: not known. */
  readonly variables: Readonly<Record<string, string | null>>;
}

export interface TreeLook {
  /** False: there was more than was looked at, or a folder could not be read. */
  readonly complete: boolean;
  /** True when all was looked at but for folders of files that are nobody's own, such as `node_modules`. */
  readonly ownComplete: boolean;
  /** What the evidence guard names, real paths, 20 at most. `folder`: with all that lies in it. */
  readonly guarded: readonly { readonly path: string; readonly folder: boolean }[];
  /** Links below the folder that lead out of it, 20 at most: their names, and the real paths that they lead to. */
  readonly linked: readonly { readonly name: string; readonly to: string }[];
  /** True when a name holds a blank, a quote, a backslash, a wildcard or a control character, so that a list of names cannot be split for certain. */
  readonly oddNames: boolean;
}
