import { closeSync, constants, linkSync, openSync, renameSync, unlinkSync } from "node:fs";
import { osCode } from "./os-error.ts";

/** Opened for a file that must not exist yet, and is not reached through a link. */
export const NEW_ONLY = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** What `link` says where a file system has no hard links, or none more for this file. */
const NO_HARD_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]);

/**
 * Gives a finished temporary file its name, in one step and only if nothing has that name; the temporary name is gone then. Throws what the
 * system says, `EEXIST` when the name is taken.
 */
export function publishNew(temporary: string, final: string): void {
  try {
    linkSync(temporary, final);
  } catch (error) {
    if (!NO_HARD_LINKS.has(osCode(error))) throw error;
    publishByRename(temporary, final);
    return;
  }
  quietly(() => unlinkSync(temporary));
}

/** As `publishNew`, without hard links: an empty file made exclusively holds the name until the rename. */
export function publishByRename(temporary: string, final: string): void {
  closeSync(openSync(final, NEW_ONLY, 0o600));
  try {
    renameSync(temporary, final);
  } catch (error) {
    quietly(() => unlinkSync(final));
    throw error;
  }
}

/** Runs a step of tidying up, whose failure must not hide what happened. */
export function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // what is left is a temporary file or an empty folder
  }
}
