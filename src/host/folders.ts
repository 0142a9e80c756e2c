import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { configDirOf, stateDirOf } from "../log/index.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Folders of the user that a runtime knows of. All absolute; null: there is none, and nothing says where it would be. */
export interface Folders {
  /** Real. */
  readonly home: string | null;
  /** As it was named: it need not be there yet. */
  readonly stateDir: string | null;
  /** Real as far as it exists. */
  readonly configDir: string | null;
}

/** `stateDir` is the one that the host chose, if it did. */
export function foldersOf(env: Env, stateDir: string | undefined): Folders {
  const home = homeOf(env);
  const hasState = home !== null || env.COLLET_STATE_DIR !== undefined || env.XDG_STATE_HOME !== undefined;
  const hasConfig = home !== null || env.COLLET_CONFIG_DIR !== undefined || env.XDG_CONFIG_HOME !== undefined;
  return {
    home,
    stateDir: stateDir ?? (hasState ? stateDirOf(env, home ?? "") : null),
    configDir: hasConfig ? realPath(configDirOf(env, home ?? "")) : null,
  };
}

/** Real, as the policy compares real paths. A user without a home folder, and without an entry in the list of users, has none. */
function homeOf(env: Env): string | null {
  try {
    const home = env.HOME ?? homedir();
    return home.startsWith("/") ? realPath(home) : null;
  } catch {
    return null;
  }
}

/** The path with the links of its existing part resolved; what does not exist yet is kept as it is. */
export function realPath(path: string): string {
  const absolute = resolve(path);
  for (let existing = absolute; ; existing = dirname(existing)) {
    try {
      return join(realpathSync(existing), relative(existing, absolute));
    } catch {
      if (existing === dirname(existing)) return absolute;
    }
  }
}
