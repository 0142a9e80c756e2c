import type { FileHandle } from "node:fs/promises";
import { fail } from "../base/fail.ts";
import { MAX_LINE_BYTES } from "./event-line.ts";
import { openRegular } from "./line-file.ts";
import { osFailure } from "./os-error.ts";

/** Both ends of a log, without what is between. */
export interface LogEnds {
  /** From the start: at least the first whole line and 64 KiB, where the log has as much. */
  readonly head: Buffer;
  /** The last whole line without its line feed; `null` when there is no whole line. */
  readonly last: Buffer | null;
  readonly sizeBytes: number;
}

const PIECE_BYTES = 64 * 1024;
const LINE_FEED = 10;

/** Reads no more than it must: two pieces of 64 KiB, unless the first or last line is longer. Kinds: not_found, log_read_failed, corrupt_log_line. */
export async function readEnds(path: string): Promise<LogEnds> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    const head = await grow(
      path,
      (bytes) => read(file, 0, Math.min(bytes, size)),
      (piece) => piece.length === size || piece.includes(LINE_FEED),
    );
    const tail = await grow(
      path,
      (bytes) => (size <= head.length ? Promise.resolve(head) : read(file, Math.max(0, size - bytes), Math.min(bytes, size))),
      (piece) => piece.length === size || lastLine(piece) !== undefined,
    );
    return { head, last: lastLine(tail, { isWholeFile: tail.length === size }) ?? null, sizeBytes: size };
  } catch (cause) {
    throw osFailure("log_read_failed", "read the log", { path, cause });
  } finally {
    await file.close();
  }
}

/** Twice as much each time, until it is enough. */
async function grow(path: string, take: (bytes: number) => Promise<Buffer>, isEnough: (piece: Buffer) => boolean): Promise<Buffer> {
  for (let bytes = PIECE_BYTES; bytes <= 4 * MAX_LINE_BYTES; bytes *= 2) {
    const piece = await take(bytes);
    if (isEnough(piece)) return piece;
  }
  throw fail("corrupt_log_line", "a line of the log is longer than any that is written", { reason: "line_too_long", path });
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const piece = Buffer.alloc(length);
  const { bytesRead } = await file.read(piece, 0, length, position);
  return piece.subarray(0, bytesRead);
}

/** The last line that ends with a line feed, when its start is in the piece too. */
function lastLine(piece: Buffer, { isWholeFile } = { isWholeFile: false }): Buffer | undefined {
  const end = piece.lastIndexOf(LINE_FEED);
  if (end === -1) return undefined;
  const before = end === 0 ? -1 : piece.lastIndexOf(LINE_FEED, end - 1);
  return before === -1 && !isWholeFile ? undefined : piece.subarray(before + 1, end);
}
