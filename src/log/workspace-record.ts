import { existsSync, lstatSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { osFailure } from "./os-error.ts";

/** `workspace.json`: which workspace a folder of the state belongs to, so that one that was moved can be found again. */
interface WorkspaceRecord {
  readonly v: 1;
  /** Real path. */
  readonly path: string;
  /** Decimal: both may be larger than a double holds. */
  readonly device: string;
  readonly inode: string;
  /** The folder at or above the workspace that holds `.git`; `null` when there is none. */
  readonly git_root: string | null;
}

/**
 * Writes the record unless it is there as it should be. The file is replaced in one step, so it does not matter who comes last.
 * Kind: `session_start_failed`, also when the workspace itself cannot be looked at.
 * @param unique a part of the temporary file's name that no other writer uses.
 */
export function recordWorkspace(folder: string, workspace: string, unique: string): void {
  const path = join(folder, "workspace.json");
  try {
    const { dev, ino } = statSync(workspace, { bigint: true });
    const record: WorkspaceRecord = { v: 1, path: workspace, device: `${dev}`, inode: `${ino}`, git_root: gitRootOf(workspace) };
    const text = `${JSON.stringify(record)}\n`;
    if (textOf(path) === text) return;
    const temporary = join(folder, `.workspace-${unique}`);
    try {
      writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
      renameSync(temporary, path);
    } catch (error) {
      removeIfThere(temporary);
      throw error;
    }
  } catch (cause) {
    throw osFailure("session_start_failed", "record the workspace", { path, cause });
  }
}

function gitRootOf(workspace: string): string | null {
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return null;
  }
}

function textOf(path: string): string | undefined {
  // never through a link, nor from what is no file: that could wait for ever
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // it was not made
  }
}
