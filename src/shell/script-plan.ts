import type { PlanOptions, ScriptPlan } from "./plan.ts";
import { scriptEffects } from "./script-effects.ts";

/** What a bash script will do. Never throws for any text. */
export async function scriptPlan(script: string, { cwd }: PlanOptions): Promise<ScriptPlan> {
  return { effects: await scriptEffects(script, { cwd }), env: {} };
}

/** What one command, started without a shell, will do. Never throws for any words. */
export async function commandPlan(argv: readonly string[], { cwd }: PlanOptions): Promise<ScriptPlan> {
  return { effects: [{ kind: "command", sure: "open", argv, cwd }], env: {} };
}
