/** Longer texts are not searched for what comes near. */
const MAX_TEXT_LENGTH = 4 * 1024 * 1024;
const MAX_LINES = 100_000;
const MAX_LINE_LENGTH = 400;
/** Lines that share less than this with the wanted one are no help. */
const MIN_LIKENESS = 0.5;
/** What is shown of the place. */
const SHOWN_LINES = 20;
const SHOWN_LENGTH = 2000;

/** The place in a file that comes nearest to a text that is not in it. */
export interface NearestText {
  /** Line where it begins, from 1. */
  readonly line: number;
  /** As many lines as were wanted, at most 20. */
  readonly text: string;
  /**
   * In what alone it differs: `white_space`, `punctuation` (curly quotes, long dashes), or `escapes` (a `\n` in the request is a backslash
   * and an n); `null`: in more.
   */
  readonly differs_in: "white_space" | "punctuation" | "escapes" | null;
}

/** Finds where a text was probably meant to match; `null` when nothing comes near. Bounded in time and in what it returns. */
export function nearestText(text: string, wanted: string): NearestText | null {
  if (text.length > MAX_TEXT_LENGTH || wanted.trim() === "") return null;
  const lines = text.split("\n", MAX_LINES);
  const unescaped = wanted.replaceAll("\\r\\n", "\n").replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll('\\"', '"');
  if (unescaped !== wanted && text.includes(unescaped)) {
    const line = text.slice(0, text.indexOf(unescaped)).split("\n").length;
    return { line, text: shown(lines, line - 1, unescaped.split("\n").length), differs_in: "escapes" };
  }
  const wantedLines = wanted.split("\n");
  const anchor = longest(wantedLines);
  const best = mostAlike(lines, wantedLines[anchor] ?? "");
  if (best === null) return null;
  const start = Math.max(0, best - anchor);
  const place = lines.slice(start, start + wantedLines.length);
  return { line: start + 1, text: shown(lines, start, wantedLines.length), differs_in: differenceOf(place.join("\n"), wanted) };
}

function shown(lines: readonly string[], start: number, count: number): string {
  return lines
    .slice(start, start + Math.min(count, SHOWN_LINES))
    .join("\n")
    .slice(0, SHOWN_LENGTH)
    .replace(/[\ud800-\udbff]$/, "");
}

function differenceOf(found: string, wanted: string): "white_space" | "punctuation" | null {
  if (withoutBlanks(found).includes(withoutBlanks(wanted))) return "white_space";
  return bare(found).includes(bare(wanted)) ? "punctuation" : null;
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, "");
}

/** Without blanks, and with typists' quotes and dashes. */
function bare(text: string): string {
  return withoutBlanks(text)
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-");
}

/** The line that says most: the longest without the blanks around it. */
function longest(lines: readonly string[]): number {
  return lines.reduce((best, line, index) => (line.trim().length > (lines[best] ?? "").trim().length ? index : best), 0);
}

function mostAlike(lines: readonly string[], wanted: string): number | null {
  const target = pairsOf(bare(wanted));
  let best: number | null = null;
  let most = MIN_LIKENESS;
  for (const [index, line] of lines.entries()) {
    // most lines are ruled out by their length alone
    const length = Math.min(line.length, MAX_LINE_LENGTH);
    if (2 * Math.min(length, target.size + 1) < most * (target.size + 1)) continue;
    const likeness = alike(target, pairsOf(bare(line)));
    if (likeness > most) [best, most] = [index, likeness];
    if (most === 1) break;
  }
  return best;
}

/** Letters side by side: what two lines share of them says how alike they are (Sørensen and Dice). */
function pairsOf(line: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  const length = Math.min(line.length, MAX_LINE_LENGTH);
  if (length === 1) pairs.add(line);
  for (let at = 0; at + 1 < length; at++) pairs.add(line.slice(at, at + 2));
  return pairs;
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
