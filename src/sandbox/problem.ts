import { type Failure, fail } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";

/** Why a place cannot be read or written. Told only after the gate has let the place through. */
export interface Problem {
  readonly reason: keyof typeof WORDS;
  /** The system's own name for it (`EACCES`, `ENOSPC`), where it has one. */
  readonly code?: string;
  /** More for the details: `type`, `size_bytes`, `max_bytes`. */
  readonly more?: JsonObject;
  readonly cause?: unknown;
}

const WORDS = {
  invalid_path: "no file can have this name",
  name_too_long: "the path, or a name in it, is too long",
  not_a_directory: "a part of the path is no folder",
  is_directory: "it names a folder",
  not_regular: "it is no regular file",
  link_cycle: "its links lead nowhere",
  process_link: "it leads through a link of a running process, which is another file for each process",
  home_unknown: "that home folder is not known",
  no_permission: "no right",
  no_space: "no space left",
  read_only: "it is on a read-only file system",
  owner_would_change: "it belongs to another user or group, and that could not be kept",
  too_large: "it is too large",
  changed: "it was exchanged while it was being opened",
  moved: "the workspace is no longer where it was",
  closed: "it was closed before its end",
  io: "the system refused",
} as const;

/** The failure for a problem: `details` hold `path` as asked, `reason`, and `code` where there is one. */
export function problemFailure(kind: "read_failed" | "write_failed", asked: string, problem: Problem): Failure {
  const verb = kind === "read_failed" ? "read" : "write";
  const code = problem.code === undefined ? "" : ` (${problem.code})`;
  return fail(
    kind,
    `cannot ${verb} ${shownPath(asked)}: ${WORDS[problem.reason]}${code}`,
    { path: shownPath(asked), reason: problem.reason, code: problem.code, ...problem.more },
    { cause: problem.cause },
  );
}

/** @param reason `home`: a leading `~`. `outside`: it leads out of every root. `read_only_root`: a write where only reading is allowed. */
export function outsideFailure(asked: string, reason: "home" | "outside" | "read_only_root"): Failure {
  const words = {
    home: "a leading ~ is the home folder, which is outside the workspace; write ./~ for a file of that name",
    outside: "it leads outside the workspace",
    read_only_root: "that folder can only be read",
  };
  return fail("outside_workspace", `${shownPath(asked)}: ${words[reason]}`, { path: shownPath(asked), reason });
}

export function notFoundFailure(asked: string): Failure {
  return fail("not_found", `there is no ${shownPath(asked)}`, { path: shownPath(asked) });
}

/** @param now what is there: its hash, `null` for nothing, `undefined` where it could not be told. */
export function changedFailure(asked: string, before: string | null, now: string | null | undefined): Failure {
  return fail("changed_since_plan", `${shownPath(asked)} is no longer what the plan read; nothing was written`, {
    path: shownPath(asked),
    sha256_before: before,
    sha256_now: now,
  });
}

/** An asked path may be a megabyte of anything; an error must not be. */
function shownPath(asked: string): string {
  const short = asked.length > 1024 ? `${asked.slice(0, 1024)}…` : asked;
  return short.replace(/\p{Surrogate}/gu, "\uFFFD");
}
