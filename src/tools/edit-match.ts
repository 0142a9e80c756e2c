import type { Replacement } from "../base/diff.ts";
import { positionsOf } from "../base/positions.ts";

/** One text to replace, as the model gives it. */
export interface EditRequest {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

/** More places than this are not replaced in one call. */
export const MAX_MATCHES = 1_000_000;
/** More places than this are not looked for when one is wanted: it is clear by then that there are too many. */
export const MAX_SITES = 10_000;

/**
 * The places in `text` that a request means, in order, each with what stands there afterwards. Text matches exactly, but for this: in a
 * file with `\r\n`, a request without any `\r` means either kind of line break, and the new text gets the kind that was there.
 *
 * With `replace_all` matches do not overlap, and there are at most `MAX_MATCHES` and one more; without it, overlapping ones are all returned,
 * since each could have been meant, and there are at most `MAX_SITES`.
 */
export function matchesOf(text: string, request: EditRequest): readonly Replacement[] {
  const { old_string, new_string, replace_all = false } = request;
  const isLenient = text.includes("\r\n") && !old_string.includes("\r") && !new_string.includes("\r");
  if (!isLenient) return exactMatches(text, old_string, replace_all).map(([start, end]) => ({ start, end, text: new_string }));
  const places = old_string.includes("\n") ? breakMatches(text, old_string, replace_all) : exactMatches(text, old_string, replace_all);
  return places.map(([start, end]) => ({ start, end, text: withBreaks(new_string, breaksAt(text, start, end)) }));
}

type Span = readonly [start: number, end: number];

function exactMatches(text: string, wanted: string, isApart: boolean): Span[] {
  const spans: Span[] = [];
  const most = isApart ? MAX_MATCHES + 1 : MAX_SITES;
  let free = 0;
  for (const at of positionsOf(text, wanted)) {
    if (isApart && at < free) continue;
    if (spans.length === most) break;
    free = at + wanted.length;
    spans.push([at, free]);
  }
  return spans;
}

/** Matches in the text with every `\r\n` taken as `\n`; a match never begins or ends between the two. */
function breakMatches(text: string, wanted: string, isApart: boolean): Span[] {
  const spans = exactMatches(text.replaceAll("\r\n", "\n"), wanted, isApart);
  const [startOf, endOf] = [originalPositions(text), originalPositions(text)];
  return spans.map(([start, end]) => [startOf(start), endOf(end)]);
}

/** Positions in the text with `\n` only, which must grow, as positions in the text itself. */
function originalPositions(text: string): (position: number) => number {
  let taken = 0;
  let next = text.indexOf("\r\n");
  return (position) => {
    for (; next !== -1 && next - taken < position; next = text.indexOf("\r\n", next + 2)) taken += 1;
    return position + taken;
  };
}

/** The line breaks inside the span; when there are none, the one that ends its line, or else the one before it. */
function breaksAt(text: string, start: number, end: number): readonly string[] {
  const inside = text.slice(start, end).match(/\r?\n/g);
  if (inside) return inside;
  const after = text.indexOf("\n", end);
  const nearest = after === -1 ? text.lastIndexOf("\n", start) : after;
  return [text[nearest - 1] === "\r" ? "\r\n" : "\n"];
}

/** The n-th line break of the new text becomes the n-th of those that were there; further ones the last. */
function withBreaks(text: string, breaks: readonly string[]): string {
  let at = 0;
  return text.replace(/\n/g, () => {
    const found = breaks[Math.min(at, breaks.length - 1)] ?? "\n";
    at += 1;
    return found;
  });
}
