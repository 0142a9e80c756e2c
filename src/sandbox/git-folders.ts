import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
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
  return folder === null ? [] : withCommonFolder(folder);
}

/**
 * Real paths of the git folders of a repository whose work tree is this very folder: `.git`, or where a `.git` file leads, and the common
 * one. `null`: there is no `.git`. `unknown`: there is one, and it leads nowhere or cannot be looked at. Never throws nor waits.
 */
export function gitFolderAt(folder: string): readonly string[] | "unknown" | null {
  const path = resolve(folder, ".git");
  const kind = kindOf(path);
  if (kind === "none") return null;
  if (kind === "folder") {
    const real = realFolder(path);
    return real === null ? "unknown" : withCommonFolder(real);
  }
  const led = kind === "file" ? gitFoldersOf(folder) : [];
  return led.length === 0 ? "unknown" : led;
}

function withCommonFolder(folder: string): readonly string[] {
  const common = pointer(resolve(folder, "commondir"), /^(.+)$/m);
  const shared = common === null ? null : realFolder(resolve(folder, common));
  return shared === null || shared === folder ? [folder] : [folder, shared];
}

function kindOf(path: string): "file" | "folder" | "none" | "other" {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return lstatSync(path, { throwIfNoEntry: false }) ? "other" : "none";
    return stat.isDirectory() ? "folder" : stat.isFile() ? "file" : "other";
  } catch {
    return "other";
  }
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
