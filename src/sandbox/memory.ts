import { fail } from "../base/fail.ts";
import { sha256 } from "../base/hash.ts";
import { confinedPath, joinPath, splitPath, validPath } from "./asked-path.ts";
import { childrenOf, entryOf, type MemoryNode, type MemoryNodes, memoryTree, place } from "./memory-tree.ts";
import type { Access, FileStream, Location, SandboxPort } from "./port.ts";
import { changedFailure, notFoundFailure, outsideFailure, problemFailure } from "./problem.ts";
import { type Entry, obstacleToFile, type Place, walk } from "./walk.ts";

/** What stands in a memory sandbox beside its files. */
export interface MemorySandboxOptions {
  /** Absolute path of the workspace; default "/". Files with an absolute path may lie outside. */
  readonly workspace?: string;
  /** Symbolic links, by the same paths as files, each with its target. */
  readonly links?: Readonly<Record<string, string>>;
  /** What a leading `~` means in `resolve`; default `null`: unknown. */
  readonly home?: string | null;
}

/** A sandbox whose files live in memory, for tests. The further methods look past the sandbox, as another program would. */
export interface MemorySandbox extends SandboxPort {
  /** All files as text: paths relative to the workspace, absolute for those outside it. */
  files(): Record<string, string>;
  /** `null` where there is no file. */
  bytes(path: string): Uint8Array | null;
  /** What stands at the path itself, unresolved; `null` when nothing does. */
  look(path: string): { readonly type: "file" | "directory" | "link"; readonly text?: string; readonly mode?: number } | null;
  /** Puts a file there, or, with `null`, takes away what is there. */
  put(path: string, content: string | Uint8Array | null): void;
  link(path: string, target: string): void;
  folder(path: string): void;
}

const NEW_FILE_MODE = 0o644;
/** Small, so that tests of pieces need no large files. */
const PIECE_BYTES = 64 * 1024;

/**
 * Files in memory, with links, confined like those on disk; no processes (`exec` is `bash_disabled`) and no rights, owners or hard links.
 * @param files by path, relative to the workspace or absolute; folders are made as needed.
 */
export function memorySandbox(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: MemorySandboxOptions = {},
): MemorySandbox {
  const workspace = joinPath(splitPath(options.workspace ?? "/").parts);
  const nodes: MemoryNodes = new Map();
  const absolute = (path: string): string => joinPath(splitPath(path.startsWith("/") ? path : `${workspace}/${path}`).parts);
  const put = (path: string, content: string | Uint8Array): void => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
    place(nodes, absolute(path), { type: "file", bytes, mode: NEW_FILE_MODE });
  };
  place(nodes, workspace, { type: "directory" });
  for (const [path, content] of Object.entries(files)) put(path, content);
  for (const [path, target] of Object.entries(options.links ?? {})) place(nodes, absolute(path), { type: "link", target });

  return {
    kind: "memory",
    workspace,
    newFileMode: NEW_FILE_MODE,
    processes: false,
    ...reading(nodes, workspace),
    ...writing(nodes, workspace),
    async resolve(path, { cwd }) {
      const home = options.home ?? null;
      if (/^~[^/]/.test(path) || (path.startsWith("~") && home === null))
        throw problemFailure("read_failed", path, { reason: "home_unknown" });
      const text = validPath(path.startsWith("~") ? `${home}${path.slice(1)}` : path, "read_failed");
      const found = walk(memoryTree(nodes), [{ path: "/", writable: false }], { ...text, cwd });
      if (found === "outside") throw outsideFailure(path, "outside");
      if (found.problem !== null && found.problem.reason !== "not_a_directory") throw problemFailure("read_failed", path, found.problem);
      return { path: found.path, ...(found.through.length > 0 ? { through: found.through } : {}) };
    },
    async exec() {
      throw fail("bash_disabled", "there are no processes in a sandbox in memory", {});
    },

    files() {
      const prefix = workspace === "/" ? "/" : `${workspace}/`;
      const texts = [...nodes].flatMap(([path, node]) => {
        const name = path.startsWith(prefix) ? path.slice(prefix.length) : path;
        return node.type === "file" ? [[name, textOf(node.bytes)] as const] : [];
      });
      return Object.fromEntries(texts);
    },
    bytes(path) {
      const node = nodes.get(absolute(path));
      return node?.type === "file" ? node.bytes.slice() : null;
    },
    look(path) {
      const node = nodes.get(absolute(path));
      if (node === undefined) return null;
      return node.type === "file" ? { type: "file", text: textOf(node.bytes), mode: node.mode } : { type: node.type };
    },
    put(path, content) {
      if (content === null) nodes.delete(absolute(path));
      else put(path, content);
    },
    link: (path, target) => place(nodes, absolute(path), { type: "link", target }),
    folder: (path) => place(nodes, absolute(path), { type: "directory" }),
  };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

interface Arrived extends Place<string> {
  readonly node: MemoryNode | undefined;
  readonly location: Location;
}

