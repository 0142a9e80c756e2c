import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { sha256 } from "../base/hash.ts";
import { configFailure } from "../base/located-json.ts";

/** A file of settings as it was read, once: what is used, shown and trusted are these very bytes. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** Of the bytes, lower-case hex. */
  readonly sha256: string;
}

/** More rules than anybody writes. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads a file of settings; `null` when it is not there. `user`: it and its folder have to be the user's own and closed to the writes of others;
 * links are followed, since people keep such files elsewhere. `workspace`: neither the file nor its folder may be a link.
 * Kind: `invalid_config` (`path`, `reason`: `unreadable`, `symlink`, `not_a_file`, `too_large`, `not_utf8`, `wrong_owner`, `writable_by_others`).
 */
export function readConfigFile(path: string, owner: "user" | "workspace"): ConfigFile | null {
  const fd = openFile(path, owner);
  if (fd === null) return null;
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw unusable(path, "not_a_file", "it is no regular file");
    if (owner === "user") {
      checkOwner(stat, path);
      for (const folder of new Set([dirname(path), dirname(realpathSync(path))])) checkOwner(statSync(folder), folder);
    }
    const bytes = readAll(fd, path);
    return { path, text: decoded(bytes, path), sha256: sha256(bytes) };
  } finally {
    closeSync(fd);
  }
}

function openFile(path: string, owner: "user" | "workspace"): number | null {
  const isOwn = owner === "user";
  const folder = isOwn ? undefined : lookAt(dirname(path));
  if (folder?.isSymbolicLink()) throw unusable(path, "symlink", "its folder is a link, which could lead anywhere");
  try {
    // without waiting: what is there may be a pipe
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (isOwn ? 0 : constants.O_NOFOLLOW));
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT") {
      if (isOwn && lookAt(path)?.isSymbolicLink()) throw unusable(path, "symlink", "it is a link to a file that is not there");
      return null;
    }
    if (code === "ELOOP" || code === "EMLINK") throw unusable(path, "symlink", "it is a link, which could lead anywhere");
    // a socket cannot be opened at all
    if (code === "ENXIO") throw unusable(path, "not_a_file", "it is no regular file");
    throw unusable(path, "unreadable", `it cannot be read (${code ?? "unknown error"})`);
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function checkOwner(stat: Stats, path: string): void {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  if (stat.uid !== uid && stat.uid !== 0) throw unusable(path, "wrong_owner", "it belongs to another user");
  if ((stat.mode & 0o022) !== 0)
    throw unusable(path, "writable_by_others", `others may write it, and so decide for you; chmod go-w '${path}'`);
}

function readAll(fd: number, path: string): Uint8Array {
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  let size = 0;
  try {
    for (let count = -1; count !== 0 && size < bytes.length; size += count) count = readSync(fd, bytes, size, bytes.length - size, null);
  } catch (cause) {
    throw unusable(path, "unreadable", `it cannot be read (${codeOf(cause) ?? "unknown error"})`);
  }
  if (size > MAX_BYTES) throw unusable(path, "too_large", `it is larger than ${MAX_BYTES / 1024} KiB`);
  return bytes.subarray(0, size);
}

function decoded(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unusable(path, "not_utf8", "it is no UTF-8 text");
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function unusable(path: string, reason: string, why: string) {
  return configFailure({ path, reason }, why);
}
