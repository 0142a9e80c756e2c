import { showLine } from "../../base/show.ts";
import { quoteWord } from "../../base/words.ts";
import type { Look } from "./look.ts";
import { widthOf } from "./width.ts";

export interface Offers {
  /** As the core gives them: first the narrowest set, which suffices together, then broader ones for the same effects. */
  readonly rules: readonly string[];
  /** How many of them, from the first, are the narrowest set. */
  readonly narrowest: number;
  /** What stands before each flag. */
  readonly indent: string;
}

/** So many flags of a kind are shown; nobody copies more. */
const MAX_OFFERS = 9;
/** A longer rule is not shown, in characters. */
const MAX_RULE_CHARS = 2000;

/**
 * The flags that would have let a call through, each on a line of its own that can be copied, the wider ones apart. How many are not shown
 * is said.
 */
export function offerLines({ rules, narrowest, indent }: Offers, look: Look): readonly string[] {
  const narrow = rules.slice(0, narrowest);
  const lines = (some: readonly string[]): readonly string[] => {
    const shown = some.filter((rule) => rule.length <= MAX_RULE_CHARS).slice(0, MAX_OFFERS);
    const flags = shown.map((rule) => flagText(rule, { indent, columns: look.columns ?? null }));
    const left = some.length - shown.length;
    return left > 0 ? [...flags, `${indent}${look.colors.dim(`… ${left} more`)}`] : flags;
  };
  const wider = rules.slice(narrow.length);
  return [
    ...(narrow.length > 1
      ? [`${indent}${look.colors.dim(narrow.length === 2 ? "both of these together:" : `all ${narrow.length} of these together:`)}`]
      : []),
    ...lines(narrow),
    ...(wider.length > 0
      ? [`${indent}${look.colors.dim(narrow.length > 1 ? "or, wider, in the place of one of them:" : "or, wider:")}`]
      : []),
    ...lines(wider),
  ];
}

/**
 * `--allow 'rule'` in one line where it fits the screen. Else it goes on as a shell reads it, so that it can be copied all the same: the
 * quote is closed, a backslash takes the line break away, and the next line begins with a quote, as none of Collet's lines does.
 */
function flagText(rule: string, { indent, columns }: { readonly indent: string; readonly columns: number | null }): string {
  const whole = `${indent}--allow ${showLine(quoteWord(rule))}`;
  if (columns === null || columns < 20 || widthOf(whole) <= columns) return whole;
  const lines: string[] = [];
  let line = `${indent}--allow '`;
  for (const char of rule) {
    const shown = showLine(char === "'" ? "'\\''" : char);
    // room for the closing quote and the backslash
    if (widthOf(line + shown) > columns - 2) {
      lines.push(`${line}'\\`);
      line = "'";
    }
    line += shown;
  }
  return [...lines, `${line}'`].join("\n");
}
