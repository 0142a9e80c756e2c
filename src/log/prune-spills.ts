import { lstatSync, utimesSync, writeFileSync } from "node:fs";
import { lstat, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { findFolder } from "./safe-folder.ts";
import { isSessionId } from "./state-dir.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Spills that are older go. */
const MAX_AGE_MS = 30 * DAY_MS;
/** What all together may take; a single command can leave 64 MiB. The oldest go first. */
const MAX_TOTAL_BYTES = 2 * 1024 ** 3;
/** Its modification time says when it was last done: a look at every session is not for every start. */
const MARK = "spills-pruned";

export interface PruneOptions {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Default 2 GiB. */
  readonly maxTotalBytes?: number;
}

/**
 * Removes spills of all workspaces that are older than 30 days, and of the rest the oldest until they take 2 GiB; once a day. Those of a
 * session whose log was written to within the last day are in use and stay. Never throws: what cannot be looked at or removed stays.
 */
export async function pruneSpills(stateDir: string, { nowMs, maxTotalBytes = MAX_TOTAL_BYTES }: PruneOptions): Promise<void> {
  try {
    // the mark is set before this returns its promise: what runs on behind a caller makes nothing
    if (!isDue(join(stateDir, MARK), nowMs)) return;
    const spills = await spillsIn(stateDir, nowMs);
    let total = spills.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { path, bytes, writtenMs, isInUse } of spills.sort((a, b) => a.writtenMs - b.writtenMs)) {
      if (isInUse || (nowMs - writtenMs <= MAX_AGE_MS && total <= maxTotalBytes)) continue;
      await unlink(path).catch(() => {});
      total -= bytes;
    }
  } catch {
    // a state folder that cannot be looked at is told by what needs it
  }
}

function isDue(mark: string, nowMs: number): boolean {
  const last = lstatSync(mark, { throwIfNoEntry: false });
  if (last !== undefined && Math.abs(nowMs - last.mtimeMs) < DAY_MS) return false;
  if (last === undefined) writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
  const now = new Date(nowMs);
  utimesSync(mark, now, now);
  return true;
}

interface SpillOnDisk {
  readonly path: string;
  readonly bytes: number;
  readonly writtenMs: number;
  readonly isInUse: boolean;
}

async function spillsIn(stateDir: string, nowMs: number): Promise<SpillOnDisk[]> {
  const found: SpillOnDisk[] = [];
  for (const key of await namesIn(findFolder(stateDir, ["workspaces"]))) {
    const sessions = /^[0-9a-f]{16}$/.test(key) ? findFolder(stateDir, ["workspaces", key, "sessions"]) : undefined;
    for (const id of (await namesIn(sessions)).filter(isSessionId)) {
      const dir = findFolder(stateDir, ["workspaces", key, "sessions", id, "spill"]);
      const names = await namesIn(dir);
      if (dir === undefined || names.length === 0) continue;
      const log = await lstat(join(dir, "..", "log.ndjson")).catch(() => null);
      const isInUse = log !== null && nowMs - log.mtimeMs < DAY_MS;
      for (const name of names) {
        const path = join(dir, name);
        const stat = await lstat(path).catch(() => null);
        if (stat?.isFile()) found.push({ path, bytes: stat.size, writtenMs: stat.mtimeMs, isInUse });
      }
    }
  }
  return found;
}

async function namesIn(folder: string | undefined): Promise<readonly string[]> {
  return folder === undefined ? [] : readdir(folder);
}
