import { byteLength, joinPath, type PathText, splitPath } from "./asked-path.ts";
import type { Problem } from "./problem.ts";

/**
 * Finding the place that a path means, one name at a time, so that no link is ever followed by the system. Every link is read and
 * resolved here, within the roots. Adapters say what one name in one open folder is; this decides where that leads.
 */

/** A folder inside which files may be used. `path` is absolute and real. */
export interface Root {
  readonly path: string;
  readonly writable: boolean;
}

/** What stands at a name; never a link, those are followed. */
export interface Entry {
  readonly type: "file" | "directory" | "fifo" | "socket" | "device";
  readonly size_bytes: number;
  /** Permission bits, at most 0o777. */
  readonly mode: number;
  readonly nlink: number;
  readonly dev: number;
  readonly ino: number;
  readonly uid: number;
  readonly gid: number;
}

/** What else a name can be. A link is told with its target, never followed. */
export type Detour =
  | { readonly is: "link"; readonly target: string }
  | { readonly is: "missing" }
  | { readonly is: "problem"; readonly problem: Problem };
/** `name`: as the file system spells it, where that can differ from what was asked. */
export type Entered<Folder> = Detour | { readonly is: "folder"; readonly folder: Folder; readonly name: string };
export type Looked = Detour | { readonly is: "entry"; readonly entry: Entry; readonly name: string };

/** A file system, seen one name at a time. Nothing here follows a link or throws for what the file system says. */
export interface Tree<Folder> {
  openRoot(path: string): Entered<Folder>;
  /** Opens a folder in a folder. */
  enter(folder: Folder, name: string): Entered<Folder>;
  look(folder: Folder, name: string): Looked;
  release(folder: Folder): void;
  /** The target of a link that lies outside the roots; `null` when there is no link. */
  linkOutside(path: string): string | null;
}

export interface Place<Folder> {
  /** Absolute and real. What does not exist yet follows as it was spelled. */
  readonly path: string;
  /** The deepest folder on the way; `null` when the root itself is missing. To be released. */
  readonly folder: Folder | null;
  /** Names below `folder`: none when the place is that folder; the last is the place's own, those before it are folders to be made. */
  readonly below: readonly string[];
  /** What is there; `null` when nothing is, when it could not be told, or when the place is `folder`. */
  readonly entry: Entry | null;
  readonly problem: Problem | null;
  readonly mustBeFolder: boolean;
  /** Links that stood in the last place, one leading to the next, each in its real folder. */
  readonly through: readonly string[];
}

/** Why there is not, and cannot be, a regular file at the place; `null` when there is one or none yet. */
export function obstacleToFile({ problem, below, entry, mustBeFolder }: Place<unknown>): Problem | null {
  if (problem !== null) return problem;
  if (below.length === 0 || mustBeFolder || entry?.type === "directory") return { reason: "is_directory" };
  if (entry !== null && entry.type !== "file") return { reason: "not_regular", more: { type: entry.type } };
  return null;
}

/** As Linux (MAXSYMLINKS). */
const MAX_LINKS = 40;
/** Names below a root: each is held open while walking, and real trees are far flatter. */
const MAX_DEPTH = 256;
/** As all common file systems (NAME_MAX). */
const MAX_NAME_BYTES = 255;

/**
 * Walks to a path. Returns "outside" when it leaves every root. A name followed by `..` cancels, whether it exists or not, unless it is a
 * link: so what is told depends on nothing that the gate has not seen, but for where links lead.
 */
export function walk<Folder>(
  tree: Tree<Folder>,
  roots: readonly Root[],
  asked: PathText & { readonly cwd: string },
): Place<Folder> | "outside" {
  return new Walk(tree, roots, asked).run(asked);
}

class Walk<Folder> {
  readonly #tree: Tree<Folder>;
  readonly #roots: readonly { readonly path: string; readonly parts: readonly string[] }[];
  /** Parts still to be walked. */
  #pending: readonly string[] = [];
  #rootParts: readonly string[] = [];
  /** The root and the folders below it, all held open, so that `..` needs no look-up. */
  #open: Folder[] = [];
  #names: string[] = [];
  #below: string[] = [];
  #entry: Entry | null = null;
  #problem: Problem | null = null;
  #mustBeFolder: boolean;
  #links = 0;
  readonly #through: string[] = [];

  constructor(tree: Tree<Folder>, roots: readonly Root[], asked: PathText) {
    this.#tree = tree;
    this.#mustBeFolder = asked.mustBeFolder;
    this.#roots = roots.map(({ path }) => ({ path, parts: splitPath(path).parts })).sort((a, b) => b.parts.length - a.parts.length);
  }

