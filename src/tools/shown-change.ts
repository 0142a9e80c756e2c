import { diffOfReplacements, diffOfTexts, type Replacement } from "../base/diff.ts";
import type { ReadSandbox } from "../sandbox/port.ts";

/** Above this, texts with secrets in them are not compared line by line. */
const COMPARED_LENGTH = 1024 * 1024;

export interface ShownEdit {
  readonly before: string;
  readonly after: string;
  /** What leads from one to the other. */
  readonly replacements: readonly Replacement[];
  readonly name: string;
  readonly redact: ReadSandbox["redact"];
}

/**
 * The diff of an edit. A diff cuts long lines and sets a sign before each, and neither half of a value nor its lines apart would be known
 * as a secret any more: where there is one, the texts are redacted whole, and the diff is that of what is left.
 */
export async function diffOfEdit({ before, after, replacements, name, redact }: ShownEdit): Promise<string> {
  const [shownBefore, shownAfter] = [redact(before), redact(after)];
  if (shownBefore === before && shownAfter === after) return diffOfReplacements(before, replacements, name);
  return diffOfRedacted(shownBefore, shownAfter, name);
}

/** The diff of a change between two texts that were redacted. */
export async function diffOfRedacted(before: string, after: string, name: string): Promise<string> {
  const change = differenceOf(before, after);
  if (change === null) {
    const unchanged = diffOfReplacements(before, [{ start: 0, end: 0, text: "" }], name);
    return `${unchanged.slice(0, unchanged.indexOf("\n@@") + 1)}(what changes is redacted)\n`;
  }
  return before.length + after.length > COMPARED_LENGTH ? diffOfReplacements(before, [change], name) : diffOfTexts(before, after, name);
}

/** The one replacement that leads from `before` to `after`; `null` when they are the same. */
function differenceOf(before: string, after: string): Replacement | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  let tail = 0;
  while (tail < most - head && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail += 1;
  return { start: head, end: before.length - tail, text: after.slice(head, after.length - tail) };
}
