import type { Clock } from "../base/clock.ts";
import { isFailure } from "../base/fail.ts";
import { commandEnv, type Environment } from "./command-env.ts";
import { commandFolders, findIn } from "./command-path.ts";
import { createGitGround } from "./git-ground.ts";
import type { CommandGround, SandboxPort } from "./port.ts";

/** How long what was seen of the PATH is taken to hold. To look whether others may write to its folders takes a hundred calls of the system. */
const KEPT_MS = 200;

type Program = NonNullable<Awaited<ReturnType<CommandGround["locate"]>>>;

interface Seen {
  readonly folders: readonly string[];
  readonly programs: Map<string, Promise<Program | null>>;
  readonly at: number;
}

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
  let seen: Seen | null = null;
  // a plan asks for many programs, and for each more than once; for the next plan they are looked at again
  const now = (): Seen => {
    const at = clock.monotonic();
    if (seen === null || at - seen.at > KEPT_MS) {
      const { outside, inside } = commandFolders(hostEnv.PATH, workspace);
      seen = { folders: [...outside, ...inside], programs: new Map(), at };
    }
    return seen;
  };
  const locate = async (name: string): Promise<Program | null> => {
    const path = findIn(now().folders, name);
    if (path === null) return null;
    try {
      const found = await resolve(path, { cwd: workspace });
      return { ...found, through: [...(path === found.path || found.through?.includes(path) ? [] : [path]), ...(found.through ?? [])] };
    } catch (error) {
      if (isFailure(error)) return null;
      throw error;
    }
  };
  return {
    variables,
    async locate(name) {
      const { programs } = now();
      const found = programs.get(name) ?? locate(name);
      programs.set(name, found);
      return found;
    },
    gitSettings: async (folder) => git.settings(folder),
  };
}
