import type { DiskLook } from "../base/disk-look.ts";

/** What the reader of scripts asks about the disk. */
export interface Look extends DiskLook {
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
  /** Known values of variables that commands get: HOME, PWD aside, such as USER or TMPDIR; `null` when the name is unset; absent: not known. */
  readonly variables: Readonly<Record<string, string | null>>;
}
