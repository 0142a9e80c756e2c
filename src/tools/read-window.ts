import { countNewlines } from "../base/count-newlines.ts";
import { characterEnd } from "../base/utf8-edge.ts";

/** A page ends before the line that would go beyond this many lines or bytes. */
export const WINDOW_LINES = 2000;
export const WINDOW_BYTES = 50 * 1024;
/** Of a longer line only this many bytes are shown. */
export const LINE_BYTES = 2000;
/** So much of a file is looked at for one page: a line that never ends, such as a hole of a terabyte, would keep a call for hours. */
export const SCANNED_BYTES = 1024 ** 3;

/** Some lines of a file, and what is known about the rest of it. */
export interface ReadWindow {
  /** The lines as they stand in the file, but for what the other fields say. */
  readonly text: string;
  /** How many lines are shown. */
  readonly lines: number;
  /** The line after the last shown one; `null` when there is none. */
  readonly nextLine: number | null;
  /** Lines of the whole file; `null` when it was not read to its end. */
  readonly totalLines: number | null;
  /** Numbers of the lines that are shown in part. */
  readonly cutLines: readonly number[];
  /** Numbers of the lines with bytes that are no UTF-8, shown as U+FFFD. */
  readonly brokenLines: readonly number[];
  /** Numbers of the lines with NUL bytes, shown as U+2400. */
  readonly nulLines: readonly number[];
  readonly hasByteOrderMark: boolean;
  /** True when the page ended because `maxBytes` were looked at. */
  readonly isOverLong: boolean;
}

export interface WindowOptions {
  /** Line to start at, from 1. */
  readonly offset: number;
  /** Lines to show at most. */
  readonly limit: number;
  /** Whether the rest of the file is read too, to count its lines. */
  readonly countAll: boolean;
  /** Bytes to look at, about. Default 1 GiB. */
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
}

/** Takes lines out of a file that comes in pieces. Memory stays flat, whatever the length of file and lines. */
export async function readWindow(chunks: AsyncIterable<Uint8Array>, options: WindowOptions): Promise<ReadWindow> {
  const reader = lineReader(options);
  const { maxBytes = SCANNED_BYTES } = options;
  let isFirst = true;
  let bytes = 0;
  for await (const chunk of chunks) {
    options.signal.throwIfAborted();
    if (chunk.length === 0) continue;
    const hasByteOrderMark = isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    isFirst = false;
    if (hasByteOrderMark) reader.skipByteOrderMark();
    reader.push(hasByteOrderMark ? chunk.subarray(3) : chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) reader.stop();
    if (reader.isDone()) break;
  }
  return reader.end();
}

function lineReader({ offset, limit, countAll }: WindowOptions) {
  const shown: string[] = [];
  const [cutLines, brokenLines, nulLines]: [number[], number[], number[]] = [[], [], []];
  const kept = new Uint8Array(LINE_BYTES + 1);
  let keptBytes = 0;
  let shownBytes = 0;
  /** The line that is being read, and its bytes so far. */
  let line = 1;
  let lineBytes = 0;
  let isFull = limit === 0;
  let nextLine: number | null = null;
  let isDone = false;
  let isOverLong = false;
  let hasByteOrderMark = false;

  const endLine = (isEnded: boolean) => {
    if (line >= offset && !isFull) showLine(isEnded);
    line += 1;
    lineBytes = 0;
    keptBytes = 0;
  };
  const showLine = (isEnded: boolean) => {
    const isCut = lineBytes > LINE_BYTES;
    const bytes = kept.subarray(0, isCut ? characterEnd(kept, LINE_BYTES) : keptBytes);
    const size = bytes.length + 1;
    if (shown.length === limit || (shown.length > 0 && shownBytes + size > WINDOW_BYTES)) {
      isFull = true;
      nextLine = line;
      return;
    }
    const decoded = decode(bytes);
    if (isCut) cutLines.push(line);
    if (decoded.isBroken) brokenLines.push(line);
    if (decoded.hasNul) nulLines.push(line);
    shown.push(
      `${decoded.text}${isCut ? `… [${isOverLong ? "at least " : ""}${lineBytes - bytes.length} more bytes in this line]` : ""}${isEnded ? "\n" : ""}`,
    );
    shownBytes += size;
  };
  const isPast = () => isFull || line < offset;

  return {
    skipByteOrderMark: () => {
      hasByteOrderMark = true;
    },
    isDone: () => isDone,
    stop() {
      if (isDone) return;
      isDone = true;
      isOverLong = true;
    },
    push(chunk: Uint8Array) {
      let at = 0;
      while (at < chunk.length) {
        if (shown.length === limit && !isFull) {
          isFull = true;
          nextLine = line;
        }
        if (isFull && !countAll) {
          isDone = true;
          return;
        }
        if (isPast()) {
          // lines that are only counted, up to the piece in which the first shown one begins
          const rest = at === 0 ? chunk : chunk.subarray(at);
          const newlines = countNewlines(rest);
          if (isFull || line + newlines < offset) {
            line += newlines;
            const lastBreak = rest.lastIndexOf(0x0a);
            lineBytes = lastBreak === -1 ? lineBytes + rest.length : rest.length - lastBreak - 1;
            return;
          }
        }
        const found = chunk.indexOf(0x0a, at);
        const end = found === -1 ? chunk.length : found;
        if (!isPast()) {
          const room = Math.min(end - at, kept.length - keptBytes);
          if (room > 0) kept.set(chunk.subarray(at, at + room), keptBytes);
          keptBytes += Math.max(0, room);
        }
        lineBytes += end - at;
        at = end + (found === -1 ? 0 : 1);
        if (found !== -1) endLine(true);
      }
    },
    end(): ReadWindow {
      if (lineBytes > 0) endLine(false);
      const totalLines = isDone ? null : line - 1;
      const more = { cutLines, brokenLines, nulLines, hasByteOrderMark, isOverLong };
      return { text: shown.join(""), lines: shown.length, nextLine, totalLines, ...more };
    },
  };
}

function decode(bytes: Uint8Array): { text: string; isBroken: boolean; hasNul: boolean } {
  const hasNul = bytes.includes(0);
  const visible = (text: string) => (hasNul ? text.replaceAll("\0", "␀") : text);
  try {
    return { text: visible(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)), isBroken: false, hasNul };
  } catch {
    return { text: visible(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)), isBroken: true, hasNul };
  }
}

/** Whether the first piece of a file is no text: a NUL byte, or more than a tenth of it no UTF-8. */
export function looksBinary(piece: Uint8Array): boolean {
  if (piece.includes(0)) return true;
  const sample = piece.subarray(0, characterEnd(piece, Math.min(piece.length, 8192)));
  const text = new TextDecoder("utf-8").decode(sample);
  const broken = text.split("\ufffd").length - 1;
  return broken * 10 > text.length;
}
