import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { osCode, osProblem } from "./os-error.ts";
import type { Detour, Entered, Entry, Looked, Tree } from "./walk.ts";

/** A folder on disk: held by a descriptor, or, where the platform has no paths through descriptors, by its path alone. */
export interface Folder {
  /** Absolute and real. */
  readonly path: string;
  readonly fd: number | null;
}

/**
 * The path by which the system reaches `name` in `folder`. Through a descriptor it is that very folder, whatever has been renamed or put
 * in its place meanwhile.
 */
export function at(folder: Folder, name: string): string {
  if (folder.fd !== null) return `/proc/self/fd/${folder.fd}/${name}`;
  return folder.path === "/" ? `/${name}` : `${folder.path}/${name}`;
}

/** The path by which the system reaches the folder itself. */
export function self(folder: Folder): string {
  return folder.fd === null ? folder.path : `/proc/self/fd/${folder.fd}`;
}

/** Whether the folder still stands at its path, with no link on the way. Case is not compared: some file systems fold it. */
export function isInPlace(folder: Folder): boolean {
  try {
    const now = folder.fd === null ? realpathSync.native(folder.path) : readlinkSync(`/proc/self/fd/${folder.fd}`);
    return now.toLowerCase() === folder.path.toLowerCase();
  } catch {
    return false;
  }
}

/** Whether this process can reach files through descriptors of folders (`/proc/self/fd/N/name`), tried on a folder. */
export function hasDescriptorPaths(folder: string): boolean {
  if (process.platform !== "linux") return false;
  let fd: number | null = null;
  try {
    fd = openSync(folder, FOLDER_ONLY);
    const direct = fstatSync(fd);
    const through = lstatSync(`/proc/self/fd/${fd}/.`);
    return through.dev === direct.dev && through.ino === direct.ino && readlinkSync(`/proc/self/fd/${fd}`) === folder;
  } catch {
    return false;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/** O_PATH, which Node does not name: finds a place without opening it, so the right to search a folder is enough. Linux, all of Node's CPUs. */
const O_PATH = 0o10000000;
const FOLDER_ONLY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Walks by descriptors: what was found stays what it was. Linux with `/proc`. */
export const descriptorTree: Tree<Folder> = {
  openRoot(path) {
    const opened = openFolder(path, path);
    if (opened.is !== "folder" || isInPlace(opened.folder)) return opened;
    closeSync(opened.folder.fd ?? -1);
    return { is: "problem", problem: { reason: "moved" } };
  },
  enter: (folder, name) => openFolder(at(folder, name), childPath(folder, name), name),
  look,
  release(folder) {
    if (folder.fd !== null) closeSync(folder.fd);
  },
  linkOutside,
};

function openFolder(place: string, path: string, name = ""): Entered<Folder> {
  try {
    return { is: "folder", folder: { path, fd: openSync(place, FOLDER_ONLY) }, name };
  } catch (error) {
    const code = osCode(error);
    if (code === "ENOENT") return { is: "missing" };
    if (code !== "ENOTDIR" && code !== "ELOOP") return { is: "problem", problem: osProblem(error) };
  }
  return linkAt(place);
}

/** What stands where no folder stands. */
function linkAt(place: string): Detour {
  try {
    return { is: "link", target: readlinkSync(place) };
  } catch (error) {
    const code = osCode(error);
    if (code === "ENOENT") return { is: "missing" };
    return { is: "problem", problem: code === "EINVAL" ? { reason: "not_a_directory" } : osProblem(error) };
  }
}

/** Links of a process's own (`/proc/7/cwd`, `/proc/7/fd/0`): they lead elsewhere for each process that looks. */
const PROCESS_FOLDER = /^\/proc\/\d+(\/task\/\d+)?(\/(fd|map_files|ns))?$/;

/**
 * Walks by paths, for `resolve` and for platforms without descriptor paths: between the look and the use, what stands there may change,
 * so users compare again afterwards.
 * @param trueNames for file systems that fold case: names are taken as they are on disk.
 */
export function pathTree({ trueNames }: { readonly trueNames: boolean }): Tree<Folder> {
  const tree: Tree<Folder> = {
    openRoot(path) {
      const folder = { path, fd: null };
      if (path === "/" || isInPlace(folder)) return { is: "folder", folder, name: "" };
      return existsSync(path) ? { is: "problem", problem: { reason: "moved" } } : { is: "missing" };
    },
    enter(folder, name) {
      const looked = tree.look(folder, name);
      if (looked.is !== "entry") return looked;
      if (looked.entry.type !== "directory") return { is: "problem", problem: { reason: "not_a_directory" } };
      return { is: "folder", folder: { path: childPath(folder, looked.name), fd: null }, name: looked.name };
    },
    look(folder, name) {
      const looked = look(folder, name);
      if (looked.is === "link" && PROCESS_FOLDER.test(folder.path)) return { is: "problem", problem: { reason: "process_link" } };
      if (looked.is !== "entry" || !trueNames) return looked;
      try {
        const real = realpathSync.native(at(folder, name));
        return { ...looked, name: real.slice(real.lastIndexOf("/") + 1) };
      } catch (error) {
        return { is: "problem", problem: osProblem(error) };
      }
    },
    release() {},
    linkOutside,
  };
  return tree;
}

function look(folder: Folder, name: string): Looked {
  const place = at(folder, name);
  try {
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats === undefined) return { is: "missing" };
    return stats.isSymbolicLink() ? linkAt(place) : { is: "entry", entry: entryOf(stats), name };
  } catch (error) {
    return { is: "problem", problem: osProblem(error) };
  }
}

/** What the system says about a file, in our words. */
export function entryOf(stats: Stats): Entry {
  const type = stats.isFile()
    ? "file"
    : stats.isDirectory()
      ? "directory"
      : stats.isFIFO()
        ? "fifo"
        : stats.isSocket()
          ? "socket"
          : "device";
  const { size, mode, nlink, dev, ino, uid, gid } = stats;
  return { type, size_bytes: size, mode: mode & 0o777, nlink, dev, ino, uid, gid };
}

function linkOutside(path: string): string | null {
  // links below /proc lead wherever this process happens to be: no spelling of a file
  if (path.startsWith("/proc/")) return null;
  try {
    return readlinkSync(path);
  } catch {
    // nothing there, or no link: both are just a name outside
    return null;
  }
}

function childPath(folder: Folder, name: string): string {
  return folder.path === "/" ? `/${name}` : `${folder.path}/${name}`;
}
