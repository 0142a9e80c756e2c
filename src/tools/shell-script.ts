import type { Effect } from "../base/effect.ts";
import type { ReadSandbox } from "../sandbox/port.ts";
import { scriptEffects } from "../shell/index.ts";
import { markAlone } from "./alone-command.ts";

/** How a script is started: no file of the user's or the repository's is read before it. */
const SHELL = ["bash", "--noprofile", "--norc", "-c"] as const;

/** Where a command starts, and what looks at the paths that it names. */
export interface StartOptions {
  /** Real path of a folder. */
  readonly cwd: string;
  readonly sandbox: Pick<ReadSandbox, "resolve">;
}

/** The words that run a script. */
export function shellArgv(script: string): readonly [string, ...string[]] {
  return [...SHELL, script];
}

/**
 * What starting these words does: of words made by `shellArgv` the effects of their script, as `bash` plans it; of any other words one
 * `command` effect (`open`). Paths are real, where they lead now. Kind: read_failed (a path that cannot be resolved).
 */
export async function effectsOfStart(argv: readonly string[], { cwd, sandbox }: StartOptions): Promise<readonly Effect[]> {
  const script = argv.length === SHELL.length + 1 && SHELL.every((word, index) => word === argv[index]) ? argv.at(-1) : undefined;
  if (script === undefined) return [{ kind: "command", sure: "open", argv, cwd }];
  const planned = await Promise.all((await scriptEffects(script, { cwd })).map((effect) => resolved(effect, { cwd, sandbox })));
  const effects = markAlone(script, planned);
  // a script that names no command, such as a redirection alone, starts a shell all the same
  const isStart = effects.some(({ kind }) => kind === "command" || kind === "unknown");
  return isStart ? effects : [...effects, { kind: "command", sure: "open", argv: ["bash", "-c", script], cwd }];
}

async function resolved(effect: Effect, { cwd, sandbox }: StartOptions): Promise<Effect> {
  switch (effect.kind) {
    case "file.read":
    case "file.write":
    case "file.delete": {
      const { path, also } = await sandbox.resolve(effect.path, { cwd });
      return { ...effect, path, ...(also ? { also } : {}) };
    }
    case "command":
      return effect.cwd === cwd ? effect : { ...effect, cwd: (await sandbox.resolve(effect.cwd, { cwd })).path };
    default:
      return effect;
  }
}
