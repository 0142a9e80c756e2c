import { eastAsianWidth } from "get-east-asian-width";

/** Our own colours, and characters one by one. */
export const PARTS = /\u001b\[[\d;]*m|./gsu;

/**
 * Letters, marks, digits and punctuation: what no terminal draws wider than Unicode's table says. Pictures, arrows, frames and other
 * symbols are left out, since terminals disagree about them, and so is what this Node's Unicode does not know yet.
 */
const TEXT = /(?!\p{Extended_Pictographic})[\p{L}\p{M}\p{N}\p{P}]/u;
const MARK = /\p{M}/u;

/**
 * Columns that a terminal needs for the text, at most; a tab counts as wide as it can be. Where terminals disagree the widest counts: a
 * line that is taken for too long is only broken early, one that is taken for too short is broken by the terminal, where what follows
 * could pass for a line of Collet's. So whatever Unicode calls ambiguous is two columns, and a mark, which many terminals draw over the
 * letter before it, is one.
 */
export function widthOf(text: string): number {
  let width = 0;
  for (const [part] of text.matchAll(PARTS)) width += widthOfPart(part);
  return width;
}

/** As `widthOf`, of one match of `PARTS`. */
export function widthOfPart(part: string): number {
  const code = part.codePointAt(0) ?? 0;
  if (code < 0x7f) return code === 0x1b && part.length > 1 ? 0 : part === "\t" ? 8 : 1;
  return TEXT.test(part) ? eastAsianWidth(code, { ambiguousAsWide: !MARK.test(part) }) : 2;
}
