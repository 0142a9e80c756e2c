import { existsSync, lstatSync, mkdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { type Failure, fail } from "../base/fail.ts";
import { osCode, osFailure } from "./os-error.ts";

/** A folder that was walked to, and the folders that got a new entry on the way: these have to be synced for the new ones to last. */
export interface MadeFolder {
  readonly path: string;
  readonly changed: readonly string[];
}

/**
 * Walks from the state folder down `parts`, makes what is missing with mode 0700, and checks every component: a real folder, ours, and
 * closed to others. Safe when several processes do it at once. What is above the state folder is the user's matter.
 * Kinds: `unsafe_state_path` (reason, component, next_actions), `session_start_failed` (it cannot be made).
 */
export function makeFolders(stateDir: string, parts: readonly string[]): MadeFolder {
  const changed: string[] = [];
  if (makeWithParents(stateDir)) changed.push(dirname(stateDir));
  let path = checkFolder(stateDir);
  for (const part of parts) {
    const below = join(path, part);
    if (makeOne(below)) changed.push(path);
    path = checkFolder(below);
  }
  return { path, changed };
}

/** Makes one folder that must not be there yet; there already: `session_start_failed`, `reason: "exists"`. */
export function makeNewFolder(parent: string, name: string): string {
  const path = join(parent, name);
  if (makeOne(path)) return checkFolder(path);
  throw fail("session_start_failed", `there is a session ${name} already`, { reason: "exists", path });
}

/**
 * The same walk without making anything; `undefined` when a component is not there. Kinds: `unsafe_state_path`, and `log_read_failed` where
 * it may not be looked at.
 */
export function findFolder(stateDir: string, parts: readonly string[]): string | undefined {
  let path = stateDir;
  for (const part of ["", ...parts]) {
    path = join(path, part);
    if (!isThere(path)) return undefined;
    checkFolder(path);
  }
  return path;
}

/** Passes a folder that is safe to keep state in. Kind: `unsafe_state_path`. */
export function checkFolder(path: string): string {
  const stat = look(path);
  const uid = process.getuid?.();
  if (stat.isSymbolicLink())
    throw unsafe(path, "symlink_component", `remove the link ${path}, or name the folder that it leads to as state folder`);
  if (!stat.isDirectory()) throw unsafe(path, "non_directory_component", `move ${path} away`);
  if (uid !== undefined && stat.uid !== uid)
    throw unsafe(path, "wrong_owner", `use a state folder of your own: COLLET_STATE_DIR or --state-dir`);
  if (uid !== undefined && (stat.mode & 0o022) !== 0) throw unsafe(path, "writable_by_others", `chmod go-rwx '${path}'`);
  // what sessions hold is private; the folder may be one that serves others too, so its owner is asked to close it
  if (uid !== undefined && (stat.mode & 0o055) !== 0) throw unsafe(path, "readable_by_others", `chmod go-rwx '${path}'`);
  return path;
}

/** Not the `recursive` of `mkdir`: Node 20 tries for ever where a folder is there and takes no new ones, as `/proc`. */
function makeWithParents(path: string): boolean {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeWithParents(parent);
  return makeOne(path);
}

/** True when it was made here, false when it was there. */
function makeOne(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (cause) {
    const code = osCode(cause);
    if (code === "EEXIST") return false;
    if (code === "ENOTDIR" || code === "ELOOP")
      throw unsafe(path, "non_directory_component", `move away the file that stands in the way of ${path}`);
    throw osFailure("session_start_failed", "make the state folder", {
      path,
      cause,
      details: { next_actions: ["name a folder that can be written: COLLET_STATE_DIR or --state-dir"] },
    });
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    throw osFailure("log_read_failed", "look at the state folder", {
      path,
      cause,
      details: { next_actions: ["name a folder of your own: COLLET_STATE_DIR or --state-dir"] },
    });
  }
}

function look(path: string): Stats {
  try {
    return lstatSync(path);
  } catch (cause) {
    throw osFailure("unsafe_state_path", "look at the state folder", {
      path,
      cause,
      details: { component: path, next_actions: [`look at ${path}`] },
    });
  }
}

function unsafe(path: string, reason: string, nextAction: string): Failure {
  return fail("unsafe_state_path", `the state folder is not safe to use (${reason}): ${path}`, {
    reason,
    component: path,
    next_actions: [nextAction],
  });
}
