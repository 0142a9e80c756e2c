import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type ConfigProblem, configFailure } from "../base/located-json.ts";
import { syncFolder } from "./append-file.ts";
import { osCode, osFailure } from "./os-error.ts";
import { findFolder, makeFolders } from "./safe-folder.ts";
import { workspaceParts } from "./state-dir.ts";

/** Larger than what any person says yes to. */
const MAX_BYTES = 1024 * 1024;

/** A small file that is kept beside the sessions of a workspace: approvals, trust. */
export interface WorkspaceFile {
  readonly stateDir: string;
  /** Real path. */
  readonly workspace: string;
  readonly name: string;
}

/** Where the file lies, whether it is there or not. */
export function workspaceFilePath({ stateDir, workspace, name }: WorkspaceFile): string {
  return join(stateDir, ...workspaceParts(workspace), name);
}

/**
 * The text of the file; `null` when there is none. Kinds: `unsafe_state_path`, `log_read_failed`, and `invalid_config` for what is no file
 * of this user's own, or cannot be read as one.
 */
export function readWorkspaceFile(file: WorkspaceFile): string | null {
  if (!findFolder(file.stateDir, workspaceParts(file.workspace))) return null;
  const path = workspaceFilePath(file);
  const fd = openOwn(path);
  if (fd === null) return null;
  try {
    return contentOf(fd, path);
  } finally {
    closeSync(fd);
  }
}

/** Never through a link, and never waiting for what is no file. */
function openOwn(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const code = osCode(cause);
    if (code === "ENOENT") return null;
    if (code === "ELOOP" || code === "EMLINK") throw unusable(path, "symlink", "it is a link; Collet keeps a plain file there");
    throw unusable(path, "unreadable", `it cannot be read (${code ?? "unknown error"})`);
  }
}

function contentOf(fd: number, path: string): string {
  const stat = fstatSync(fd);
  checkOwn(stat, path);
  if (stat.size > MAX_BYTES) throw unusable(path, "too_large", `it is larger than ${MAX_BYTES} bytes`);
  const bytes = Buffer.alloc(stat.size + 1);
  let size = 0;
  for (let count = -1; count !== 0 && size < bytes.length; size += count) count = readSync(fd, bytes, size, bytes.length - size, null);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, size));
  } catch {
    throw unusable(path, "not_utf8", "it is no UTF-8 text");
  }
}

function checkOwn(stat: Stats, path: string): void {
  const uid = process.getuid?.();
  if (!stat.isFile()) throw unusable(path, "not_a_file", "it is no regular file");
  if (uid !== undefined && stat.uid !== uid) throw unusable(path, "wrong_owner", "it belongs to another user");
  if (uid !== undefined && (stat.mode & 0o022) !== 0)
    throw unusable(path, "writable_by_others", `others may write it; chmod 600 '${path}'`);
}

function unusable(path: string, reason: string, why: string) {
  const problem: ConfigProblem = { path, reason };
  return configFailure(problem, why);
}

/**
 * Puts the text in place of the file in one step, mode 0600, on the disk when this returns. Folders that are missing are made. Kinds: those of
 * the state folder, and `log_write_failed`.
 * @param unique a part of the temporary file's name that no other writer uses.
 */
export async function writeWorkspaceFile(file: WorkspaceFile, text: string, unique: string): Promise<void> {
  const folder = makeFolders(file.stateDir, workspaceParts(file.workspace));
  const path = join(folder.path, file.name);
  const temporary = join(folder.path, `.${file.name}-${unique}`);
  let isMade = false;
  try {
    const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    isMade = true;
    try {
      // whatever the umask took away
      fchmodSync(fd, 0o600);
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
    for (const changed of new Set([dirname(path), ...folder.changed])) await syncFolder(changed);
  } catch (cause) {
    if (isMade) removeIfThere(temporary);
    throw osFailure("log_write_failed", `write ${file.name}`, { path, cause });
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // it stands in its place already
  }
}
