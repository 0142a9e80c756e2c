import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fdatasync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
} from "node:fs";
import { sha256 } from "../base/hash.ts";
import { withHostLock } from "./host-lock.ts";
import { hashFile, type OpenFile, openFile, writeWhole } from "./local-file.ts";
import { MissingFolders, writingOf } from "./local-folders.ts";
import { type Asked, findPlace, isWritable, type LocalDisk, passGate } from "./local-place.ts";
import { NEW_ONLY, publishNew, quietly } from "./local-publish.ts";
import { at, type Folder, isInPlace } from "./local-tree.ts";
import { osCode, osProblem } from "./os-error.ts";
import type { Location, SandboxPort } from "./port.ts";
import { changedFailure, notFoundFailure, outsideFailure, type Problem, problemFailure } from "./problem.ts";
import { type Entry, obstacleToFile, type Place } from "./walk.ts";

type Writing = Pick<SandboxPort, "write" | "remove">;

/** A file to be put in place. */
interface Target {
  readonly asked: string;
  readonly folder: Folder;
  readonly name: string;
  /** The file as the walk found it; `null` when there is none. */
  readonly entry: Entry | null;
  readonly before: string | null;
}

/** The writing half of the local sandbox. */
export function localWriting(disk: LocalDisk): Writing {
  return {
    write: (path, bytes, access) =>
      withPlace(disk, { path, access, kind: "write_failed" }, async (place, location) => {
        const { entry } = place;
        if (entry === null && access.before !== null) throw changedFailure(path, access.before, null);
        const folders = new MissingFolders(disk, path);
        try {
          const { folder, name } = folders.make(place);
          await publish({ asked: path, folder, name, entry, before: access.before }, bytes, access.mode & 0o777);
        } catch (error) {
          folders.undo();
          throw error;
        } finally {
          folders.release();
        }
        return { ...location, version: { sha256: sha256(bytes), size_bytes: bytes.length, mode: access.mode & 0o777 } };
      }),

    remove: (path, access) =>
      withPlace(disk, { path, access, kind: "write_failed" }, async ({ folder, below, entry }, location) => {
        const [name] = below;
        if (entry === null || folder === null || name === undefined) throw notFoundFailure(path);
        const target: Target = { asked: path, folder, name, entry, before: access.before };
        await whileSame(target, entry, () => unlinkSync(at(folder, name)));
        return location;
      }),
  };
}

/** Walks, asks the gate, refuses what can be no file, and lets `use` go on in the open folder. */
async function withPlace<T>(disk: LocalDisk, asked: Asked, use: (place: Place<Folder>, location: Location) => Promise<T>): Promise<T> {
  const { path, access } = asked;
  const place = findPlace(disk, asked);
  try {
    if (!isWritable(disk, place.path)) throw outsideFailure(path, "read_only_root");
    const location = await passGate(disk, access, place);
    const obstacle = place.folder === null ? (place.problem ?? { reason: "moved" }) : obstacleToFile(place);
    if (obstacle !== null) throw problemFailure("write_failed", path, obstacle);
    return await use(place, location);
  } finally {
    if (place.folder !== null) disk.tree.release(place.folder);
  }
}

/** Writes a temporary file beside the target and puts it in its place in one step. */
async function publish(target: Target, bytes: Uint8Array, mode: number): Promise<void> {
  const { asked, folder, name, entry, before } = target;
  if (!isInPlace(folder)) throw changedFailure(asked, before, undefined);
  if (entry !== null) writingOf(asked, () => accessSync(at(folder, name), constants.W_OK));
  const temporary = `.collet-${randomBytes(8).toString("hex")}.tmp`;
  const place = at(folder, temporary);
  const fd = writingOf(asked, () => openSync(place, NEW_ONLY, 0o600));
  try {
    await fill(target, fd, bytes, mode);
    if (entry === null) {
      publishAsNew(target, place);
      return;
    }
    await whileSame(target, entry, () => renameSync(place, at(folder, name)));
  } catch (error) {
    quietly(() => unlinkSync(place));
    throw error;
  }
}

/** Fills the temporary file; it is closed whatever happens. */
async function fill({ asked, entry }: Target, fd: number, bytes: Uint8Array, mode: number): Promise<void> {
  let isOpen = true;
  try {
    await writeWhole(fd, bytes);
    if (entry !== null) keepOwner(asked, fd, entry);
    fchmodSync(fd, mode);
    await syncData(fd);
    isOpen = false;
    // some file systems tell only now that there was no space
    closeSync(fd);
  } catch (error) {
    if (isOpen) closeSync(fd);
    throw osCode(error) === "" ? error : problemFailure("write_failed", asked, osProblem(error));
  }
}

/** A replaced file keeps its owner and group; where that is not permitted nothing is written. */
function keepOwner(asked: string, fd: number, { uid, gid }: Entry): void {
  const now = fstatSync(fd);
  if (now.uid === uid && now.gid === gid) return;
  try {
    fchownSync(fd, uid, gid);
  } catch (error) {
    const problem: Problem = { ...osProblem(error), reason: "owner_would_change", more: { uid, gid } };
    throw problemFailure("write_failed", asked, problem);
  }
}

function syncData(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(fd, (error) => (error ? reject(error) : resolve()));
  });
}

/** The temporary file becomes the target, unless the name is taken or the folder moved by now. */
function publishAsNew({ asked, folder, name, before }: Target, place: string): void {
  if (!isInPlace(folder)) throw changedFailure(asked, before, undefined);
  try {
    publishNew(place, at(folder, name));
  } catch (error) {
    throw osCode(error) === "EEXIST" ? changedFailure(asked, before, undefined) : problemFailure("write_failed", asked, osProblem(error));
  }
}

/**
 * Does the act, alone on this machine, if the file has the hash that the plan read, and compares right before it, without reading, that the file hashed is still
 * the one at the name and that its folder has not been moved. The file is held open until then: the number of one that is replaced would
 * soon be that of the next, and the clock of its times ticks only every few ms.
 */
async function whileSame(target: Target, { dev, ino }: Entry, act: () => void): Promise<void> {
  // two that mean to replace one file, each having found it as it was planned
  await withHostLock(`${dev}-${ino}`, () => ifSame(target, act));
}

async function ifSame({ asked, folder, name, before }: Target, act: () => void): Promise<void> {
  const file = openFile(folder, name);
  if ("reason" in file)
    throw file.reason === "changed" ? changedFailure(asked, before, undefined) : problemFailure("write_failed", asked, file);
  try {
    const found = await hashOf(asked, file);
    if (found !== before) throw changedFailure(asked, before, found);
    const now = lstatSync(at(folder, name), { throwIfNoEntry: false });
    const isSame = now?.dev === file.entry.dev && now.ino === file.entry.ino && now.ctimeMs === file.ctimeMs;
    if (!isSame || !isInPlace(folder)) throw changedFailure(asked, before, undefined);
    writingOf(asked, act);
  } finally {
    closeSync(file.fd);
  }
}

async function hashOf(asked: string, file: OpenFile): Promise<string> {
  try {
    return (await hashFile(file)).sha256;
  } catch (error) {
    throw problemFailure("write_failed", asked, osProblem(error));
  }
}
