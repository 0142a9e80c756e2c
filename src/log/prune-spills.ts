import { lstatSync, lutimesSync, writeFileSync } from "node:fs";
import { lstat, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { findFolder } from "./safe-folder.ts";
import { isSessionId } from "./state-dir.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Spills that are older go. */
const MAX_AGE_MS = 30 * DAY_MS;
/** What all together may take; a single command can leave 64 MiB. The oldest go first. */
const MAX_TOTAL_BYTES = 2 * 1024 ** 3;
/** When a look that was given up is due again: not at each start, as it costs the end of each a wait. */
const AGAIN_MS = 60 * 60 * 1000;
/** Its modification time says when it was last done: a look at every session is not for every start. */
const MARK = "spills-pruned";

export interface PruneOptions {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Default 2 GiB. */
  readonly maxTotalBytes?: number;
  /** Gives it up, which is seen soon, and has it due again in an hour. Default: never. */
  readonly signal?: AbortSignal;
}

/**
 * Removes spills of all workspaces that are older than 30 days, and of the rest the oldest until they take 2 GiB; once a day, counted from
 * when it was last done to the end. Those of a session whose log was written to within the last day are in use and stay. Never throws:
 * what cannot be looked at or removed stays.
 */
export async function pruneSpills(
  stateDir: string,
  { nowMs, maxTotalBytes = MAX_TOTAL_BYTES, signal = new AbortController().signal }: PruneOptions,
): Promise<void> {
  try {
    const mark = join(stateDir, MARK);
    if (!isDue(mark, nowMs)) return;
    const young: SpillOnDisk[] = [];
    for await (const spill of spillsIn(stateDir, { nowMs, signal })) {
      // at once, so that what is ended early each time gets on all the same
      if (!spill.isInUse && nowMs - spill.writtenMs > MAX_AGE_MS) await unlink(spill.path).catch(() => {});
      else young.push(spill);
    }
    if (signal.aborted) return setMark(mark, nowMs - DAY_MS + AGAIN_MS);
    let total = young.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { path, bytes, isInUse } of young.sort((a, b) => a.writtenMs - b.writtenMs)) {
      if (total <= maxTotalBytes) break;
      if (isInUse) continue;
      if (signal.aborted) return setMark(mark, nowMs - DAY_MS + AGAIN_MS);
      await unlink(path).catch(() => {});
      total -= bytes;
    }
    setMark(mark, nowMs);
  } catch {
    // a state folder that cannot be looked at is told by what needs it
  }
}

function isDue(mark: string, nowMs: number): boolean {
  const last = lstatSync(mark, { throwIfNoEntry: false });
  return last === undefined || Math.abs(nowMs - last.mtimeMs) >= DAY_MS;
}

function setMark(mark: string, atMs: number): void {
  if (lstatSync(mark, { throwIfNoEntry: false }) === undefined) writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
  const at = new Date(atMs);
  lutimesSync(mark, at, at);
}

interface SpillOnDisk {
  readonly path: string;
  readonly bytes: number;
  readonly writtenMs: number;
  readonly isInUse: boolean;
}

async function* spillsIn(
  stateDir: string,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): AsyncGenerator<SpillOnDisk> {
  for (const key of await namesIn(folderAt(stateDir, ["workspaces"]))) {
    const sessions = /^[0-9a-f]{16}$/.test(key) ? folderAt(stateDir, ["workspaces", key, "sessions"]) : undefined;
    for (const id of (await namesIn(sessions)).filter(isSessionId)) {
      if (signal.aborted) return;
      // the folders above were looked at; there may be very many sessions
      const dir = sessions && folderAt(sessions, [id, "spill"]);
      const names = await namesIn(dir);
      if (dir === undefined || names.length === 0) continue;
      const log = await lstat(join(dir, "..", "log.ndjson")).catch(() => null);
      const isInUse = log !== null && nowMs - log.mtimeMs < DAY_MS;
      for (const name of names) {
        const path = join(dir, name);
        const stat = await lstat(path).catch(() => null);
        if (stat?.isFile()) yield { path, bytes: stat.size, writtenMs: stat.mtimeMs, isInUse };
      }
    }
  }
}

/** `undefined` also for one that is not safe to go into: one such must not keep the others. */
function folderAt(stateDir: string, parts: readonly string[]): string | undefined {
  try {
    return findFolder(stateDir, parts);
  } catch {
    return undefined;
  }
}

async function namesIn(folder: string | undefined): Promise<readonly string[]> {
  return folder === undefined ? [] : readdir(folder).catch(() => []);
}
