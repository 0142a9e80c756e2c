import { closeSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { SPILL_PART_BYTES, type SpillSink, spillTailPath, splitSpill } from "../base/spill.ts";
import { characterStart } from "../base/utf8-edge.ts";
import { osCode } from "./os-error.ts";

/** What stands on disk after a spill. */
export interface SpillReport {
  /** File of the output's first 32 MiB; `null` when there was nothing to keep, or it could not be kept. */
  readonly path: string | null;
  /** File of the last 32 MiB, when there was more than the first part. */
  readonly tailPath: string | null;
  /** Bytes between the two files, which were not kept. */
  readonly droppedBytes: number;
  /** Code of the system's error (`ENOSPC`) when the spill was given up; then nothing of it is left on disk. */
  readonly failed: string | null;
}

export interface SpillFile {
  readonly sink: SpillSink;
  /** Finishes the files. May be called twice, and says the same. */
  close(): SpillReport;
}

/**
 * A spill on disk: `name.txt` and, for output above 32 MiB, `name.tail.txt` in `dir`, which is made when it is missing. Files are made
 * when the first byte comes, with mode 0600, and never reused: a name that is taken fails the spill. Writing is synchronous: the process
 * that prints waits. At most 96 MiB are used while it runs and 64 MiB afterwards. It never throws: a full disk gives up the spill, not
 * the command.
 * @param name a file name: letters, digits, `.`, `_` and `-`, no dot first.
 */
export function createSpillFile(dir: string, name: string): SpillFile {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(name)) throw new TypeError(`createSpillFile(): "${name}" is no name for a file`);
  const path = join(dir, `${name}.txt`);
  const tailPath = spillTailPath(path);
  let head: number | null = null;
  let ring: RingFile | null = null;
  let failed: string | null = null;
  let report: SpillReport | null = null;

  /** Runs a step, unless the spill has been given up or closed. */
  function attempt(step: () => void): void {
    if (failed !== null || report !== null) return;
    try {
      step();
    } catch (error) {
      failed = osCode(error) ?? "unknown";
      // what is not ours stays: a name that was taken
      if (head !== null) discard(head, path);
      ring?.discard();
    }
  }

  const files: SpillSink = {
    head(bytes) {
      if (head === null) {
        mkdirSync(dir, { recursive: true, mode: 0o700 });
        head = openSync(path, "wx", 0o600);
      }
      writeAll(head, bytes);
    },
    tail(bytes) {
      ring ??= createRingFile(tailPath);
      ring.push(bytes);
    },
  };
  const write = splitSpill(files);

  return {
    sink: {
      head: (bytes) => attempt(() => write(bytes)),
      tail: (bytes) => attempt(() => files.tail(bytes)),
    },
    close() {
      if (report !== null) return report;
      let droppedBytes = 0;
      attempt(() => {
        droppedBytes = ring?.finish() ?? 0;
        if (head !== null) closeSync(head);
      });
      const isKept = failed === null;
      report = {
        path: isKept && head !== null ? path : null,
        tailPath: isKept && ring !== null ? tailPath : null,
        droppedBytes,
        failed,
      };
      return report;
    },
  };
}

interface RingFile {
  push(bytes: Uint8Array): void;
  /** Puts the bytes in order and closes the file. Returns how many of those that were pushed are not in it. */
  finish(): number;
  /** Closes and removes the file. */
  discard(): void;
}

/** A file that keeps the last 32 MiB: what comes overwrites the oldest in place, so neither disk nor page cache grows. */
function createRingFile(path: string): RingFile {
  const ring = openSync(path, "wx+", 0o600);
  let pushed = 0;
  return {
    push(bytes) {
      for (let from = 0; from < bytes.length; ) {
        const at = pushed % SPILL_PART_BYTES;
        const part = bytes.subarray(from, from + SPILL_PART_BYTES - at);
        writeAll(ring, part, at);
        from += part.length;
        pushed += part.length;
      }
    },
    finish() {
      const overwritten = Math.max(0, pushed - SPILL_PART_BYTES);
      const split = overwritten === 0 ? 0 : putInOrder(ring, { path, oldest: pushed % SPILL_PART_BYTES });
      closeSync(ring);
      return overwritten + split;
    },
    discard: () => discard(ring, path),
  };
}

/** Replaces a full ring by a file that begins with its oldest byte. Returns how many bytes of a character without its beginning it left out. */
function putInOrder(ring: number, { path, oldest }: { readonly path: string; readonly oldest: number }): number {
  const newPath = `${path}.new`;
  const target = openSync(newPath, "wx", 0o600);
  const piece = new Uint8Array(256 * 1024);
  let split = 0;
  try {
    for (let copied = 0; copied < SPILL_PART_BYTES; ) {
      const at = (oldest + copied) % SPILL_PART_BYTES;
      const size = Math.min(piece.length, SPILL_PART_BYTES - at, SPILL_PART_BYTES - copied);
      const bytes = piece.subarray(0, readSync(ring, piece, 0, size, at));
      if (bytes.length === 0) throw new Error("the spill was made shorter by someone else");
      if (copied === 0) split = characterStart(bytes, 0);
      writeAll(target, copied === 0 ? bytes.subarray(split) : bytes);
      copied += bytes.length;
    }
    renameSync(newPath, path);
    return split;
  } catch (error) {
    rmSync(newPath, { force: true });
    throw error;
  } finally {
    closeSync(target);
  }
}

function discard(file: number, path: string): void {
  try {
    closeSync(file);
  } catch {
    // closing is what failed, or was done before
  }
  rmSync(path, { force: true });
}

function writeAll(file: number, bytes: Uint8Array, position: number | null = null): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position === null ? null : position + done);
  }
}
