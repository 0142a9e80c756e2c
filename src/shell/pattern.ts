/** Patterns of the shell taken apart: `*`, `?`, `[…]` and plain extended ones, where none of what they stand for depends on the locale. */
import type { Token } from "./name-match.ts";

/** Characters of a pattern; those that are not `active` mean themselves. */
export interface PatternChar {
  readonly char: string;
  readonly active: boolean;
}

/** Parentheses as they are written in a word are those of extended patterns; those out of a variable are for some bash, and not for others. */
export function patternChars(text: string, as: "quoted" | "written" | "expanded"): readonly PatternChar[] {
  const special = as === "written" ? /[*?[\]!^+@()|-]/ : /[*?[\]!^-]/;
  return [...text].map((char) => ({ char, active: as !== "quoted" && special.test(char) }));
}

/** True when there is something in it that stands for other characters. */
export function isPattern(chars: readonly PatternChar[]): boolean {
  const lastClose = lastBracket(chars);
  return chars.some(
    ({ char, active }, index) =>
      active && (char === "*" || char === "?" || (char === "[" && closes(chars, index, lastClose) > 0) || isExtended(chars, index)),
  );
}

/** True where `?(…)`, `*(…)`, `+(…)`, `@(…)` or `!(…)` begins. */
export function isExtended(chars: readonly PatternChar[], index: number): boolean {
  const [one, two] = [chars[index], chars[index + 1]];
  return one?.active === true && /[?*+@!]/.test(one.char) && two?.active === true && two.char === "(";
}

/** What a pattern for one name stands for, piece by piece; `null` when it is not plain. */
export function tokensOf(chars: readonly PatternChar[]): readonly Token[] | null {
  const lastClose = lastBracket(chars);
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const { char = "", active = false } = chars[at] ?? {};
    if (isExtended(chars, at)) {
      const end = indexFrom(chars, at, (each) => each.active && each.char === ")");
      const group = end < 0 ? null : extendedToken(chars, { at, end });
      if (group === null) return null;
      tokens.push(group);
      at = end;
      continue;
    }
    const end = active && char === "[" ? closes(chars, at, lastClose) : 0;
    if (end > 0) {
      const set = bracketToken(chars.slice(at + 1, end));
      if (set === null) return null;
      tokens.push(set);
      at = end;
    } else if (active && char === "*") tokens.push({ kind: "many" });
    else if (active && char === "?") tokens.push({ kind: "any" });
    else tokens.push({ kind: "char", char });
  }
  return tokens;
}

/**
 * One of some texts, once, at most once, or what is none of them to the end of the name; the others are not plain, and neither is what may stand
 * for a dot in front.
 */
function extendedToken(chars: readonly PatternChar[], { at, end }: { readonly at: number; readonly end: number }): Token | null {
  const operator = chars[at]?.char ?? "";
  const texts = chars
    .slice(at + 2, end)
    .map(({ char }) => char)
    .join("")
    .split("|");
  if (!texts.every((text) => /^[\w,%=:][\w.,%=:-]*$/.test(text))) return null;
  if (operator === "@") return { kind: "texts", texts, optional: false };
  if (operator === "?" && at > 0) return { kind: "texts", texts, optional: true };
  return operator === "!" && end === chars.length - 1 ? { kind: "none_of", texts } : null;
}

/** Index of the bracket that closes the one at `open`, or 0. `last`: of the last one that could. */
function closes(chars: readonly PatternChar[], open: number, last: number): number {
  let at = open + 1;
  if (/[!^]/.test(chars[at]?.char ?? "")) at += 1;
  // the first may be the bracket itself
  return last <= at
    ? 0
    : Math.max(
        indexFrom(chars, at + 1, ({ char }) => char === "]"),
        0,
      );
}

function lastBracket(chars: readonly PatternChar[]): number {
  return chars.findLastIndex(({ char }) => char === "]");
}

function indexFrom(chars: readonly PatternChar[], from: number, isIt: (char: PatternChar) => boolean): number {
  for (let at = from; at < chars.length; at += 1) if (isIt(chars[at] ?? { char: "", active: false })) return at;
  return -1;
}

function bracketToken(chars: readonly PatternChar[]): Token | null {
  const text = chars.map(({ char }) => char).join("");
  const [, not = "", set = ""] = /^([!^]?)([\s\S]*)$/.exec(text) ?? [];
  // letters, digits and a few signs, alone or in ranges of their own kind
  if (!/^(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|[\w.,:@%+=~])+$/.test(set) || chars.some(({ char, active }) => /[-!^]/.test(char) && !active))
    return null;
  if ([...set.matchAll(/(\w)-(\w)/g)].some(([, from = "", to = ""]) => from > to)) return null;
  return { kind: "set", set: new RegExp(`^[${not === "" ? "" : "^"}${set}]$`, "u") };
}
