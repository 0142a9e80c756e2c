import type { Clock } from "../base/clock.ts";
import { isFailure } from "../base/fail.ts";
import { commandEnv, type Environment } from "./command-env.ts";
import { commandFolders, findIn } from "./command-path.ts";
import { createGitGround } from "./git-ground.ts";
import type { CommandGround, SandboxPort } from "./port.ts";

/** How long the folders of the PATH are taken to be the same. To look whether others may write to its folders takes a hundred calls of the system. */
const KEPT_MS = 200;

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
  let seen: { readonly folders: readonly string[]; readonly at: number } | null = null;
  // a plan asks for many programs; which folders they lie in is looked at again for the next one
  const folders = (): readonly string[] => {
    const at = clock.monotonic();
    if (seen === null || at - seen.at > KEPT_MS) {
      const { outside, inside } = commandFolders(hostEnv.PATH, workspace);
      seen = { folders: [...outside, ...inside], at };
    }
    return seen.folders;
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
    gitTracked: async (folder, wanted) => git.tracked(folder, wanted),
  };
}
