/**
 * Unified diffs for people: bounded, the same for the same texts, and never the source of what is written.
 */

/** A diff is cut at this length, which its last line says. */
export const MAX_DIFF_LENGTH = 64 * 1024;
/** Longer lines are told by their length. They are not cut: a part of a secret would not be known as one any more. */
const MAX_LINE_LENGTH = 16 * 1024;
/** A change that replaces or makes more text than this is told in numbers. */
const MAX_CHANGE_LENGTH = 1024 * 1024;
/** Texts longer than this, or that differ in more lines than that, are not compared (a limit by time would not be the same each time). */
const MAX_COMPARED_LENGTH = 1024 * 1024;
const MAX_EDIT_LENGTH = 2000;
const CONTEXT_LINES = 3;

/** What stands in `[start, end)` becomes `text`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The diff of replacements in `before`, made from their positions: sorted by `start`, not overlapping. Empty when there are none. */
export function diffOfReplacements(before: string, replacements: readonly Replacement[], name: string): string {
  if (replacements.length === 0) return "";
  let diff = `--- ${headerName(name)}\n+++ ${headerName(name)}\n`;
  const lineNumber = lineNumbers(before);
  let shift = 0;
  for (const hunk of hunksOf(before, changesOf(before, replacements))) {
    if (diff.length > MAX_DIFF_LENGTH) break;
    const removed = hunk.lines.reduce((sum, line) => sum + line.removed, 0);
    const added = hunk.lines.reduce((sum, line) => sum + line.added, 0);
    const first = lineNumber(hunk.start);
    diff += `@@ -${range(first, removed)} +${range(first + shift, added)} @@\n${hunk.lines.map((line) => line.text).join("")}`;
    shift += added - removed;
  }
  return cut(diff);
}

/** The diff of a file that was not there before. */
export function diffOfNew(after: string, name: string): string {
  const header = `--- /dev/null\n+++ ${headerName(name)}\n`;
  if (after === "") return header;
  const lines = linesOf(after, MAX_DIFF_LENGTH).map((line) => shown("+", line).text);
  return cut(`${header}@@ -0,0 +${range(1, countLines(after))} @@\n${lines.join("")}`);
}

/** The diff of two texts; empty when they are equal. What is too long or too different to compare is told in numbers. */
export async function diffOfTexts(before: string, after: string, name: string): Promise<string> {
  if (before === after) return "";
  const replacements = before.length + after.length > MAX_COMPARED_LENGTH ? null : await compare(before, after);
  if (replacements) return diffOfReplacements(before, replacements, name);
  const numbers = `${countLines(before)} lines replaced by ${countLines(after)}, too many or too different to compare`;
  return `--- ${headerName(name)}\n+++ ${headerName(name)}\n(${numbers})\n`;
}

async function compare(before: string, after: string): Promise<readonly Replacement[] | null> {
  const { diffLines } = await import("diff");
  const parts = diffLines(before, after, { maxEditLength: MAX_EDIT_LENGTH });
  if (!parts) return null;
  const replacements: { start: number; end: number; text: string }[] = [];
  let at = 0;
  for (const { value, added, removed } of parts) {
    const last = replacements.at(-1);
    if (added && last?.end === at) last.text += value;
    else if (added) replacements.push({ start: at, end: at, text: value });
    else if (removed && last?.end === at) last.end += value.length;
    else if (removed) replacements.push({ start: at, end: at + value.length, text: "" });
    if (!added) at += value.length;
  }
  return replacements;
}

/** Whole lines that change: `before[start, end)` becomes `after`. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

function* changesOf(before: string, replacements: readonly Replacement[]): Generator<Change> {
  for (let index = 0; index < replacements.length; ) {
    const first = replacements[index] as Replacement;
    const start = first.start === 0 ? 0 : before.lastIndexOf("\n", first.start - 1) + 1;
    let after = "";
    let at = start;
    let end = start;
    do {
      const { start: from, end: to, text } = replacements[index] as Replacement;
      after += before.slice(at, from) + text;
      at = to;
      // a position before the end of the line is in the line that was looked up already
      if (to >= end) end = lineEnd(before, to);
      index += 1;
    } while (index < replacements.length && (replacements[index] as Replacement).start < end);
    yield trimmed(before, { start, end, after: after + before.slice(at, end) });
  }
}

/** Without the lines that are the same at both ends. */
function trimmed(before: string, { start, end, after }: Change): Change {
  if (end - start > MAX_CHANGE_LENGTH || after.length > MAX_CHANGE_LENGTH) return { start, end, after };
  const old = linesOf(before.slice(start, end));
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const length = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0);
  return {
    start: start + length(old.slice(0, head)),
    end: end - length(old.slice(old.length - tail)),
    after: now.slice(head, now.length - tail).join(""),
  };
}

