/** Where a line goes on: a mark of ours, in a column where nothing of ours begins. */
const GOES_ON = "    ↪ ";
/** Below this there is no room to show anything. */
const MIN_COLUMNS = 20;

/** Blanks one by one, and words whole: our own colours are part of them. */
const TOKENS = /[ \t]|[^ \t]+/gu;
/** Our own colours, and the characters of a word one by one. */
const PARTS = /\u001b\[[\d;]*m|./gsu;
/** Characters that a terminal draws two columns wide, roughly Unicode's East Asian Wide; to take one for wide too many does no harm. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f000}-\u{3fffd}]/u;

/**
 * Breaks lines that are wider than the screen, before the screen does: what it breaks goes on in the first column, where text of others
 * could pass for Collet's. A line is broken at a blank, which stays; only a word that is longer than a line is cut. `null` columns: no
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
  let wrapped = "";
  let width = 0;
  const add = (part: string, own: number): void => {
    if (width + own > columns) {
      wrapped += `\n${GOES_ON}`;
      width = GOES_ON.length;
    }
    wrapped += part;
    width += own;
  };
  for (const [token] of line.matchAll(TOKENS)) {
    const own = widthOf(token);
    if (own <= columns - GOES_ON.length) add(token, own);
    else for (const [part] of token.matchAll(PARTS)) add(part, widthOfPart(part));
  }
  return wrapped;
}

/** Columns that a terminal needs for the text, at most; a tab counts as wide as it can be. */
export function widthOf(text: string): number {
  let width = 0;
  for (const [part] of text.matchAll(PARTS)) width += widthOfPart(part);
  return width;
}

function widthOfPart(part: string): number {
  if (part.startsWith("\u001b") || /^\p{M}$/u.test(part)) return 0;
  if (part === "\t") return 8;
  return WIDE.test(part) ? 2 : 1;
}
