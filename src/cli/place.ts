import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fail } from "../base/fail.ts";
import { stateDirOf } from "../log/index.ts";
import type { CommonFlags } from "./common-flags.ts";
import type { Terminal } from "./terminal.ts";
import { chooseWorkspace } from "./workspace.ts";

/** Where a command works and where it keeps state. */
export interface Place {
  /** Real path. */
  readonly workspace: string;
  /** Absolute; existing or not. */
  readonly stateDir: string;
  /** Real path of the home folder; `null` when there is none. */
  readonly home: string | null;
}

/** Kinds: `not_found`, `invalid_args`, and `unsafe_state_path` of a state folder that cannot be one. */
export function placeOf({ env, cwd, process }: Terminal, flags: Pick<CommonFlags, "workspace" | "stateDir">): Place {
  const home = homeOf();
  const stateDir = flags.stateDir === undefined ? ownStateFolder(env, home) : stateFolder(cwd(), flags.stateDir);
  const place = { stateDir, home: home === undefined ? null : realOr(home) };
  return { ...place, workspace: chooseWorkspace({ chosen: flags.workspace, cwd: cwd(), home, stateDir, uid: process.getuid?.() }) };
}

function ownStateFolder(env: Terminal["env"], home: string | undefined): string {
  if (home === undefined && !env.COLLET_STATE_DIR && !env.XDG_STATE_HOME) {
    throw fail("unsafe_state_path", "this user has no home folder to keep sessions in", {
      reason: "no_home",
      next_actions: ["set COLLET_STATE_DIR to a folder of your own, or name one with --state-dir DIR", "set HOME to your home folder"],
    });
  }
  return stateDirOf(env, home ?? "");
}

function stateFolder(cwd: string, chosen: string): string {
  if (chosen === "") throw fail("invalid_args", "the folder after --state-dir is empty", { flag: "--state-dir" });
  return path.resolve(cwd, chosen);
}

function realOr(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // not there: nothing lies below it
    return folder;
  }
}

/** The home folder, where there is one. */
export function homeOf(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    // a user without an entry in the system's list, and no HOME: as in some containers
    return undefined;
  }
}
