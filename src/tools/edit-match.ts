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

/** Finds the places in one text that requests mean. What it takes to find them is worked out once, however many requests there are. */
export type Matcher = (request: EditRequest) => readonly Replacement[];

/**
 * The places in `text` that a request means, in order, each with what stands there afterwards. Text matches exactly, but for this: in a
 * file with `\r\n`, a request without any `\r` means either kind of line break, and the new text gets the kind that was there.
 *
 * With `replace_all` matches do not overlap, and there are at most `MAX_MATCHES` and one more; without it, overlapping ones are all returned,
 * since each could have been meant, and there are at most `MAX_SITES`.
 */
export function createMatcher(text: string): Matcher {
  const hasPairs = text.includes("\r\n");
  let joined: Joined | null = null;

  /** Matches in the text with every `\r\n` taken as `\n`; a match never begins or ends between the two. */
  function breakMatches(wanted: string, isApart: boolean): Span[] {
    joined ??= joinedBreaks(text);
    const { original } = joined;
    return exactMatches(joined.text, wanted, isApart).map(([start, end]) => [original(start), original(end)]);
  }

  return ({ old_string, new_string, replace_all = false }) => {
    const isLenient = hasPairs && !old_string.includes("\r") && !new_string.includes("\r");
    if (!isLenient) return exactMatches(text, old_string, replace_all).map(([start, end]) => ({ start, end, text: new_string }));
    const places = old_string.includes("\n") ? breakMatches(old_string, replace_all) : exactMatches(text, old_string, replace_all);
    return places.map(([start, end]) => ({ start, end, text: withBreaks(new_string, breaksAt(text, start, end)) }));
  };
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

interface Joined {
  /** With `\n` in the place of every `\r\n`. */
  readonly text: string;
  /** A position in it as one in the text itself. */
  original(position: number): number;
}

function joinedBreaks(text: string): Joined {
  const joined = text.replaceAll("\r\n", "\n");
  // where the `\n` of each pair stands in the joined text, in order
  const pairs = new Uint32Array(text.length - joined.length);
  let count = 0;
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) {
    pairs[count] = at - count;
    count += 1;
  }
  return { text: joined, original: (position) => position + countBelow(pairs, position) };
}

/** How many of the sorted numbers are smaller. */
function countBelow(sorted: Uint32Array, limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
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
