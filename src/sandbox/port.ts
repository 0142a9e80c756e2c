import type { DiskLook } from "../base/disk-look.ts";
import type { FileVersion } from "../base/effect.ts";
import type { GitTracked } from "../base/git-tracked.ts";

export type { EvidenceEntry, EvidenceFolder, EvidencePort, EvidenceState } from "./evidence-port.ts";

/**
 * The port behind which files and processes live. Adapters translate errors of their system into kinds; nothing above does.
 *
 * Paths come in as a person writes them: absolute, relative to `access.cwd`, or with a leading `~` (the home folder, so always
 * `outside_workspace`). They come out absolute and real, links resolved. Every file method confines to the roots at the moment of the open.
 */

/** A place that was found by walking to it. */
export interface Location {
  /** Absolute and real: every link in it resolved. */
  readonly path: string;
  /** Guarded paths that are the same file by another name (same device and inode, more than one link). */
  readonly also?: readonly string[];
}

/**
 * Called with the real place after the walk and before anything is told about it: neither content nor type nor existence. Throws to
 * refuse, and then the method throws the same.
 */
export type Gate = (location: Location) => void | Promise<void>;

/** What every file method needs to know of who asks: where relative paths begin, and what may be touched. */
export interface Access {
  /** Real path that relative paths are taken from; inside a root. */
  readonly cwd: string;
  readonly gate: Gate;
}

/** What is at a place, without its content. */
export interface FileStat extends Location {
  readonly type: "file" | "directory" | "other";
  readonly size_bytes: number;
  /** Permission bits, such as 0o644. */
  readonly mode: number;
}

/** A whole file, and the version that its bytes are of. */
export interface FileContent extends Location {
  readonly bytes: Uint8Array;
  readonly version: FileVersion;
}

/** An open regular file, read in pieces; memory stays flat. `close` must be called and may be called twice. */
export interface FileStream extends Location {
  readonly size_bytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** One name in a folder; a link is told as a link, whatever it leads to. */
export interface DirectoryEntry {
  readonly name: string;
  readonly type: "file" | "directory" | "link" | "other";
}

/** One command to run: its words, place, limits, and who takes its output. */
export interface ExecRequest {
  /** Program and arguments, started without a shell. The program is looked up in the PATH for commands. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute path of the program to start; `argv[0]` is then only the name that it is called by. Default: looked up. */
  readonly file?: string;
  /**
   * `read_only`: where the system can, nothing is writable to it but `/dev/shm` (and `TMPDIR`, which is that), there is no network, and no
   * process but its own. `ExecEnd.confined_by` says whether.
   */
  readonly confine?: "read_only";
  /** Real path of a folder inside a root. */
  readonly cwd: string;
  /** Granted variables, on top of the table of variables that every command gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Wall-clock limit, counted from the start and never prolonged. */
  readonly timeoutMs: number;
  /** Output beyond this ends the command (`ended_by: "limit"`). */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  /**
   * Output bytes, both streams, in the order of their arrival. Reading waits for what it returns. Must not throw. The bytes are lent: their
   * buffer is used again once it has returned, or what it returned has settled.
   */
  readonly onOutput: (bytes: Uint8Array) => void | Promise<void>;
}

/** What confined a command: bubblewrap, namespaces made by `unshare`, or nothing. */
export type ConfinedBy = "bwrap" | "unshare" | null;

/** How a command ended. Exactly one of `exit_code` and `signal` is set, unless it was never started. */
export interface ExecEnd {
  /** `null` when a signal ended it. */
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly duration_ms: number;
  readonly ended_by: "exit" | "timeout" | "cancel" | "limit";
  /** How many processes the command had left behind when its first process exited; all of them were ended. */
  readonly left_running_ended: number;
  /**
   * Where `confine` was asked for, what confined it; a signal that ended it stands there as an exit code, 128 above its number. Absent: it was
   * not asked for, or the sandbox knows nothing of it.
   */
  readonly confined_by?: ConfinedBy;
}

/** Safe to use from several calls at once; keeps no state of a call. */
export interface SandboxPort {
  /** `local`, `memory`, … : said in results and logs. */
  readonly kind: string;
  /** Real path of the workspace, the first root. */
  readonly workspace: string;
  /** Permission bits of a file that did not exist before. */
  readonly newFileMode: number;
  /** False where there are none to start: `exec` is `bash_disabled`. */
  readonly processes: boolean;

