import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { EvidenceEntry, EvidenceFolder, EvidencePort, EvidenceState } from "./evidence-port.ts";
import { gitFolderAt } from "./git-folders.ts";
import { NEW_ONLY, quietly } from "./local-publish.ts";
import { at, descriptorTree, type Folder, hasDescriptorPaths, pathTree, self } from "./local-tree.ts";
import { osCode, osProblem } from "./os-error.ts";
import { problemFailure } from "./problem.ts";
import type { Tree } from "./walk.ts";

/** The guarded files of this machine. @param workspace real path. */
export function localEvidence(workspace: string): EvidencePort {
  const tree = hasDescriptorPaths(workspace) ? descriptorTree : pathTree({ trueNames: process.platform === "darwin" });
  return {
    async gitFolders() {
      const found = gitFolderAt(workspace);
      return Array.isArray(found) ? found : [];
    },
    look: async (folder, leaves) =>
      within(tree, folder, {
        none: leaves.map((): EvidenceEntry => ({ is: "absent" })),
        use: (open) => leaves.map((leaf) => entryAt(open, leaf)),
      }),
    list: async (folder, most) => within(tree, folder, { none: [], use: (open) => namesIn(open, most) }),
    read: async (folder, leaf, maxBytes) => within(tree, folder, { none: null, use: (open) => bytesAt(open, leaf, maxBytes) }),
    async putBack(folder, leaf, was, { aside } = { aside: false }) {
      const path = [folder.base, ...folder.names, leaf].join("/");
      try {
        const open = makeWay(tree, folder);
        try {
          return { aside: replaceAt(open, leaf, { was, aside }) };
        } finally {
          tree.release(open);
        }
      } catch (error) {
        throw osCode(error) === "" ? error : problemFailure("write_failed", path, osProblem(error));
      }
    },
  };
}

/** Lets `use` have the folder, if it is one on the whole way. */
function within<T>(tree: Tree<Folder>, { base, names }: EvidenceFolder, { none, use }: { none: T; use: (folder: Folder) => T }): T {
  let entered = tree.openRoot(base);
  for (const name of names) {
    if (entered.is !== "folder") return none;
    const { folder } = entered;
    entered = tree.enter(folder, name);
    tree.release(folder);
  }
  if (entered.is !== "folder") return none;
  try {
    return use(entered.folder);
  } finally {
    tree.release(entered.folder);
  }
}

function entryAt(folder: Folder, leaf: string): EvidenceEntry {
  try {
    const stats = lstatSync(at(folder, leaf), { throwIfNoEntry: false, bigint: true });
    if (!stats) return { is: "absent" };
    if (stats.isSymbolicLink()) return { is: "link", target: readlinkSync(at(folder, leaf)) };
    if (stats.isDirectory()) return { is: "folder" };
    if (!stats.isFile()) return { is: "other" };
    const { dev, ino, size, mode, mtimeNs, ctimeNs } = stats;
    return {
      is: "file",
      witness: [dev, ino, size, mode, mtimeNs, ctimeNs].join("-"),
      size_bytes: Number(size),
      mode: Number(mode) & 0o7777,
    };
  } catch (error) {
    if (osCode(error) === "") throw error;
    return { is: "unreadable" };
  }
}

