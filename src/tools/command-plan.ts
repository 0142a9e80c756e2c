import type { Effect } from "../base/effect.ts";
import type { ReadSandbox } from "../sandbox/port.ts";
import { commandPlan } from "../shell/index.ts";
import type { Grant } from "./command-options.ts";
import { lookOf } from "./look.ts";
import { resolved } from "./shell-script.ts";

export interface CommandPlanOptions {
  /** Real path of the folder that it starts in. */
  readonly cwd: string;
  readonly sandbox: ReadSandbox;
  /** Variables that it will get. */
  readonly given: Pick<Grant, "values" | "secrets">;
}

export interface PlannedCommand {
  readonly effects: readonly Effect[];
  /** What must be set so that the effects are true; never one that it is given. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * What these words do when they are started without a shell. Paths are real. Where a variable that is given stands against one that would keep
 * the program to what is known of it, the given one holds, and the program may do anything. Kind: read_failed (a path that cannot be resolved).
 */
export async function planCommand(argv: readonly string[], { cwd, sandbox, given }: CommandPlanOptions): Promise<PlannedCommand> {
  const { survey } = sandbox;
  const plan = await commandPlan(argv, { cwd, home: survey.variables.HOME ?? null, look: lookOf(survey) });
  const effects = await Promise.all(plan.effects.map((effect) => resolved(effect, { cwd, sandbox })));
  const names = [...Object.keys(given.values), ...Object.keys(given.secrets)];
  const stands = !names.some((name) => Object.hasOwn(plan.env, name));
  const env = Object.fromEntries(Object.entries(plan.env).filter(([name]) => !names.includes(name)));
  return { effects: effects.map((effect, at) => started(stands ? effect : opened(effect), at)), env };
}

/** The first is what is started, by itself: nothing is joined to it, redirected or expanded. */
function started(effect: Effect, at: number): Effect {
  return at === 0 && effect.kind === "command" ? { ...effect, alone: true } : effect;
}

function opened(effect: Effect): Effect {
  return effect.kind === "command" ? { ...effect, sure: "open" } : effect;
}
