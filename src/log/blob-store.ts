import { createHash } from "node:crypto";
import { closeSync, constants, fsync, lstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { allDone, syncFolder } from "./append-file.ts";
import type { BlobRef } from "./events.ts";
import { osCode, osFailure } from "./os-error.ts";

const fileSync = promisify(fsync);
const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const NEW_FILE = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;

/** Content by its hash, written once. What is put is on disk only after the log's `sync`. Kind of every failure: log_write_failed. */
export interface BlobStore {
  readonly dir: string;
  /** For bytes that may be many: before-images, images. They must not change until it is done. */
  put(bytes: Uint8Array, mimeType: string): Promise<BlobRef>;
  /** For text that goes with a line of the log. */
  putSync(bytes: Uint8Array, mimeType: string): BlobRef;
}

/** Files named by their hash, mode 0600; a temporary file is renamed, so a name never stands for a part. */
export class FolderBlobs implements BlobStore {
  readonly dir: string;
  readonly #unsynced = new Set<string>();
  readonly #synced = new Set<string>();
  #temporaries = 0;

  constructor(dir: string) {
    this.dir = dir;
  }

  async put(bytes: Uint8Array, mimeType: string): Promise<BlobRef> {
    const ref = refOf(bytes, mimeType);
    if (this.#has(ref)) return ref;
    const temporary = this.#temporary();
    try {
      const file = await open(temporary, NEW_FILE, 0o600);
      try {
        for (let written = 0; written < bytes.length; ) written += (await file.write(bytes, written)).bytesWritten;
      } finally {
        await file.close();
      }
      this.#publish(temporary, ref);
    } catch (cause) {
      throw this.#failure(temporary, cause);
    }
    return ref;
  }

  putSync(bytes: Uint8Array, mimeType: string): BlobRef {
    const ref = refOf(bytes, mimeType);
    if (this.#has(ref)) return ref;
    const temporary = this.#temporary();
    try {
      const fd = openSync(temporary, NEW_FILE, 0o600);
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
      } finally {
        closeSync(fd);
      }
      this.#publish(temporary, ref);
    } catch (cause) {
      throw this.#failure(temporary, cause);
    }
    return ref;
  }

  /** Brings every blob that was put until now, and the folder, to the disk. One at a time. */
  async sync(): Promise<void> {
    if (this.#unsynced.size === 0) return;
    const batch = [...this.#unsynced];
    // what is put from here on is for the next sync, even when it is the same content again
    this.#unsynced.clear();
    try {
      // one file after the other: as many descriptors as blobs could be too many; the folder beside them: renames are all done
      await allDone([this.#syncFiles(batch), syncFolder(this.dir)]);
    } catch (cause) {
      throw osFailure("log_write_failed", "bring a blob to the disk", { path: this.dir, cause });
    }
    for (const sha256 of batch) this.#synced.add(sha256);
  }

  async #syncFiles(batch: readonly string[]): Promise<void> {
    for (const sha256 of batch) await syncFile(join(this.dir, sha256));
  }

  /** A file of the right size is taken as right: a part never gets the name, but a crash may leave an empty one. */
  #has({ sha256, size_bytes }: BlobRef): boolean {
    const path = join(this.dir, sha256);
    try {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (!stat?.isFile() || stat.size !== size_bytes) return false;
    } catch (cause) {
      throw osFailure("log_write_failed", "look for a blob", { path, cause });
    }
    if (!this.#synced.has(sha256)) this.#unsynced.add(sha256);
    return true;
  }

  #publish(temporary: string, { sha256 }: BlobRef): void {
    renameSync(temporary, join(this.dir, sha256));
    this.#synced.delete(sha256);
    this.#unsynced.add(sha256);
  }

  #temporary(): string {
    // the folder has one writer at a time, but an earlier one may have died in the middle
    for (;;) {
      const path = join(this.dir, `.new-${process.pid}-${this.#temporaries++}`);
      if (!lstatSync(path, { throwIfNoEntry: false })) return path;
    }
  }

  #failure(temporary: string, cause: unknown): Error {
    if (osCode(cause) !== "EEXIST") rmSync(temporary, { force: true });
    return osFailure("log_write_failed", "write a blob", { path: this.dir, cause });
  }
}

/** How the content is referred to, without storing it. */
export function refOf(bytes: Uint8Array, mimeType: string): BlobRef {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), size_bytes: bytes.length, mime_type: mimeType };
}

async function syncFile(path: string): Promise<void> {
  const fd = openSync(path, constants.O_RDONLY | O_NOFOLLOW);
  try {
    await fileSync(fd);
  } finally {
    closeSync(fd);
  }
}