function namesIn(folder: Folder, most: number): readonly string[] {
  const names: string[] = [];
  try {
    const entries = opendirSync(self(folder));
    try {
      for (let entry = entries.readSync(); entry !== null && names.length < most; entry = entries.readSync()) names.push(entry.name);
    } finally {
      entries.closeSync();
    }
  } catch (error) {
    if (osCode(error) === "") throw error;
  }
  return names.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function bytesAt(folder: Folder, leaf: string, maxBytes: number): Uint8Array | null {
  try {
    const fd = openSync(at(folder, leaf), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile() || stats.size > maxBytes) return null;
      // one byte more: a file that grows while it is read is larger than it was said to be
      const buffer = Buffer.alloc(Math.min(stats.size, maxBytes) + 1);
      let length = 0;
      for (let count = -1; count !== 0 && length < buffer.length; length += count) {
        count = readSync(fd, buffer, length, buffer.length - length, null);
      }
      return length > maxBytes ? null : new Uint8Array(buffer.subarray(0, length));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (osCode(error) === "") throw error;
    return null;
  }
}

/** Opens the folder; what is missing on the way is made, and what is no folder is given another name. Throws what the system says. */
function makeWay(tree: Tree<Folder>, { base, names }: EvidenceFolder): Folder {
  const root = tree.openRoot(base);
  if (root.is !== "folder") throw Object.assign(new Error("the base is gone"), { code: "ENOENT" });
  let { folder } = root;
  for (const name of names) {
    try {
      let entered = tree.enter(folder, name);
      if (entered.is === "problem" && entered.problem.reason === "no_permission" && makeWritable(folder))
        entered = tree.enter(folder, name);
      if (entered.is !== "folder") {
        makeFolder(folder, name);
        entered = tree.enter(folder, name);
      }
      if (entered.is !== "folder") throw Object.assign(new Error("no folder"), { code: "ENOTDIR" });
      tree.release(folder);
      folder = entered.folder;
    } catch (error) {
      tree.release(folder);
      throw error;
    }
  }
  return folder;
}

interface Replacing {
  readonly was: EvidenceState;
  readonly aside: boolean;
}

/** The other name that what stood there has now; `null`: it is gone. */
function replaceAt(folder: Folder, leaf: string, replacing: Replacing): string | null {
  try {
    return replace(folder, leaf, replacing);
  } catch (error) {
    if (osCode(error) !== "EACCES" || !makeWritable(folder)) throw error;
    return replace(folder, leaf, replacing);
  }
}

/** Gives back the rights that were taken from a folder of ours: a way to keep us from putting back. */
function makeWritable(folder: Folder): boolean {
  try {
    chmodSync(self(folder), (statSync(self(folder)).mode & 0o7777) | 0o700);
    return true;
  } catch {
    return false;
  }
}

function replace(folder: Folder, leaf: string, { was, aside }: Replacing): string | null {
  const place = at(folder, leaf);
  const now = lstatSync(place, { throwIfNoEntry: false });
  if (was === "folder") return now?.isDirectory() ? null : makeFolder(folder, leaf);
  if (was === null) return now ? takeAway(folder, leaf, { isLink: now.isSymbolicLink(), aside: aside || now.isDirectory() }) : null;
  const temporary = at(folder, `.collet-${randomBytes(8).toString("hex")}.tmp`);
  if ("target" in was) symlinkSync(was.target, temporary);
  else writeNew(temporary, was, now ?? null);
  try {
    const moved = now && (now.isDirectory() || (aside && now.isFile())) ? setAside(folder, leaf) : null;
    renameSync(temporary, place);
    return moved;
  } catch (error) {
    quietly(() => unlinkSync(temporary));
    throw error;
  }
}

/** A link says nothing that is not in its target: it is removed. */
function takeAway(folder: Folder, leaf: string, { isLink, aside }: { isLink: boolean; aside: boolean }): string | null {
  if (aside && !isLink) return setAside(folder, leaf);
  unlinkSync(at(folder, leaf));
  return null;
}

function makeFolder(folder: Folder, name: string): string | null {
  const place = at(folder, name);
  const now = lstatSync(place, { throwIfNoEntry: false });
  const moved = now ? takeAway(folder, name, { isLink: now.isSymbolicLink(), aside: true }) : null;
  mkdirSync(place, { mode: 0o755 });
  return moved;
}

function writeNew(temporary: string, { bytes, mode }: Kept, owner: Owner | null): void {
  const fd = openSync(temporary, NEW_ONLY, 0o600);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
    // root puts the files of others back; whoever may not give them away keeps them
    if (owner) quietly(() => fchownSync(fd, owner.uid, owner.gid));
    fchmodSync(fd, mode);
    fsyncSync(fd);
  } catch (error) {
    quietly(() => unlinkSync(temporary));
    throw error;
  } finally {
    closeSync(fd);
  }
}

interface Kept {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

function setAside(folder: Folder, name: string): string {
  const other = `${name}.put-aside-${randomBytes(4).toString("hex")}`;
  renameSync(at(folder, name), at(folder, other));
  return `${folder.path === "/" ? "" : folder.path}/${other}`;
}
