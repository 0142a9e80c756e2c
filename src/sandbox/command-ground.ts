import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { dirname, resolve as resolvePath } from "node:path";
import { isFailure } from "../base/fail.ts";
import { commandEnv, type Environment } from "./command-env.ts";
import { commandFolders, findIn } from "./command-path.ts";
import { gitFolderAt } from "./git-folders.ts";
import { osCode } from "./os-error.ts";
import type { CommandGround, SandboxPort } from "./port.ts";

/** Git's own settings are a few KiB; a file that is longer is not looked into. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

export interface CommandGroundOptions {
  readonly hostEnv: Environment;
  /** Real path. */
  readonly workspace: string;
  readonly resolve: SandboxPort["resolve"];
}

/** What commands find on this machine: programs in the PATH for commands, the settings of repositories, variables. */
export function commandGround({ hostEnv, workspace, resolve }: CommandGroundOptions): CommandGround {
  const { PATH: _, COLLET_CALL: __, ...variables } = commandEnv({ hostEnv, path: "", mark: "", granted: {} });
  return {
    variables,
    async locate(name) {
      const { outside, inside } = commandFolders(hostEnv.PATH, workspace);
      const path = findIn([...outside, ...inside], name);
      if (path === null) return null;
      try {
        const found = await resolve(path, { cwd: workspace });
        return { ...found, through: [...(path === found.path || found.through?.includes(path) ? [] : [path]), ...(found.through ?? [])] };
      } catch (error) {
        if (isFailure(error)) return null;
        throw error;
      }
    },
    async gitSettings(folder) {
      const own = gitFolderAbove(folder);
      if (own === null) return [];
      return own === "unknown" ? null : settingsIn(own);
    },
  };
}

/** As git looks for it: in the folder, and in each above it. */
function gitFolderAbove(folder: string): readonly string[] | "unknown" | null {
  for (let at = folder; ; at = dirname(at)) {
    const found = gitFolderAt(at);
    if (found !== null) return found;
    if (dirname(at) === at) return null;
  }
}

function settingsIn(folders: readonly string[]): readonly string[] | null {
  const texts = folders.flatMap((folder) => ["config", "config.worktree"].map((name) => textOf(resolvePath(folder, name))));
  return texts.includes(null) ? null : texts.flatMap((text) => text ?? []).filter((text) => text !== "");
}

/** "" when there is no such file, `null` when it cannot be read as a whole. */
function textOf(path: string): string | null {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.size > MAX_SETTINGS_BYTES) return null;
      const buffer = Buffer.alloc(stat.size);
      return buffer.toString("utf8", 0, readSync(fd, buffer, 0, stat.size, 0));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (osCode(error) === "") throw error;
    return osCode(error) === "ENOENT" ? "" : null;
  }
}
