/** A provider's key in use. `name` is the environment variable that it came from, and all that may be shown of it. */
export interface ApiKey {
  readonly name: string;
  readonly value: string;
}

/** Why a key cannot be sent in a header. */
export type ApiKeyProblem = "empty" | "surrounding_blanks" | "line_break" | "control_character" | "non_ascii";

/**
 * What is wrong with a key, or `null`. Asked before the first request, since the error of a header that cannot be sent quotes its value.
 */
export function apiKeyProblem(value: string): ApiKeyProblem | null {
  if (value === "") return "empty";
  if (/[\r\n]/.test(value)) return "line_break";
  if (value.trim() !== value) return "surrounding_blanks";
  if (/[\x00-\x1f\x7f]/.test(value)) return "control_character";
  return /[^\x20-\x7e]/.test(value) ? "non_ascii" : null;
}

/**
 * `text` without the key, whatever its case (a host's name is told in lower case): the mark of redaction stands in its place. Keys under 8
 * bytes are words, and stay.
 */
export function withoutKey(text: string, key: ApiKey | null): string {
  if (key === null || key.value.length < 8) return text;
  return text.replace(new RegExp(key.value.replace(/[^A-Za-z0-9]/g, "\\$&"), "gi"), () => `[secret:${key.name}]`);
}
