import type { Readable } from "node:stream";
import { fail } from "../base/fail.ts";

/** One line of input. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without the line feed; "" when there is a problem. */
  readonly text: string;
  /** Why the line cannot be used: it is too long, or no UTF-8. */
  readonly problem: string | null;
}

export interface ReadLinesOptions {
  /** A longer line is told as a problem as soon as it is, and passed over without being held. */
  readonly maxBytes: number;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

const LINE_FEED = 0x0a;

/**
 * Lines as the bytes 0x0a end them, and no other character: U+2028 and a lone carriage return are part of a line. The last line needs no
 * end. No more is read than was asked for. Kind: `stdin_error`.
 */
export async function* readLines(stdin: Readable, { maxBytes, signal }: ReadLinesOptions): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: Buffer[] = [];
  let size = 0;
  let number = 0;
  let isTold = false;
  const decoded = (bytes: Buffer): Line => {
    try {
      return { number, text: decoder.decode(bytes), problem: null };
    } catch {
      return { number, text: "", problem: "is not UTF-8" };
    }
  };
  /** Takes a piece of a line: what there is to tell of the line with it. */
  const take = (piece: Buffer, { isEnd }: { readonly isEnd: boolean }): Line | null => {
    size += piece.length;
    parts.push(piece);
    if (size > maxBytes) parts = [];
    const isTooLong = size > maxBytes;
    let line: Line | null = null;
    if (!isTold && (isEnd || isTooLong)) {
      number++;
      line = isTooLong ? { number, text: "", problem: `is longer than ${maxBytes / 2 ** 20} MiB` } : decoded(Buffer.concat(parts));
    }
    isTold = isTooLong && !isEnd;
    if (isEnd) {
      parts = [];
      size = 0;
    }
    return line;
  };
  for await (const chunk of chunksOf(stdin, signal)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const line = take(chunk.subarray(from, end), { isEnd: true });
      from = end + 1;
      if (line) yield line;
    }
    const line = from < chunk.length ? take(chunk.subarray(from), { isEnd: false }) : null;
    if (line) yield line;
  }
  if (size > 0 && !signal.aborted) {
    const line = take(Buffer.alloc(0), { isEnd: true });
    if (line) yield line;
  }
}

async function* chunksOf(stdin: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const stop = () => stdin.destroy();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    for await (const chunk of stdin) yield Buffer.from(chunk);
  } catch (cause) {
    if (signal.aborted) return;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw fail("stdin_error", `standard input cannot be read: ${why}`, { reason: "unreadable" }, { cause });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
