/** Bash scripts as effects: the grammar, and what simple commands and their redirections do. Pure; runs and reads nothing. */
export { MAX_SCRIPT_LENGTH, scriptEffects } from "./script-effects.ts";
