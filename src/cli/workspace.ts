import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import { fail } from "../base/fail.ts";
import { isWithin } from "../base/real-path.ts";

export interface WorkspaceChoice {
  /** The `-C` folder, as given; it is taken whatever it is. */
  readonly chosen: string | undefined;
  readonly cwd: string;
  /** Home folder; `undefined` when there is none. */
  readonly home: string | undefined;
  /** State folder, existing or not. */
  readonly stateDir: string;
  /** User that this process runs as; `undefined` where the system has none. */
  readonly uid: number | undefined;
}

/**
 * The workspace: the `-C` folder, else the git root above the current folder when it belongs to the same user, else the current folder.
 * `/`, the home folder and a folder above the state folder are taken only when named with `-C`: nobody means to hand those over by
 * standing in them. Returns the real path. Kinds: `not_found`, `invalid_args`.
 */
export function chooseWorkspace(choice: WorkspaceChoice): string {
  const { chosen, cwd, uid } = choice;
  if (chosen !== undefined) return realFolder(path.resolve(cwd, chosen), chosen);
  const here = realFolder(cwd, cwd);
  const found = gitRootAbove(here, uid) ?? here;
  const reason = whyTooWide(found, choice);
  if (reason) {
    throw fail("invalid_args", `${found} is not taken as the workspace unasked: it is ${reason}`, {
      path: found,
      next_actions: ["change to a project's folder", "name the folder with -C DIR, for example -C ."],
    });
  }
  return found;
}

function realFolder(folder: string, asGiven: string): string {
  const next_actions = ["name a folder that is there with -C DIR, for example -C ."];
  if (asGiven === "") throw fail("invalid_args", "the folder after -C is empty", { path: asGiven, next_actions });
  let real: string;
  try {
    real = realpathSync(folder);
  } catch (cause) {
    throw fail("not_found", `the workspace ${asGiven} does not exist or cannot be reached`, { path: folder, next_actions }, { cause });
  }
  if (!statSync(real).isDirectory()) throw fail("invalid_args", `the workspace ${asGiven} is not a folder`, { path: folder, next_actions });
  return real;
}

/** Found by its `.git` entry (a folder, or a file in worktrees), without running git; one that another user owns is passed by. */
function gitRootAbove(start: string, uid: number | undefined): string | null {
  for (let folder = start; ; folder = path.dirname(folder)) {
    const marker = look(path.join(folder, ".git"));
    if (marker) return ownedBy(uid, marker.uid) && ownedBy(uid, look(folder)?.uid) ? folder : null;
    if (path.dirname(folder) === folder) return null;
  }
}

/** `undefined` also for what may not be looked at: then there is no root to be found that way. */
function look(target: string): Stats | undefined {
  try {
    return lstatSync(target);
  } catch {
    return undefined;
  }
}

function ownedBy(uid: number | undefined, owner: number | undefined): boolean {
  return uid === undefined || owner === uid;
}

function whyTooWide(folder: string, { home, stateDir }: WorkspaceChoice): string | null {
  if (path.dirname(folder) === folder) return "the root of the file system";
  if (home !== undefined && folder === realOrSame(home)) return "your home folder";
  const state = realOrSame(stateDir);
  if (isWithin(state, folder)) return `above the state folder ${stateDir}`;
  return null;
}

/** The real path of the longest part that exists, with the rest as it is. */
function realOrSame(target: string): string {
  try {
    return realpathSync(target);
  } catch {
    const parent = path.dirname(target);
    return parent === target ? target : path.join(realOrSame(parent), path.basename(target));
  }
}
