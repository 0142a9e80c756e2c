import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { resolve } from "node:path";

/** A `.git` file and git's `commondir` hold one short line; of anything longer no more is read. */
const MAX_POINTER_BYTES = 8192;

/**
 * Real paths of the folders that the `.git` *file* of a worktree or submodule leads to: its own git folder, and the common one that holds
 * hooks and configuration. Empty when `.git` is a folder or not there. Reads what git reads (gitrepository-layout), and never throws nor
 * waits: a pointer that leads nowhere guards nothing.
 */
export function gitFoldersOf(workspace: string): readonly string[] {
  const own = pointer(resolve(workspace, ".git"), /^gitdir: (.+)$/m);
  if (own === null) return [];
  const folder = realFolder(resolve(workspace, own));
  if (folder === null) return [];
  const common = pointer(resolve(folder, "commondir"), /^(.+)$/m);
  const shared = common === null ? null : realFolder(resolve(folder, common));
  return shared === null || shared === folder ? [folder] : [folder, shared];
}

function pointer(path: string, line: RegExp): string | null {
  try {
    // a pipe must not be waited for, nor a device read
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(fd).isFile()) return null;
      const buffer = Buffer.alloc(MAX_POINTER_BYTES);
      return line.exec(buffer.toString("utf8", 0, readSync(fd, buffer, 0, buffer.length, 0)))?.[1]?.trim() ?? null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

function realFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
