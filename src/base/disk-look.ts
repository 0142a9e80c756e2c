import type { GitTracked } from "./git-tracked.ts";

/**
 * What may be asked about the disk to foresee a command, at the time of the question. Paths are absolute and may hold `..` and links. Never
 * throws for what the disk holds; what cannot be told, or may not be without a question, is `null` or `unknown`.
 */
export interface DiskLook {
  /** What a path leads to, links followed. A guarded name is a `file` without a look. */
  kind(path: string): Promise<"file" | "folder" | "other" | "none" | "unknown">;
  /** Names in a folder, without `.` and `..`, in any order; `null` when they cannot be listed, or are more than 10,000. */
  names(folder: string): Promise<readonly string[] | null>;
  /** The text of a file of at most 16 KiB of UTF-8; `null` for any other, and where that cannot be told. */
  text(path: string): Promise<string | null>;
  /** What stands out below a folder; looks at the nearest 20,000 names at most, a level at a time, and at 60,000 for all calls together. */
  tree(folder: string): Promise<TreeSurvey>;
  /** What of the files that the evidence guard takes for secrets the repository tracks that git finds from this folder; `null`: it cannot be told. */
  gitTracked(folder: string): Promise<GitTracked | null>;
}

/** What stands out below a folder. */
export interface TreeSurvey {
  /** False: there is more than was looked at, or a folder could not be read. */
  readonly complete: boolean;
  /** The same for who only reads: of folders that are guarded and hold no secrets it is enough to know the links. */
  readonly readComplete: boolean;
  /** True when all was looked at but for folders of files that are nobody's own, such as `node_modules`. */
  readonly ownComplete: boolean;
  /** What the evidence guard names, real paths, 20 at most. `folder`: with all that lies in it. */
  readonly guarded: readonly { readonly path: string; readonly folder: boolean }[];
  /** Links below the folder that lead out of it, 20 at most: their names, and the real paths that they lead to. */
  readonly linked: readonly { readonly name: string; readonly to: string }[];
  /** True when a name holds a blank, a quote, a backslash, a wildcard or a control character, so that a list of names cannot be split for certain. */
  readonly oddNames: boolean;
}
