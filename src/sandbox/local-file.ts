import { closeSync, constants, fstatSync, lstatSync, openSync, read, readSync, write, writeSync } from "node:fs";
import { sha256Stream } from "../base/hash.ts";
import { at, entryOf, type Folder, isInPlace } from "./local-tree.ts";
import { osProblem } from "./os-error.ts";
import type { Problem } from "./problem.ts";
import type { Entry } from "./walk.ts";

/** Up to this size a file is read and written in the caller's own step: a thread costs more than a copy from the page cache (measured). */
export const SMALL_BYTES = 256 * 1024;
/** What is read at once of a larger file. */
export const PIECE_BYTES = 128 * 1024;

export interface OpenFile {
  readonly fd: number;
  readonly entry: Entry;
  /** Of the open: any change of the file since then makes it another. */
  readonly ctimeMs: number;
}

/**
 * Opens a regular file for reading, never through a link, and never waiting: a pipe or device that was put there since the look is closed
 * again at once.
 */
export function openFile(folder: Folder, name: string): OpenFile | Problem {
  let fd: number;
  try {
    fd = openSync(at(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    return osProblem(error);
  }
  const stats = fstatSync(fd);
  const entry = entryOf(stats);
  if (entry.type === "file" && (folder.fd !== null || isStillThere(folder, name, entry))) return { fd, entry, ctimeMs: stats.ctimeMs };
  closeSync(fd);
  return { reason: "changed" };
}

/**
 * Without descriptor paths the folder may have been exchanged for a link before the open: what is at the path now must be what was opened.
 */
function isStillThere(folder: Folder, name: string, { dev, ino }: Entry): boolean {
  if (!isInPlace(folder)) return false;
  const now = lstatSync(at(folder, name), { throwIfNoEntry: false });
  return now?.dev === dev && now.ino === ino && isInPlace(folder);
}

/** Reads at `position` into the whole of `into`, or less at the end; 0 at the end. */
export function readPiece(fd: number, into: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, into, 0, into.length, position, (error, bytesRead) => (error ? reject(error) : resolve(bytesRead)));
  });
}

/** Bytes, hash and true length of a file that has at most `maxBytes`; `null` when it has more. */
export async function readWhole({ fd, entry }: OpenFile, maxBytes: number): Promise<{ bytes: Uint8Array; sha256: string } | null> {
  if (entry.size_bytes > maxBytes) return null;
  const hash = sha256Stream();
  // one byte more than it says, so that the end is seen without growing
  let buffer = new Uint8Array(entry.size_bytes + 1);
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      const larger = new Uint8Array(Math.min(length * 2 + PIECE_BYTES, maxBytes + 1));
      larger.set(buffer);
      buffer = larger;
    }
    const isSmall = length < SMALL_BYTES && entry.size_bytes <= SMALL_BYTES;
    const free = buffer.subarray(length, isSmall ? buffer.length : length + 8 * PIECE_BYTES);
    const count = isSmall ? readSync(fd, free, 0, free.length, length) : await readPiece(fd, free, length);
    if (count === 0) return { bytes: buffer.subarray(0, length), sha256: hash.digest("hex") };
    hash.update(free.subarray(0, count));
    length += count;
    if (length > maxBytes) return null;
  }
}

/** Hash and true length of a file of any size, in flat memory. */
export async function hashFile({ fd, entry }: OpenFile): Promise<{ sha256: string; size_bytes: number }> {
  const hash = sha256Stream();
  const buffer = new Uint8Array(Math.min(entry.size_bytes + 1, PIECE_BYTES));
  let length = 0;
  for (;;) {
    const isSmall = length < SMALL_BYTES && entry.size_bytes <= SMALL_BYTES;
    const count = isSmall ? readSync(fd, buffer, 0, buffer.length, length) : await readPiece(fd, buffer, length);
    if (count === 0) return { sha256: hash.digest("hex"), size_bytes: length };
    hash.update(buffer.subarray(0, count));
    length += count;
  }
}

/** Writes all bytes from the start of a file. */
export async function writeWhole(fd: number, bytes: Uint8Array): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const rest = bytes.subarray(done, done + 8 * PIECE_BYTES);
    done += bytes.length <= SMALL_BYTES ? writeSync(fd, rest, 0, rest.length, done) : await writePiece(fd, rest, done);
  }
}

function writePiece(fd: number, bytes: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, position, (error, count) => (error ? reject(error) : resolve(count)));
  });
}