  /** What is there; `null` when nothing is. Kinds: outside_workspace, read_failed. */
  stat(path: string, access: Access): Promise<FileStat | null>;
  /** A whole regular file. Kinds: outside_workspace, not_found, read_failed (no regular file, no right, larger than `maxBytes`, …). */
  read(path: string, access: Access & { readonly maxBytes: number }): Promise<FileContent>;
  /** A regular file in pieces. Kinds as `read`. */
  stream(path: string, access: Access): Promise<FileStream>;
  /** Hash, size and mode of the regular file there, of any size; `version: null` when nothing is there, its folders perhaps neither. */
  version(path: string, access: Access): Promise<Location & { readonly version: FileVersion | null }>;
  /** Entries of a folder, sorted by name in code-unit order. Kinds: outside_workspace, not_found, read_failed. */
  list(path: string, access: Access): Promise<Location & { readonly entries: readonly DirectoryEntry[] }>;
  /**
   * Where a path leads, inside the roots or outside, existing or not; links resolved as the system would. For the paths of commands:
   * it opens nothing and confines nothing. A path that cannot be resolved (a cycle of links) is `read_failed`. `through`: the links that
   * stood at the path's own place, one leading to the next, each in its real folder; absent when there was none.
   */
  resolve(path: string, options: { readonly cwd: string }): Promise<Location & { readonly through?: readonly string[] }>;

  /**
   * Puts `bytes` in place of the file in one step; a reader sees the old or the new content, never a part. Missing folders are made.
   * `before` is the hash that the file must still have, `null` when there must be none; else `changed_since_plan` and nothing is written.
   * Kinds: outside_workspace, changed_since_plan, write_failed. A link inside the roots is followed and stays.
   */
  write(
    path: string,
    bytes: Uint8Array,
    access: Access & { readonly before: string | null; readonly mode: number },
  ): Promise<Location & { readonly version: FileVersion }>;
  /** Removes a regular file that still has the hash `before`. Kinds as `write`, and not_found. */
  remove(path: string, access: Access & { readonly before: string }): Promise<Location>;

