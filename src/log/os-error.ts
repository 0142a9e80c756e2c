import { type Failure, fail, isFailure } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import type { Kind } from "../base/kinds.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "no_space",
  EDQUOT: "no_space",
  EFBIG: "file_too_large",
  EROFS: "read_only_file_system",
  EACCES: "no_right",
  EPERM: "no_right",
  ENOENT: "gone",
  EBADF: "closed",
  EIO: "disk_error",
  ENOTDIR: "non_directory_component",
  ELOOP: "symlink_component",
  ENAMETOOLONG: "name_too_long",
  EMFILE: "too_many_open_files",
  ENFILE: "too_many_open_files",
};

/** The code of an error of the operating system (`ENOSPC`); `undefined` for any other error. */
export function osCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

interface OsProblem {
  readonly path: string;
  /** The error that was caught. */
  readonly cause: unknown;
  readonly details?: JsonObject;
}

/**
 * Translates an error of the operating system at the log's own files. `details.reason` is a word of the table above, else `os_error`;
 * `details.code` is the system's. A failure that was translated before is passed on as it is.
 * @param what what could not be done, as the message says it: `write the log`.
 */
export function osFailure(kind: Kind, what: string, { path, cause, details }: OsProblem): Failure {
  if (isFailure(cause)) return cause;
  const code = osCode(cause);
  const reason = (code && REASONS[code]) ?? "os_error";
  const why = cause instanceof Error ? cause.message : String(cause);
  return fail(kind, `cannot ${what}: ${why}`, { reason, path, ...(code && { code }), ...details }, { cause });
}
