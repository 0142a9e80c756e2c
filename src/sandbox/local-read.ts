import { closeSync, type Dirent, fstatSync, lstatSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { hashFile, type OpenFile, PIECE_BYTES, readPiece, readWhole } from "./local-file.ts";
import { type Asked, findPlace, type LocalDisk, passGate, withFile } from "./local-place.ts";
import { entryOf, type Folder, isInPlace, self } from "./local-tree.ts";
import { osProblem } from "./os-error.ts";
import type { Access, DirectoryEntry, FileStream, SandboxPort } from "./port.ts";
import { notFoundFailure, type Problem, problemFailure } from "./problem.ts";
import type { Entry } from "./walk.ts";

type Reading = Pick<SandboxPort, "stat" | "read" | "stream" | "version" | "list">;

/** The reading half of the local sandbox. */
export function localReading(disk: LocalDisk): Reading {
  const asked = (path: string, access: Access): Asked => ({ path, access, kind: "read_failed" });
  return {
    async stat(path, access) {
      const place = findPlace(disk, asked(path, access));
      try {
        const { folder } = place;
        const isFolder = place.below.length === 0 && folder !== null;
        const entry = isFolder ? await readingOf(path, async () => folderEntry(folder)) : place.entry;
        const location = await passGate(disk, access, { path: place.path, entry });
        if (place.problem !== null) throw problemFailure("read_failed", path, place.problem);
        if (entry === null) return null;
        const type = entry.type === "file" || entry.type === "directory" ? entry.type : "other";
        return { ...location, type, size_bytes: entry.size_bytes, mode: entry.mode };
      } finally {
        if (place.folder !== null) disk.tree.release(place.folder);
      }
    },

    read: (path, access) =>
      withFile(disk, asked(path, access), async ({ file, location }) => {
        if (file === null) throw notFoundFailure(path);
        const whole = await readingOf(path, () => readWhole(file, access.maxBytes));
        if (whole === null) throw tooLarge(path, file, access.maxBytes);
        const { bytes, sha256 } = whole;
        return { ...location, bytes, version: { sha256, size_bytes: bytes.length, mode: file.entry.mode } };
      }),

    stream: (path, access) =>
      withFile(disk, asked(path, access), async ({ file, location }, keep) => {
        if (file === null) throw notFoundFailure(path);
        keep();
        return { ...location, size_bytes: file.entry.size_bytes, ...streamOf(path, file) };
      }),

    version: (path, access) =>
      withFile(disk, asked(path, access), async ({ file, location }) => {
        if (file === null) return { ...location, version: null };
        return { ...location, version: { ...(await readingOf(path, () => hashFile(file))), mode: file.entry.mode } };
      }),

    async list(path, access) {
      const place = findPlace(disk, { ...asked(path, access), asFolder: true });
      try {
        const location = await passGate(disk, access, { path: place.path, entry: null });
        if (place.problem !== null) throw problemFailure("read_failed", path, place.problem);
        if (place.folder === null || place.below.length > 0) throw notFoundFailure(path);
        const folder = place.folder;
        const entries = await readingOf(path, () => entriesOf(folder));
        if (folder.fd === null && !isInPlace(folder)) throw problemFailure("read_failed", path, { reason: "changed" });
        return { ...location, entries };
      } finally {
        if (place.folder !== null) disk.tree.release(place.folder);
      }
    },
  };
}

function folderEntry(folder: Folder): Entry {
  return entryOf(folder.fd === null ? lstatSync(folder.path) : fstatSync(folder.fd));
}

/** Runs a step that reads, and tells what the system says as `read_failed`. */
async function readingOf<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw problemFailure("read_failed", path, osProblem(error));
  }
}

function tooLarge(path: string, file: OpenFile, maxBytes: number): Error {
  const sizes = { size_bytes: fstatSync(file.fd).size, max_bytes: maxBytes };
  const problem: Problem = { reason: "too_large", more: sizes };
  return problemFailure("read_failed", path, problem);
}

/** What is read at the end of a file, where there is nothing unless it grew. */
const SMALL_PIECE_BYTES = 4 * 1024;

/** Pieces of a file. The descriptor is closed only when no read is on its way: its number may be another file's a moment later. */
function streamOf(path: string, { fd, entry }: OpenFile): Pick<FileStream, "chunks" | "close"> {
  let reading: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= reading.then(
      () => closeSync(fd),
      () => closeSync(fd),
    );
    return closing;
  };
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (let position = 0; ; ) {
        if (closing !== null) throw problemFailure("read_failed", path, { reason: "closed" });
        const piece = new Uint8Array(Math.min(Math.max(entry.size_bytes - position, SMALL_PIECE_BYTES), PIECE_BYTES));
        const step = readPiece(fd, piece, position);
        reading = step;
        const count = await readingOf(path, () => step);
        if (count === 0) return;
        position += count;
        yield piece.subarray(0, count);
      }
    } finally {
      await close();
    }
  }
  return { chunks: pieces(), close };
}

/** Folders up to this size (of the folder itself) are listed in the caller's own step. */
const SMALL_FOLDER_BYTES = 64 * 1024;

async function entriesOf(folder: Folder): Promise<DirectoryEntry[]> {
  const isSmall = folderEntry(folder).size_bytes <= SMALL_FOLDER_BYTES;
  const found = isSmall ? readdirSync(self(folder), { withFileTypes: true }) : await readdir(self(folder), { withFileTypes: true });
  return found.map((entry) => ({ name: entry.name, type: typeOf(entry) })).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function typeOf(entry: Dirent): DirectoryEntry["type"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}
