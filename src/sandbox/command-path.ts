import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { fail } from "../base/fail.ts";
import { isWithin } from "../base/real-path.ts";
import { osCode } from "./os-error.ts";

/** Where a system has its programs; for a host without a PATH, and for the shell when the PATH lacks it. */
const STANDARD_FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/**
 * The folders that commands are looked up in, from the host's PATH: only absolute ones that exist and that no other user can write to.
 * Those inside the workspace come last, so that a repository cannot put its own `ls` before the system's.
 *
 * "Can write": anybody may write to the folder, or may put another in its place (to a folder above it, unless that is sticky). A folder
 * that a group may write to stays: `/usr/local/bin` is one on many systems.
 */
export function commandFolders(hostPath: string | undefined, workspace: string): { readonly outside: string[]; readonly inside: string[] } {
  const entries = hostPath ? hostPath.split(delimiter) : STANDARD_FOLDERS;
  const look = createLook();
  const folders = [...new Set(entries)].flatMap((path) => {
    const real = isAbsolute(path) ? look.real(path) : null;
    return real !== null && isSafeFolder(path, { real, look })
      ? [{ path, isInside: isWithin(path, workspace) || isWithin(real, workspace) }]
      : [];
  });
  const paths = (isInside: boolean) => folders.filter((folder) => folder.isInside === isInside).map((folder) => folder.path);
  return { outside: paths(false), inside: paths(true) };
}

/**
 * The file that a command's first word means: with a slash relative to `cwd`, else the first of that name in `path` that can be executed,
 * else the one in a standard folder, so that the shell is found whatever the PATH. Kind: command_failed (reason `not_found` or
 * `not_executable`).
 */
export function findProgram(name: string, { path, cwd }: { readonly path: string; readonly cwd: string }): string {
  const hasFolder = name.includes("/");
  const folders = [...path.split(delimiter).filter(isAbsolute), ...STANDARD_FOLDERS];
  const places = hasFolder ? [resolve(cwd, name)] : folders.map((folder) => join(folder, name));
  const files = name === "" ? [] : places.filter(isFile);
  const found = files.find(isExecutable);
  if (found !== undefined) return found;
  const isThere = files.length > 0;
  const text = isThere ? `${name} cannot be executed` : `there is no program ${JSON.stringify(name)}${hasFolder ? "" : ` in ${path}`}`;
  throw fail("command_failed", text, { program: name, reason: isThere ? "not_executable" : "not_found" });
}

/** The first file of that name that can be executed, in `folders` or a standard folder. */
export function findIn(folders: readonly string[], name: string): string | null {
  return (
    [...folders, ...STANDARD_FOLDERS].map((folder) => join(folder, name)).find((place) => isFile(place) && isExecutable(place)) ?? null
  );
}

function isSafeFolder(path: string, { real, look }: { readonly real: string; readonly look: Look }): boolean {
  const mode = look.mode(real);
  if (mode === null || (mode & constants.S_IFMT) !== constants.S_IFDIR || isOpenToAll(mode)) return false;
  return [...above(path), ...above(real)].every((folder) => {
    const mode = look.mode(folder);
    return mode !== null && (!isOpenToAll(mode) || isSticky(mode));
  });
}

const isOpenToAll = (mode: number) => (mode & 0o002) !== 0;
const isSticky = (mode: number) => (mode & 0o1000) !== 0;

/** Looks at each place once: the folders of a PATH share most of those above them. `null`: not there, or not to be seen. */
interface Look {
  real(path: string): string | null;
  mode(path: string): number | null;
}

function createLook(): Look {
  const modes = new Map<string, number | null>();
  return {
    real: (path) => orNull(() => realpathSync.native(path)),
    mode(path) {
      const known = modes.get(path);
      if (known !== undefined) return known;
      const mode = orNull(() => statSync(path).mode);
      modes.set(path, mode);
      return mode;
    },
  };
}

function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (osCode(error) !== "") return null;
    throw error;
  }
}

function above(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...above(parent)];
}

function isFile(path: string): boolean {
  return orNull(() => statSync(path).isFile()) ?? false;
}

function isExecutable(path: string): boolean {
  return orNull(() => accessSync(path, constants.X_OK)) !== null;
}
