/** Bash scripts as effects: the grammar, the evaluator, and the table of programs. Pure; runs and reads nothing. */
export type { Look } from "./look.ts";
export { MAX_SCRIPT_LENGTH } from "./not-understood.ts";
export type { PlanOptions, ScriptPlan, Table } from "./plan.ts";
export { gitSettingThatRuns } from "./programs/git-settings.ts";
export { isStandIn } from "./programs/languages.ts";
export { commandPlan, scriptPlan } from "./script-plan.ts";
