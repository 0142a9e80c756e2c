import type { Effect } from "../base/effect.ts";
import type { ReadSandbox } from "../sandbox/port.ts";
import { type ScriptPlan, scriptPlan } from "../shell/index.ts";
import { markAlone } from "./alone-command.ts";
import { lookOf } from "./look.ts";

/** How a script is started: no file of the user's or the repository's is read before it. */
const SHELL = ["bash", "--noprofile", "--norc", "-c"] as const;

/** Where a command starts, and what looks at the paths that it names. */
export interface StartOptions {
  /** Real path of a folder. */
  readonly cwd: string;
  readonly sandbox: Pick<ReadSandbox, "resolve" | "survey">;
}

/** The words that run a script. */
export function shellArgv(script: string): readonly [string, ...string[]] {
  return [...SHELL, script];
}

/** What a script does when `bash` runs it. Paths are real, where they lead now. Kind: read_failed (a path that cannot be resolved). */
export async function planOfScript(script: string, { cwd, sandbox }: StartOptions): Promise<ScriptPlan> {
  const { survey } = sandbox;
  const plan = await scriptPlan(script, { cwd, home: survey.variables.HOME ?? null, look: lookOf(survey) });
  const planned = await Promise.all(plan.effects.map((effect) => resolved(effect, { cwd, sandbox })));
  const effects = markAlone(script, planned);
  // a script that names no command, such as a redirection alone, starts a shell all the same, which does what is listed
  const isStart = effects.some(({ kind }) => kind === "command" || kind === "unknown");
  const start: Effect = { kind: "command", sure: "declared", argv: ["bash", "-c", script], cwd };
  return { ...plan, effects: isStart ? effects : [...effects, start] };
}

/**
 * What starting these words does: of words made by `shellArgv` the effects of their script; of any other words one `command` effect (`open`).
 * Kind: read_failed (a path that cannot be resolved).
 */
export async function effectsOfStart(argv: readonly string[], { cwd, sandbox }: StartOptions): Promise<readonly Effect[]> {
  const script = argv.length === SHELL.length + 1 && SHELL.every((word, index) => word === argv[index]) ? argv.at(-1) : undefined;
  if (script === undefined) return [{ kind: "command", sure: "open", argv, cwd }];
  return (await planOfScript(script, { cwd, sandbox })).effects;
}

/** The effect with its paths where they lead now. */
export async function resolved(
  effect: Effect,
  { cwd, sandbox }: { readonly cwd: string; readonly sandbox: Pick<ReadSandbox, "resolve"> },
): Promise<Effect> {
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
