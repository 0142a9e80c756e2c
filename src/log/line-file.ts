import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { fail } from "../base/fail.ts";
import { MAX_LINE_BYTES } from "./event-line.ts";
import { osCode, osFailure } from "./os-error.ts";

/** One line as it stands in the file, without its line feed. */
export interface RawLine {
  /** From 1. */
  readonly number: number;
  readonly sizeBytes: number;
  /** `null`: longer than 16 MiB, and not held. Valid until the next lines are asked for. */
  readonly bytes: Buffer | null;
  /** False: the file ends without a line feed after it. */
  readonly isWhole: boolean;
}

/**
 * The lines of a file, a batch for each piece that was read; memory stays within one line. Only a regular file is read, and no link is
 * followed. Kinds: not_found, log_read_failed.
 */
export async function* readLines(path: string): AsyncGenerator<readonly RawLine[]> {
  const file = await openRegular(path);
  try {
    const piece = Buffer.allocUnsafe(256 * 1024);
    const open = new OpenLine();
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length, null).catch((cause) => {
        throw osFailure("log_read_failed", "read the log", { path, cause });
      });
      if (bytesRead === 0) break;
      yield open.cut(piece.subarray(0, bytesRead));
    }
    const rest = open.rest();
    if (rest) yield [rest];
  } finally {
    await file.close();
  }
}

/** Opens a regular file for reading. A pipe or device is refused and not waited for. */
export async function openRegular(path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((cause) => {
    if (osCode(cause) === "ENOENT" || osCode(cause) === "ENOTDIR") throw fail("not_found", `there is no ${path}`, { path }, { cause });
    throw osFailure("log_read_failed", "read the log", { path, cause });
  });
  try {
    if (!(await file.stat()).isFile()) throw fail("log_read_failed", `${path} is no regular file`, { reason: "no_regular_file", path });
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The line that runs over the edges of pieces. */
class OpenLine {
  #parts: Buffer[] = [];
  #size = 0;
  #number = 1;

  cut(piece: Buffer): RawLine[] {
    const lines: RawLine[] = [];
    let from = 0;
    for (let to = piece.indexOf(10); to !== -1; to = piece.indexOf(10, from)) {
      lines.push(this.#close(piece.subarray(from, to), true));
      from = to + 1;
    }
    // the piece is filled anew
    if (from < piece.length) this.#keep(Buffer.from(piece.subarray(from)));
    return lines;
  }

  rest(): RawLine | undefined {
    return this.#size === 0 ? undefined : this.#close(Buffer.alloc(0), false);
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size <= MAX_LINE_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }

  #close(end: Buffer, isWhole: boolean): RawLine {
    const sizeBytes = this.#size + end.length;
    const isShort = sizeBytes <= MAX_LINE_BYTES;
    const bytes = !isShort ? null : this.#size === 0 ? end : Buffer.concat([...this.#parts, end]);
    this.#parts = [];
    this.#size = 0;
    return { number: this.#number++, sizeBytes, bytes, isWhole };
  }
}
