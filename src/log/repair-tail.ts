import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { osFailure } from "./os-error.ts";
import { readSessionLog, type TornTail } from "./read-log.ts";
import { LOG_NAME } from "./session-log.ts";

/**
 * Cuts a torn last line off the log in `dir`, on disk, and gives what a `log_repaired` has to say; `null` when the log ends with a whole
 * line. Nobody else may write the session meanwhile. Corrupt lines in the middle stay as they are.
 * Kinds: not_found, log_read_failed, log_write_failed.
 */
export async function repairTail(dir: string): Promise<TornTail | null> {
  const events = readSessionLog(dir, { onCorrupt: () => {} });
  let step = await events.next();
  while (!step.done) step = await events.next();
  const { torn, size_bytes } = step.value;
  if (torn) await cut(join(dir, LOG_NAME), size_bytes);
  return torn;
}

async function cut(path: string, sizeBytes: number): Promise<void> {
  try {
    const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      await file.truncate(sizeBytes);
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw osFailure("log_write_failed", "cut a torn line off the log", { path, cause });
  }
}
