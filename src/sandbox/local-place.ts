import { closeSync, statSync } from "node:fs";
import { isWithin } from "../base/real-path.ts";
import { confinedPath } from "./asked-path.ts";
import { type OpenFile, openFile } from "./local-file.ts";
import type { Folder } from "./local-tree.ts";
import type { Access, Location } from "./port.ts";
import { outsideFailure, type Problem, problemFailure } from "./problem.ts";
import { type Entry, obstacleToFile, type Place, type Root, type Tree, walk } from "./walk.ts";

/** What the file methods of the local sandbox work on. */
export interface LocalDisk {
  readonly tree: Tree<Folder>;
  /** Called at each use: a session's spill folder comes later than the sandbox. */
  readonly roots: () => readonly Root[];
  /** Guarded files that may exist, absolute. */
  readonly guarded: () => readonly string[];
}

export interface Asked {
  readonly path: string;
  readonly access: Access;
  /** What goes wrong is told as this. */
  readonly kind: "read_failed" | "write_failed";
  /** The path is taken as a folder's, as if it ended in `/`. */
  readonly asFolder?: true;
}

/** Walks to the place. Its folder must be released. Kinds: outside_workspace, and `kind` for a path that no file can have. */
export function findPlace(disk: LocalDisk, asked: Asked): Place<Folder> {
  const text = confinedPath(asked.path, asked.kind);
  const mustBeFolder = asked.asFolder ?? text.mustBeFolder;
  const found = walk(disk.tree, disk.roots(), { ...text, mustBeFolder, cwd: asked.access.cwd });
  if (found === "outside") throw outsideFailure(asked.path, "outside");
  return found;
}

/** Tells the gate where the path leads, and nothing else; returns that place. */
export async function passGate(
  disk: LocalDisk,
  access: Access,
  found: { readonly path: string; readonly entry: Entry | null },
): Promise<Location> {
  const also = found.entry === null ? [] : guardedNames(disk, found.path, found.entry);
  const location: Location = also.length === 0 ? { path: found.path } : { path: found.path, also };
  await access.gate(location);
  return location;
}

/** The guarded files that are the same file by another name. */
export function guardedNames(disk: LocalDisk, path: string, entry: Entry): readonly string[] {
  if (entry.type !== "file" || entry.nlink < 2) return [];
  return disk.guarded().filter((guarded) => {
    if (guarded === path) return false;
    try {
      const stats = statSync(guarded, { throwIfNoEntry: false });
      return stats?.dev === entry.dev && stats.ino === entry.ino;
    } catch {
      // a guarded file that cannot be looked at cannot be shown to be another one; it is no reason to refuse this
      return false;
    }
  });
}

/** Whether the place may be written: the innermost root that holds it decides. */
export function isWritable(disk: LocalDisk, path: string): boolean {
  const holding = disk.roots().filter((root) => isWithin(path, root.path));
  const [innermost] = holding.sort((a, b) => b.path.length - a.path.length);
  return innermost?.writable ?? false;
}

/** What the gate has agreed to: an open regular file, or nothing there. */
export interface Found {
  readonly file: OpenFile | null;
  readonly location: Location;
}

/**
 * Opens the file at a path and lets `use` have it once the gate has agreed. The file is opened first, so that what is used is what the gate
 * was asked about. It is closed when `use` is done, unless `use` calls `keep`.
 */
export async function withFile<T>(disk: LocalDisk, asked: Asked, use: (found: Found, keep: () => void) => Promise<T>): Promise<T> {
  const place = findPlace(disk, asked);
  let file: OpenFile | null = null;
  let isKept = false;
  try {
    const opened = open(place);
    if (opened !== null && "fd" in opened) file = opened;
    const location = await passGate(disk, asked.access, { path: place.path, entry: file?.entry ?? place.entry });
    if (opened !== null && "reason" in opened) throw problemFailure(asked.kind, asked.path, opened);
    return await use({ file, location }, () => {
      isKept = true;
    });
  } finally {
    if (file !== null && !isKept) closeSync(file.fd);
    if (place.folder !== null) disk.tree.release(place.folder);
  }
}

function open(place: Place<Folder>): OpenFile | Problem | null {
  const name = place.below.at(-1);
  const obstacle = obstacleToFile(place);
  if (obstacle !== null || place.entry === null || place.folder === null || name === undefined) return obstacle;
  return openFile(place.folder, name);
}
