import type { Scanner } from "./scanner.ts";

/** Redacts bytes that come in pieces. A value may lie over any number of edges. */
export interface ByteRedactor {
  /**
   * What can be told of the bytes so far. What may be the beginning of a value is kept back, at most as long as the longest form of one.
   * The result may be the very array that was given.
   */
  push(bytes: Uint8Array): Uint8Array;
  /** What was kept back. */
  end(): Uint8Array;
}

/** @param scanner asked at each push; `null`: there is nothing to look for. */
export function redactBytes(scanner: () => Scanner | null): ByteRedactor {
  let kept: Uint8Array = new Uint8Array(0);
  /** How many of the bytes to come belong to what a mark was put for already. */
  let hidden = 0;
  let lastMark: Uint8Array | null = null;

  function take(bytes: Uint8Array, isEnd: boolean): Uint8Array {
    const find = scanner();
    if (!find && kept.length === 0 && hidden === 0) return bytes;
    const all = kept.length === 0 ? bytes : Buffer.concat([kept, bytes]);
    const out: Uint8Array[] = [];
    let from = 0;
    /** Up to here all is given out or hidden. */
    let done = hidden;
    let keepFrom = all.length;
    for (let found = find?.find(all, from, { isEnd }); found; found = find?.find(all, from, { isEnd })) {
      if (found.type === "open") {
        keepFrom = found.start;
        break;
      }
      from = found.start + 1;
      // within what is hidden, or within a mark: nothing is left to hide
      if (found.end <= done) continue;
      if (found.start >= done) out.push(all.subarray(done, found.start));
      // a value that overlaps itself is one mark, one that overlaps another is two
      if (found.start >= done || found.mark !== lastMark) out.push(found.mark);
      done = found.end;
      lastMark = found.mark;
    }
    if (keepFrom > done) out.push(done === 0 && keepFrom === all.length ? all : all.subarray(done, keepFrom));
    // a copy, as the array is the caller's; `slice` of a Buffer would be none
    kept = new Uint8Array(all.subarray(keepFrom));
    hidden = Math.max(0, done - keepFrom);
    const [only] = out;
    if (out.length === 0) return new Uint8Array(0);
    return out.length === 1 && only ? only : Buffer.concat(out);
  }

  return { push: (bytes) => take(bytes, false), end: () => take(new Uint8Array(0), true) };
}
