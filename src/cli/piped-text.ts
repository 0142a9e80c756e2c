import type { Readable } from "node:stream";
import { fail, isFailure } from "../base/fail.ts";

export interface PipedTextOptions {
  /** More than this is refused, whatever follows, without being held. */
  readonly maxBytes: number;
  /** Ends the waiting for input that does not come. */
  readonly signal: AbortSignal;
}

/**
 * All of standard input as text. Kinds: `stdin_error` with `reason` `unreadable`, `too_large`, `not_utf8` or `not_text` (it holds NUL
 * bytes), and `cancelled`.
 */
export async function readPipedText(stdin: Readable, { maxBytes, signal }: PipedTextOptions): Promise<string> {
  const bytes = await readAll(stdin, { maxBytes, signal });
  if (bytes.includes(0)) throw unusable("not_text", "holds NUL bytes, so it is no text");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw fail("stdin_error", "standard input is not UTF-8 text; convert it, for example with iconv", { reason: "not_utf8" }, { cause });
  }
}

async function readAll(stdin: Readable, { maxBytes, signal }: PipedTextOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = () => stdin.destroy();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxBytes) throw unusable("too_large", `holds more than ${maxBytes / 2 ** 20} MiB`);
      chunks.push(bytes);
    }
  } catch (cause) {
    if (size > maxBytes) throw cause;
    if (!signal.aborted) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw fail("stdin_error", `standard input cannot be read: ${why}`, { reason: "unreadable" }, { cause });
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  if (signal.aborted) throw isFailure(signal.reason) ? signal.reason : fail("cancelled", "interrupted while reading standard input");
  return Buffer.concat(chunks);
}

function unusable(reason: string, what: string) {
  return fail("stdin_error", `standard input ${what}`, { reason });
}
