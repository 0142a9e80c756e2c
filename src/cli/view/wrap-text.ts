import { PARTS, widthOf, widthOfPart } from "./width.ts";

/** Where a line goes on: a mark of ours, in a column where nothing of ours begins. */
const GOES_ON = "    ↪ ";
/** `widthOf` the mark: its arrow counts twice. */
const MARK_WIDTH = 7;
/** Below this there is no room to show anything. */
const MIN_COLUMNS = 20;

/** Blanks one by one, and words whole: our own colours are part of them. */
const TOKENS = /[ \t]|[^ \t]+/gu;

/**
 * Breaks lines that are wider than the screen, before the screen does: what it breaks goes on in the first column, where text of others
 * could pass for Collet's. A line is broken at blanks, which go where a line would end with them; only a word that is longer than a line is cut. `null` columns: no
 * screen, nothing is broken. The text holds no escape sequences but our own colours.
 */
export function wrapText(text: string, columns: number | null): string {
  if (columns === null || columns < MIN_COLUMNS) return text;
  return text
    .split("\n")
    .map((line) => (line.length * 2 < columns && !line.includes("\t") ? line : wrapLine(line, columns)))
    .join("\n");
}

function wrapLine(line: string, columns: number): string {
  const lines: string[] = [];
  let current = "";
  let width = 0;
  const next = (): void => {
    lines.push(current.replace(/(?<=[^ ]) +$/, ""));
    current = "";
    width = MARK_WIDTH;
  };
  const add = (part: string, own: number): void => {
    if (width + own > columns) next();
    current += part;
    width += own;
  };
  for (const [token] of line.matchAll(TOKENS)) {
    const own = widthOf(token);
    if (token === " " && width + own > columns) {
      // the blank that the line is broken at
      next();
      continue;
    }
    if (own <= columns - MARK_WIDTH) add(token, own);
    else for (const [part] of token.matchAll(PARTS)) add(part, widthOfPart(part));
  }
  return [...lines, current].join(`\n${GOES_ON}`);
}
