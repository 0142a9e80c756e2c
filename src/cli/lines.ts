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
  /** A longer line is passed over without being held, and told as a problem. */
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
  const finish = (): Line => {
    const bytes = Buffer.concat(parts);
    const isTooLong = size > maxBytes;
    parts = [];
    size = 0;
    number++;
    if (isTooLong) return { number, text: "", problem: `is longer than ${maxBytes / 2 ** 20} MiB` };
    try {
      return { number, text: decoder.decode(bytes), problem: null };
    } catch {
      return { number, text: "", problem: "is not UTF-8" };
    }
  };
  const take = (bytes: Buffer): void => {
    size += bytes.length;
    if (size > maxBytes) parts = [];
    else parts.push(bytes);
  };
  for await (const chunk of chunksOf(stdin, signal)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, end));
      from = end + 1;
      yield finish();
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (size > 0 && !signal.aborted) yield finish();
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
