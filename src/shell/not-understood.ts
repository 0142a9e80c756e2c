/** Thrown inside this room only: the script cannot be taken apart for certain, and why. */
export class NotUnderstood extends Error {}

/** Longer scripts are not taken apart. In UTF-16 units. */
export const MAX_SCRIPT_LENGTH = 64 * 1024;
/** More than anybody would look through before saying yes. */
export const MAX_COMMANDS = 1000;
/** Effects of one plan. */
export const MAX_EFFECTS = 2000;
/** Words and parts of words in a script. */
export const MAX_PARTS = 8000;
/** Scripts within a script. */
export const MAX_SUBSTITUTIONS = 500;
/** Levels of groups, substitutions and the like within each other. */
export const MAX_NESTING = 20;
/** Calls of functions, and texts that are run, within each other. */
export const MAX_CALLS = 10;

/** A piece of a script as reasons show it: whole, or by its length, since a part of it could be a part of a secret. */
export function brief(raw: string): string {
  return raw.length > 80 ? `a word of ${raw.length} characters` : raw;
}