/** Walks, asks the gate, and returns what is there at the moment after it has agreed. */
async function arrive(
  nodes: MemoryNodes,
  workspace: string,
  asked: { path: string; access: Access; kind: "read_failed" | "write_failed"; asFolder?: true },
): Promise<Arrived> {
  const { path, access, kind } = asked;
  const text = confinedPath(path, kind);
  const mustBeFolder = asked.asFolder ?? text.mustBeFolder;
  const found = walk(memoryTree(nodes), [{ path: workspace, writable: true }], { ...text, mustBeFolder, cwd: access.cwd });
  if (found === "outside") throw outsideFailure(path, "outside");
  await access.gate({ path: found.path });
  return { ...found, node: nodes.get(found.path), location: { path: found.path } };
}

function reading(nodes: MemoryNodes, workspace: string): Pick<SandboxPort, "stat" | "read" | "stream" | "version" | "list"> {
  const file = async (path: string, access: Access) => {
    const arrived = await arrive(nodes, workspace, { path, access, kind: "read_failed" });
    const obstacle = obstacleToFile(arrived);
    if (obstacle !== null) throw problemFailure("read_failed", path, obstacle);
    return { location: arrived.location, node: arrived.node?.type === "file" ? arrived.node : null };
  };
  return {
    async stat(path, access) {
      const { problem, node, location } = await arrive(nodes, workspace, { path, access, kind: "read_failed" });
      if (problem !== null) throw problemFailure("read_failed", path, problem);
      if (node === undefined || node.type === "link") return null;
      const { size_bytes, mode }: Entry = entryOf(node);
      return { ...location, type: node.type, size_bytes, mode };
    },
    async read(path, access) {
      const { location, node } = await file(path, access);
      if (node === null) throw notFoundFailure(path);
      const size = node.bytes.length;
      if (size > access.maxBytes) {
        throw problemFailure("read_failed", path, { reason: "too_large", more: { size_bytes: size, max_bytes: access.maxBytes } });
      }
      return { ...location, bytes: node.bytes.slice(), version: versionOf(node) };
    },
    async stream(path, access) {
      const { location, node } = await file(path, access);
      if (node === null) throw notFoundFailure(path);
      return { ...location, size_bytes: node.bytes.length, ...streamOf(path, node.bytes) };
    },
    async version(path, access) {
      const { location, node } = await file(path, access);
      return { ...location, version: node === null ? null : versionOf(node) };
    },
    async list(path, access) {
      const { problem, node, location } = await arrive(nodes, workspace, { path, access, kind: "read_failed", asFolder: true });
      if (problem !== null) throw problemFailure("read_failed", path, problem);
      if (node?.type !== "directory") throw notFoundFailure(path);
      const entries = childrenOf(nodes, location.path).map((child) => ({ name: child.name, type: child.node.type }));
      return { ...location, entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
    },
  };
}

function writing(nodes: MemoryNodes, workspace: string): Pick<SandboxPort, "write" | "remove"> {
  const target = async (path: string, access: Access): Promise<Location> => {
    const arrived = await arrive(nodes, workspace, { path, access, kind: "write_failed" });
    const obstacle = obstacleToFile(arrived);
    if (obstacle !== null) throw problemFailure("write_failed", path, obstacle);
    return arrived.location;
  };
  // asked in the same step as the act, so that of two writers at once one sees the other's file
  const hashAt = (path: string): string | null => {
    const node = nodes.get(path);
    return node?.type === "file" ? versionOf(node).sha256 : null;
  };
  return {
    async write(path, bytes, access) {
      const location = await target(path, access);
      const now = hashAt(location.path);
      if (now !== access.before) throw changedFailure(path, access.before, now);
      const node = { type: "file", bytes: bytes.slice(), mode: access.mode & 0o777 } as const;
      place(nodes, location.path, node);
      return { ...location, version: versionOf(node) };
    },
    async remove(path, access) {
      const location = await target(path, access);
      const now = hashAt(location.path);
      if (now === null) throw notFoundFailure(path);
      if (now !== access.before) throw changedFailure(path, access.before, now);
      nodes.delete(location.path);
      return location;
    },
  };
}

function versionOf({ bytes, mode }: { readonly bytes: Uint8Array; readonly mode: number }): {
  sha256: string;
  size_bytes: number;
  mode: number;
} {
  return { sha256: sha256(bytes), size_bytes: bytes.length, mode };
}

function streamOf(path: string, bytes: Uint8Array): Pick<FileStream, "chunks" | "close"> {
  let isClosed = false;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let position = 0; position < bytes.length; position += PIECE_BYTES) {
      if (isClosed) throw problemFailure("read_failed", path, { reason: "closed" });
      yield bytes.slice(position, position + PIECE_BYTES);
    }
  }
  return {
    chunks: pieces(),
    async close() {
      isClosed = true;
    },
  };
}
