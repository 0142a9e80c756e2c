import { isObject, type JsonValue } from "../../base/json.ts";
import { showLine } from "../../base/show.ts";
import { quoteWord } from "../../base/words.ts";

/** Arguments of a call in one line: `path=src/a.ts limit=20`. */
export function argsText(args: JsonValue | undefined, max: number): string {
  if (!isObject(args)) return args === undefined ? "" : shortLine(typeof args === "string" ? args : JSON.stringify(args), max);
  const parts = Object.entries(args).map(([name, value]) => `${name}=${valueText(value, max)}`);
  return shortLine(parts.join(" "), max);
}

function valueText(value: JsonValue | undefined, max: number): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "";
  const head = value.slice(0, max);
  return /^[\w@%+=:,./-]+$/.test(head) ? head : JSON.stringify(head);
}

/** One line, at most `max` characters, cut with an ellipsis; safe to show. */
export function shortLine(text: string, max: number): string {
  // showing makes text longer, never shorter, so most of a huge text need not be looked at
  const line = showLine(text.slice(0, max + 1));
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}

/** Words as a shell would read them back, so that it is seen where each ends; safe to show. */
export function commandText(argv: readonly string[]): string {
  return argv.map((word) => showLine(quoteWord(word))).join(" ");
}
