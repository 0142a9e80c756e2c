import { closeSync, constants, fdatasync, fstatSync, fsync, ftruncateSync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { type Failure, fail } from "../base/fail.ts";
import { osCode, osFailure } from "./os-error.ts";

const dataSync = promisify(fdatasync);
const folderSync = promisify(fsync);

/**
 * A file that only grows, by whole lines, with one writer. After a failed append the file is as before; where that cannot be brought
 * about, and after a failed sync (what the system did with the data is then unknown), every later append fails with the same failure.
 */
export class AppendFile {
  readonly path: string;
  readonly #fd: number;
  #size = 0;
  #syncedSize = 0;
  #broken: Failure | null = null;
  #closed = false;

  /** Makes the file, which must not be there yet, with mode 0600. Throws the system's error. */
  constructor(path: string) {
    this.path = path;
    const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    this.#fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  }

  /** Throws what every append would throw from now on, if there is something. */
  refuseBroken(): void {
    if (this.#broken) throw this.#broken;
  }

  /** The failure with which every append fails from now on; the first one stands. */
  breakWith(failure: Failure): Failure {
    this.#broken ??= failure;
    return this.#broken;
  }

  /** Writes all of it before it returns. Kind: log_write_failed. */
  append(line: Uint8Array): void {
    this.refuseBroken();
    let written = 0;
    try {
      while (written < line.length) written += writeSync(this.#fd, line, written, line.length - written);
    } catch (cause) {
      this.#takeBack(written);
      throw osFailure("log_write_failed", "write the log", { path: this.path, cause });
    }
    this.#size += line.length;
    this.#checkPlace();
  }

  /** Brings what was written until now to the disk. One at a time. Kind: log_write_failed. */
  async sync(): Promise<void> {
    this.refuseBroken();
    const size = this.#size;
    try {
      if (size > this.#syncedSize) await dataSync(this.#fd);
    } catch (cause) {
      throw this.breakWith(osFailure("log_write_failed", "bring the log to the disk", { path: this.path, cause }));
    }
    this.#syncedSize = size;
    this.#checkPlace();
  }

  /** Safe to call twice. No sync may be under way. Later appends are `session_record_unavailable`. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // whatever broke it before: the descriptor may soon be another file's
    this.#broken = fail("session_record_unavailable", "the session log is closed", { path: this.path });
    closeSync(this.#fd);
  }

  /** A log that was deleted or that someone else writes to takes bytes without an error, and nobody would find them again. */
  #checkPlace(): void {
    const { nlink, size } = fstatSync(this.#fd);
    if (nlink === 0) throw this.breakWith(this.#lost("gone", "the log was deleted while it was written"));
    if (size !== this.#size) throw this.breakWith(this.#lost("changed_by_another", "someone else changed the log while it was written"));
  }

  #takeBack(written: number): void {
    if (written === 0) return;
    try {
      const { size } = fstatSync(this.#fd);
      if (size !== this.#size + written) throw this.#lost("changed_by_another", "someone else changed the log while it was written");
      ftruncateSync(this.#fd, this.#size);
    } catch (cause) {
      this.breakWith(osFailure("log_write_failed", "take back a torn line of the log", { path: this.path, cause }));
    }
  }

  #lost(reason: string, message: string): Failure {
    return fail("log_write_failed", message, { reason, path: this.path });
  }
}

/** Brings a folder's entries to the disk, where its file system can do that. Throws the system's error. */
export async function syncFolder(path: string): Promise<void> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folderSync(fd);
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "ENOSYS"].includes(osCode(error) ?? "")) throw error;
  } finally {
    closeSync(fd);
  }
}

/** Waits for all, also when one fails: a descriptor must not be closed under a sync. Throws the first failure. */
export async function allDone(work: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(work)) if (end.status === "rejected") throw end.reason;
}
