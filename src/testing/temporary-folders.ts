import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A workspace and a folder beside it, both empty, below the temporary folder; real paths. */
export interface TemporaryFolders {
  readonly base: string;
  readonly workspace: string;
  readonly outside: string;
  /** Removes them and all that is in them. */
  close(): void;
}

/** @param parent folder in which they are made; default: the system's temporary folder. */
export function temporaryFolders(parent = tmpdir()): TemporaryFolders {
  const base = realpathSync(mkdtempSync(join(parent, "collet-")));
  const folders = { base, workspace: join(base, "work"), outside: join(base, "outside") };
  mkdirSync(folders.workspace);
  mkdirSync(folders.outside);
  return { ...folders, close: () => rmSync(base, { recursive: true, force: true }) };
}
