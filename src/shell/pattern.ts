/** Patterns of the shell as regular expressions: `*`, `?` and `[…]`, where none of what they stand for depends on the locale. */

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
  return chars.some(
    ({ char, active }, index) =>
      active && (char === "*" || char === "?" || (char === "[" && closes(chars, index) > 0) || isExtended(chars, index)),
  );
}

/** True where `?(…)`, `*(…)`, `+(…)`, `@(…)` or `!(…)` begins. */
export function isExtended(chars: readonly PatternChar[], index: number): boolean {
  const [one, two] = [chars[index], chars[index + 1]];
  return one?.active === true && /[?*+@!]/.test(one.char) && two?.active === true && two.char === "(";
}

/** Source of a regular expression for the whole text, `null` when the pattern is not plain. `any`: what `*` and `?` stand for. */
export function patternSource(chars: readonly PatternChar[], { any }: { readonly any: string }): string | null {
  let source = "";
  for (let at = 0; at < chars.length; at += 1) {
    const { char = "", active = false } = chars[at] ?? {};
    if (isExtended(chars, at)) {
      const end = chars.findIndex((each, index) => index > at && each.active && each.char === ")");
      const group = extendedSource(chars, { at, end });
      if (group === null) return null;
      source += group;
      at = end;
    } else if (active && char === "*") source += `${any}*`;
    else if (active && char === "?") source += any;
    else if (active && char === "[" && closes(chars, at) > 0) {
      const end = closes(chars, at);
      const set = bracketSource(chars.slice(at + 1, end));
      if (set === null) return null;
      source += set;
      at = end;
    } else source += char.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  }
  return source;
}

/**
 * One of some texts, once, at most once, or what is none of them to the end of the name; the others are not plain, and neither is what may stand
 * for a dot in front.
 */
function extendedSource(chars: readonly PatternChar[], { at, end }: { readonly at: number; readonly end: number }): string | null {
  const operator = chars[at]?.char ?? "";
  const texts = chars
    .slice(at + 2, end)
    .map(({ char }) => char)
    .join("")
    .split("|");
  if (!texts.every((text) => /^[\w,%=:][\w.,%=:-]*$/.test(text))) return null;
  const either = `(?:${texts.map((text) => text.replaceAll(".", "\\.")).join("|")})`;
  if (operator === "@") return either;
  if (operator === "?" && at > 0) return `${either}?`;
  return operator === "!" && end === chars.length - 1 ? `(?!${either}$)[^/]*` : null;
}

/** Index of the bracket that closes the one at `open`, or 0. */
function closes(chars: readonly PatternChar[], open: number): number {
  let at = open + 1;
  if (/[!^]/.test(chars[at]?.char ?? "")) at += 1;
  // the first may be the bracket itself
  const end = chars.findIndex(({ char }, index) => index > at && char === "]");
  return Math.max(end, 0);
}

function bracketSource(chars: readonly PatternChar[]): string | null {
  const text = chars.map(({ char }) => char).join("");
  const [, not = "", set = ""] = /^([!^]?)([\s\S]*)$/.exec(text) ?? [];
  // letters, digits and a few signs, alone or in ranges of their own kind
  if (!/^(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|[\w.,:@%+=~])+$/.test(set) || chars.some(({ char, active }) => /[-!^]/.test(char) && !active))
    return null;
  if ([...set.matchAll(/(\w)-(\w)/g)].some(([, from = "", to = ""]) => from > to)) return null;
  return `[${not === "" ? "" : "^/"}${set}]`;
}