  /**
   * Runs a process until its end, its time limit, the abort of `signal` or the output limit, whichever is first, and then ends what is
   * left of it. All that was written until then has been handed to `onOutput` when this resolves, but for what is beyond the output limit.
   * Children that go on after the first process are heard until it is quiet for 100 ms, 2 s in all. Standard input is empty. Kinds: command_failed (not started), bash_disabled (no processes here).
   */
  exec(request: ExecRequest): Promise<ExecEnd>;
  /** What commands find here; absent where it cannot be told, and then no command counts as known. */
  readonly ground?: CommandGround;
}

/** What repositories say in their settings, as far as it can be told. */
export type GitSettings =
  | "no_repository"
  | "unknown"
  | readonly { readonly text: string; readonly of: "repository" | "inner_repository" }[];

/** Which files are looked out for. */
export interface WantedFiles {
  readonly isWanted: (path: string) => boolean;
  /** Files that may have another name by a hard link, under which they could be tracked: then it cannot be told what is. */
  readonly linkable: readonly string[];
  /** As long as this is the same object, `isWanted` says the same of a path. */
  readonly by: object;
}

/** What a command would find in the sandbox, at the time of the question. Looks only, and never throws for what the disk holds. */
export interface CommandGround {
  /** The file that a bare name means in the PATH for commands, and the links that lead to it (as `resolve`); `null`: there is none. */
  locate(name: string): Promise<(Location & { readonly through?: readonly string[] }) | null>;
  /**
   * The texts of the settings that git obeys in this folder: those of the repository which it finds from there, of its worktree and the
   * common folder, and of the repositories inside it, into which `git status` goes. `unknown`: they cannot be told.
   */
  gitSettings(folder: string): Promise<GitSettings>;
  /**
   * What the repository that git finds from this real folder tracks of the files that are wanted, by their places, with those of the
   * repositories inside it; `null` when there is none, or it cannot be told.
   */
  gitTracked(folder: string, wanted: WantedFiles): Promise<GitTracked | null>;
  /** Variables that every command gets, by name, but for PATH: none of them is a secret. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What a plan may look at to foresee a command: without a question, and without ending the plan. */
export interface Survey extends DiskLook {
  program(spelled: string, cwd: string): Promise<ProgramSurvey>;
  /** As `CommandGround.gitSettings`. */
  gitSettings(folder: string): Promise<GitSettings>;
  /** As `CommandGround.variables`; empty when they are not known. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Where a program's name or path leads. */
export interface ProgramSurvey {
  /**
   * `trusted`: to the file outside every root that the bare last name leads to as well. `workspace`: through a root or into it. `absent`:
   * nowhere. `other`: elsewhere, or it cannot be told.
   */
  readonly standing: "trusted" | "workspace" | "absent" | "other";
  /** The links on the way and the file, in real folders. */
  readonly places: readonly string[];
}

/** Above this a file is neither read whole nor edited. */
export const MAX_WHOLE_FILE_BYTES = 64 * 1024 * 1024;

/** What a tool's `plan` sees: read-only, confined, and gated by the guard and the read rules at each use. */
export interface ReadSandbox {
  readonly kind: string;
  readonly newFileMode: number;
  readonly processes: boolean;
  stat(path: string): Promise<FileStat | null>;
  /** At most 64 MiB. */
  read(path: string): Promise<FileContent>;
  /** As `read`, decoded as UTF-8 with a byte-order mark kept as U+FEFF; other bytes are `read_failed` with `reason: "not_utf8"`. */
  readText(path: string): Promise<FileContent & { readonly text: string }>;
  stream(path: string): Promise<FileStream>;
  version(path: string): Promise<Location & { readonly version: FileVersion | null }>;
  list(path: string): Promise<Location & { readonly entries: readonly DirectoryEntry[] }>;
  resolve(path: string, options?: { readonly cwd?: string }): Promise<Location>;
  /** The text with known secrets replaced: for what is shown in part, since a value that was cut is not known any more. */
  redact(text: string): string;
  readonly survey: Survey;
}

/**
 * What a tool's `execute` sees: it lets the effects of the plan through and refuses any other file effect. What it streams is for showing:
 * known secrets are redacted in it; `read` gives the bytes as they are.
 */
export interface Sandbox extends ReadSandbox {
  write(path: string, bytes: Uint8Array, options: { readonly before: string | null; readonly mode?: number }): Promise<FileVersion>;
  remove(path: string, options: { readonly before: string }): Promise<void>;
  exec(request: {
    readonly argv: readonly [string, ...string[]];
    /** Default: the call's `cwd`. */
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    /** As in `ExecRequest`: one of the places of the program that the plan names. */
    readonly file?: string;
    /**
     * What `file` leads to, and the hash of it, lower-case hex: anything else is not started, and is command_failed (`reason`:
     * `program_changed`). Looked at right before the start, whatever was planned.
     */
    readonly content?: { readonly file: string; readonly sha256: string };
    /** As in `ExecRequest`. */
    readonly confine?: "read_only";
    readonly timeoutMs: number;
  }): Promise<CommandRun>;
}

/** A finished command: its end, and its output redacted and cut to head and tail. */
export interface CommandRun extends ExecEnd {
  /** UTF-8; when cut, head and tail with the cut stated between them. */
  readonly output: string;
  readonly output_bytes: number;
  readonly output_lines: number;
  /** Path of the whole output (or its first 32 MiB) when it was cut; `read` can page it. */
  readonly spill: string | null;
}
