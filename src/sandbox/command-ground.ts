import type { Clock } from "../base/clock.ts";
import { isFailure } from "../base/fail.ts";
import { commandEnv, type Environment } from "./command-env.ts";
import { commandFolders, findIn } from "./command-path.ts";
import { createGitGround } from "./git-ground.ts";
import type { CommandGround, SandboxPort } from "./port.ts";

/** To look whether others may write to the folders of a PATH takes a hundred calls of the system. */
const FOLDERS_KEPT_MS = 200;

export interface CommandGroundOptions {
  readonly hostEnv: Environment;
  /** Real path. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly resolve: SandboxPort["resolve"];
}

/** What commands find on this machine: programs in the PATH for commands, the settings of repositories, variables. */
export function commandGround({ hostEnv, workspace, clock, resolve }: CommandGroundOptions): CommandGround {
  const { PATH: _, COLLET_CALL: __, ...variables } = commandEnv({ hostEnv, path: "", mark: "", granted: {} });
  const git = createGitGround();
  // a plan asks for many programs; which folders they lie in is looked at again for the next one
  let known: { readonly folders: readonly string[]; readonly at: number } | null = null;
  const folders = (): readonly string[] => {
    const now = clock.monotonic();
    if (known === null || now - known.at > FOLDERS_KEPT_MS) {
      const { outside, inside } = commandFolders(hostEnv.PATH, workspace);
      known = { folders: [...outside, ...inside], at: now };
    }
    return known.folders;
  };
  return {
    variables,
    async locate(name) {
      const path = findIn(folders(), name);
      if (path === null) return null;
      try {
        const found = await resolve(path, { cwd: workspace });
        return { ...found, through: [...(path === found.path || found.through?.includes(path) ? [] : [path]), ...(found.through ?? [])] };
      } catch (error) {
        if (isFailure(error)) return null;
        throw error;
      }
    },
    gitSettings: async (folder) => git.settings(folder),
  };
}
