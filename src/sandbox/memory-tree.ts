import { joinPath, splitPath } from "./asked-path.ts";
import type { Entered, Entry, Looked, Tree } from "./walk.ts";

export type MemoryNode =
  | { readonly type: "file"; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly type: "directory" }
  | { readonly type: "link"; readonly target: string };

/** All nodes by their real path, the root "/" among them. A folder stands in it before what it holds. */
export type MemoryNodes = Map<string, MemoryNode>;

/** Walks through nodes in memory; a folder is its path. */
export function memoryTree(nodes: MemoryNodes): Tree<string> {
  const other = (path: string): Entered<string> & Looked => {
    const node = nodes.get(path);
    if (node?.type === "link") return { is: "link", target: node.target };
    return node === undefined ? { is: "missing" } : { is: "problem", problem: { reason: "not_a_directory" } };
  };
  const enter = (path: string, name: string): Entered<string> =>
    nodes.get(path)?.type === "directory" ? { is: "folder", folder: path, name } : other(path);
  return {
    openRoot: (path) => enter(path, ""),
    enter: (folder, name) => enter(childOf(folder, name), name),
    look(folder, name) {
      const path = childOf(folder, name);
      const node = nodes.get(path);
      return node === undefined || node.type === "link" ? other(path) : { is: "entry", entry: entryOf(node), name };
    },
    release() {},
    linkOutside(path) {
      const node = nodes.get(path);
      return node?.type === "link" ? node.target : null;
    },
  };
}

/** A node as an entry; only type, size and mode mean something in memory. */
export function entryOf(node: MemoryNode): Entry {
  const none = { nlink: 1, dev: 0, ino: 0, uid: 0, gid: 0 };
  if (node.type === "file") return { type: "file", size_bytes: node.bytes.length, mode: node.mode, ...none };
  return { type: "directory", size_bytes: 0, mode: 0o755, ...none };
}

/** Puts a node at an absolute path and makes the folders above it. */
export function place(nodes: MemoryNodes, path: string, node: MemoryNode): void {
  const { parts } = splitPath(path);
  for (let depth = 0; depth < parts.length; depth += 1) {
    const above = joinPath(parts.slice(0, depth));
    if (!nodes.has(above)) nodes.set(above, { type: "directory" });
  }
  nodes.set(joinPath(parts), node);
}

/** Names and nodes that stand directly in a folder. */
export function childrenOf(nodes: MemoryNodes, folder: string): { readonly name: string; readonly node: MemoryNode }[] {
  const prefix = folder === "/" ? "/" : `${folder}/`;
  const children: { name: string; node: MemoryNode }[] = [];
  for (const [path, node] of nodes) {
    const name = path.slice(prefix.length);
    if (path.startsWith(prefix) && name !== "" && !name.includes("/")) children.push({ name, node });
  }
  return children;
}

export function childOf(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}
