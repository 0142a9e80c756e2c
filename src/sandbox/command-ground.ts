import { isFailure } from "../base/fail.ts";
import { commandEnv, type Environment } from "./command-env.ts";
import { commandFolders, findIn } from "./command-path.ts";
import { createGitGround } from "./git-ground.ts";
import type { CommandGround, SandboxPort } from "./port.ts";

export interface CommandGroundOptions {
  readonly hostEnv: Environment;
  /** Real path. */
  readonly workspace: string;
  readonly resolve: SandboxPort["resolve"];
}

/** What commands find on this machine: programs in the PATH for commands, the settings of repositories, variables. */
export function commandGround({ hostEnv, workspace, resolve }: CommandGroundOptions): CommandGround {
  const { PATH: _, COLLET_CALL: __, ...variables } = commandEnv({ hostEnv, path: "", mark: "", granted: {} });
  const git = createGitGround();
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
    gitSettings: async (folder) => git.settings(folder),
  };
}
