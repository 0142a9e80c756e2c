/** Bash scripts as effects: the grammar, and what simple commands and their redirections do. Pure; runs and reads nothing. */
export type { Look, TreeLook } from "./look.ts";
export type { PlanOptions, ScriptPlan, Table } from "./plan.ts";
export { MAX_SCRIPT_LENGTH, scriptEffects } from "./script-effects.ts";
export { commandPlan, scriptPlan } from "./script-plan.ts";
