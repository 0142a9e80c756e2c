import { readFileSync, realpathSync } from "node:fs";
import { resolve } from "node:path";

/** A `.git` file and git's `commondir` hold one short line; anything longer is no such file. */
const MAX_POINTER_BYTES = 8192;

/**
 * Real paths of the folders that the `.git` *file* of a worktree or submodule leads to: its own git folder, and the common one that holds
 * hooks and configuration. Empty when `.git` is a folder or not there. Reads what git reads (gitrepository-layout), and never throws: a
 * pointer that leads nowhere guards nothing.
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
    const text = readFileSync(path, "utf8");
    return text.length > MAX_POINTER_BYTES ? null : (line.exec(text)?.[1]?.trim() ?? null);
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