interface Line {
  readonly text: string;
  /** How many lines of the old and of the new text it stands for. */
  readonly removed: number;
  readonly added: number;
}

interface Hunk {
  readonly start: number;
  readonly lines: readonly Line[];
}

function* hunksOf(before: string, changes: Iterable<Change>): Generator<Hunk> {
  let open: { start: number; end: number; lines: Line[]; size: number } | null = null;
  const context = (from: number, to: number) => linesOf(before.slice(from, to)).map((line) => shown(" ", line));
  for (const change of changes) {
    const start = back(before, change.start, CONTEXT_LINES);
    if (open && start > forward(before, open.end, CONTEXT_LINES)) {
      open.lines.push(...context(open.end, forward(before, open.end, CONTEXT_LINES)));
      yield open;
      open = null;
    }
    open ??= { start, end: start, lines: [], size: 0 };
    const lines = [...context(open.end, change.start), ...changed(before, change)];
    open.lines.push(...lines);
    open.size += lines.reduce((sum, line) => sum + line.text.length, 0);
    open.end = change.end;
    // enough for any diff; the rest would be cut
    if (open.size > MAX_DIFF_LENGTH) break;
  }
  if (open) {
    open.lines.push(...context(open.end, forward(before, open.end, CONTEXT_LINES)));
    yield open;
  }
}

function changed(before: string, { start, end, after }: Change): readonly Line[] {
  if (end - start > MAX_CHANGE_LENGTH || after.length > MAX_CHANGE_LENGTH) {
    const removed = countLines(before.slice(start, end));
    const added = countLines(after);
    return [{ text: `(${removed} lines replaced by ${added}, too many to show)\n`, removed, added }];
  }
  return [...linesOf(before.slice(start, end)).map((line) => shown("-", line)), ...linesOf(after).map((line) => shown("+", line))];
}

function shown(sign: " " | "+" | "-", line: string): Line {
  const isEnded = line.endsWith("\n");
  const body = isEnded ? line.slice(0, -1) : line;
  const text = body.length > MAX_LINE_LENGTH ? `… (a line of ${body.length} characters, too long to be shown)` : body;
  return {
    text: `${sign}${text}\n${isEnded ? "" : "\\ No newline at end of file\n"}`,
    removed: sign === "+" ? 0 : 1,
    added: sign === "-" ? 0 : 1,
  };
}

/** Lines with their ends; the last may lack one. With a limit, those that begin before it. */
function linesOf(text: string, limit = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length && at < limit; ) {
    const end = lineEnd(text, at);
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}

function countLines(text: string): number {
  let count = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function lineEnd(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  return found === -1 ? text.length : found + 1;
}

/** The start of the line that stands `lines` lines above the one that starts at `at`. */
function back(text: string, at: number, lines: number): number {
  let start = at;
  for (let n = 0; n < lines && start > 0; n++) start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  return start;
}

function forward(text: string, at: number, lines: number): number {
  let end = at;
  for (let n = 0; n < lines && end < text.length; n++) end = lineEnd(text, end);
  return end;
}

/** Line numbers from 1 of positions that only grow. */
function lineNumbers(text: string): (at: number) => number {
  let line = 1;
  let counted = 0;
  return (at) => {
    for (let found = text.indexOf("\n", counted); found !== -1 && found < at; found = text.indexOf("\n", counted)) {
      line += 1;
      counted = found + 1;
    }
    return line;
  };
}

/** An empty range is named by the line before it. */
function range(first: number, count: number): string {
  return count === 1 ? String(first) : `${count === 0 ? first - 1 : first},${count}`;
}

function headerName(name: string): string {
  // a name with a line break could forge lines of the diff
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;
}

function cut(diff: string): string {
  if (diff.length <= MAX_DIFF_LENGTH) return diff;
  const end = diff.lastIndexOf("\n", MAX_DIFF_LENGTH) + 1;
  return `${diff.slice(0, end)}… (the diff is longer than ${MAX_DIFF_LENGTH} characters; the rest is not shown)\n`;
}
