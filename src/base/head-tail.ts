import { countNewlines } from "./count-newlines.ts";
import { SPILL_PART_BYTES, spillTailPath } from "./spill.ts";
import { characterEnd, characterStart } from "./utf8-edge.ts";

export interface HeadTailLimits {
  /** Bytes kept from the beginning, at most. */
  readonly headBytes: number;
  /** Bytes kept from the end, at most; the whole last line when it fits. */
  readonly tailBytes: number;
}

/** A text that is too long: its first and its last bytes, which do not overlap, and the size of the whole. */
export interface HeadTailPieces {
  readonly head: Uint8Array;
  /** Begins one byte earlier than what may be kept, so that it is known whether that begins a line. */
  readonly tail: Uint8Array;
  /** Size and line breaks of the whole text. */
  readonly bytes: number;
  readonly newlines: number;
  /** How bytes become text. What is kept is no larger than its piece, in bytes of UTF-8. */
  readonly render: (bytes: Uint8Array) => string;
  /** Path where `read` pages the whole (see `spillTailPath` for what is beyond 32 MiB); `null`: it was not kept. */
  readonly spillPath: string | null;
}

export interface CutText {
  readonly text: string;
  readonly cutBytes: number;
  /** Lines that are missing in whole or in part. */
  readonly cutLines: number;
}

/**
 * Joins head and tail with a line between them that says what is left out and how to read it. Cuts stand at line breaks, or between two
 * characters where a line break would cost more than half of a piece.
 */
export function joinHeadTail({ head, tail, bytes, newlines, render, spillPath }: HeadTailPieces): CutText {
  const headFits = (end: number) => byteLength(render(head.subarray(0, end))) <= head.length;
  const before = head.subarray(0, characterEnd(head, largest(lineEnd(head), headFits)));
  const tailFits = (size: number) => byteLength(render(tail.subarray(tail.length - size))) < tail.length;
  const start = characterStart(tail, tail.length - largest(tail.length - lineStart(tail), tailFits));
  const after = tail.subarray(start);

  const linesBefore = countNewlines(before);
  const cutNewlines = newlines - linesBefore - countNewlines(after);
  const cutBytes = bytes - before.length - after.length;
  const cutLines = cutNewlines + (tail[start - 1] === 0x0a ? 0 : 1);
  const first = linesBefore + 1;
  const lines = cutLines === 1 ? `1 line (${first})` : `${cutLines} lines (${first}-${linesBefore + cutLines})`;
  const where = spillPath === null ? "" : `. ${whereToRead(spillPath, { offset: first, bytes })}`;
  const headText = render(before);
  const lead = headText === "" || headText.endsWith("\n") ? "" : "\n";
  return { text: `${headText}${lead}[cut: ${lines}, ${cutBytes} bytes${where}]\n${render(after)}`, cutBytes, cutLines };
}

function whereToRead(path: string, { offset, bytes }: { readonly offset: number; readonly bytes: number }): string {
  const call = `read ${JSON.stringify({ path, offset })}`;
  if (bytes <= SPILL_PART_BYTES) return call;
  const tail = JSON.stringify(spillTailPath(path));
  const lost = bytes - 2 * SPILL_PART_BYTES;
  if (lost <= 0) return `${call}; that file has the first 32 MiB, ${tail} the rest`;
  return `${call}; that file has the first 32 MiB, ${tail} the last 32 MiB, ${lost} bytes between them were not kept`;
}

/** Where to end a piece: after its last line break, unless that lies in the first half. */
function lineEnd(head: Uint8Array): number {
  const end = head.lastIndexOf(0x0a) + 1;
  return end > head.length / 2 ? end : characterEnd(head, head.length);
}

/** Where to start a piece: after its first line break, unless that lies in the second half. */
function lineStart(tail: Uint8Array): number {
  const start = tail.indexOf(0x0a) + 1;
  return start > 0 && start <= tail.length / 2 ? start : Math.min(characterStart(tail, 1), tail.length);
}

/** The largest size up to `most` that fits; most texts fit at once, and only bytes that are no text grow when they are rendered. */
function largest(most: number, fits: (size: number) => boolean): number {
  if (fits(most)) return most;
  let [low, high] = [0, most];
  while (low < high - 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Bytes of `text` as UTF-8, a surrogate without its half counted as U+FFFD. Memory stays flat for a text of any size. */
export function byteLength(text: string): number {
  const encoder = new TextEncoder();
  const scratch = new Uint8Array(Math.min(text.length * 3, 48 * 1024));
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), scratch);
    bytes += written;
    at += read;
  }
  return bytes;
}