  run(asked: PathText & { readonly cwd: string }): Place<Folder> | "outside" {
    const parts = asked.absolute ? asked.parts : [...splitPath(asked.cwd).parts, ...asked.parts];
    let inside = this.#start(parts);
    while (inside && this.#pending.length > 0) inside = this.#step();
    const folder = inside ? this.#open.pop() : undefined;
    this.#releaseFrom(0);
    if (!inside) return "outside";
    return {
      path: joinPath([...this.#rootParts, ...this.#names, ...this.#below]),
      folder: folder ?? null,
      below: this.#below,
      entry: this.#entry,
      problem: this.#problem,
      mustBeFolder: this.#mustBeFolder,
      through: this.#through,
    };
  }

  #step(): boolean {
    const [part = "", ...rest] = this.#pending;
    this.#pending = rest;
    if (part === "..") return this.#climb();
    const folder = this.#open.at(-1);
    const depth = this.#names.length + this.#below.length;
    const isTooLong = depth >= MAX_DEPTH || (part.length > MAX_NAME_BYTES / 3 && byteLength(part) > MAX_NAME_BYTES);
    if (isTooLong) this.#problem ??= { reason: "name_too_long" };
    if (isTooLong || folder === undefined || this.#below.length > 0) {
      this.#below.push(part);
      return true;
    }
    const isLast = rest.length === 0 && !this.#mustBeFolder;
    const found = isLast ? this.#tree.look(folder, part) : this.#tree.enter(folder, part);
    switch (found.is) {
      case "folder":
        this.#open.push(found.folder);
        this.#names.push(found.name);
        return true;
      case "link":
        return this.#follow(part, found.target);
      case "entry":
        this.#entry = found.entry;
        this.#below.push(found.name);
        return true;
      case "missing":
        this.#below.push(part);
        return true;
      case "problem":
        this.#problem = found.problem;
        this.#below.push(part);
        return true;
    }
  }

  #climb(): boolean {
    if (this.#below.length > 0) {
      this.#below.pop();
      if (this.#below.length === 0 && this.#open.length > 0) this.#problem = null;
      return true;
    }
    if (this.#names.length > 0) {
      this.#names.pop();
      this.#releaseFrom(this.#open.length - 1);
      return true;
    }
    // a root's path is real, so its parent is what the text says
    return this.#start([...this.#rootParts.slice(0, -1), ...this.#pending]);
  }

  #follow(link: string, target: string): boolean {
    this.#links += 1;
    if (this.#links > MAX_LINKS) {
      this.#problem = { reason: "link_cycle" };
      this.#below.push(link);
      return true;
    }
    const text = splitPath(target);
    if (this.#pending.length === 0) this.#through.push(joinPath([...this.#rootParts, ...this.#names, link]));
    if (this.#pending.length === 0) this.#mustBeFolder ||= text.mustBeFolder;
    const parts = [...text.parts, ...this.#pending];
    if (text.absolute) return this.#start(parts);
    this.#pending = parts;
    return true;
  }

  /** Begins at the root that an absolute path leads into, also by way of links outside; false when it leads into none. */
  #start(absolute: readonly string[]): boolean {
    let real: readonly string[] = [];
    let rest = absolute;
    // a `..` after an unproven name would tell whether that name is a link
    let mayClimb = true;
    for (;;) {
      const whole = [...real, ...rest];
      const root = this.#roots.find(({ parts }) => parts.every((part, index) => whole[index] === part));
      if (root !== undefined) return this.#enterRoot(root, whole.slice(root.parts.length));
      const [part, ...after] = rest;
      if (part === undefined) return false;
      if (part === "..") {
        if (!mayClimb) return false;
        real = real.slice(0, -1);
        rest = after;
        continue;
      }
      const target = this.#tree.linkOutside(joinPath([...real, part]));
      if (target === null) {
        real = [...real, part];
        rest = after;
        mayClimb = false;
        continue;
      }
      this.#links += 1;
      if (this.#links > MAX_LINKS) return false;
      const text = splitPath(target);
      if (text.absolute) real = [];
      rest = [...text.parts, ...after];
      mayClimb = true;
    }
  }

  #enterRoot(root: { readonly path: string; readonly parts: readonly string[] }, rest: readonly string[]): boolean {
    this.#releaseFrom(0);
    this.#rootParts = root.parts;
    this.#pending = rest;
    this.#names = [];
    this.#below = [];
    this.#problem = null;
    const opened = this.#tree.openRoot(root.path);
    if (opened.is === "folder") this.#open = [opened.folder];
    else if (opened.is === "problem") this.#problem = opened.problem;
    else if (opened.is === "link") this.#problem = { reason: "moved" };
    return true;
  }

  #releaseFrom(index: number): void {
    for (const folder of this.#open.splice(index)) this.#tree.release(folder);
  }
}
