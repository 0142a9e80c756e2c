import type { FileUse } from "../doing.ts";
import { knownWord, unknownWord, type Word } from "../word.ts";

/** The last name of a path: `null` when it is not known, or is no name, such as `..`. */
export function lastName(path: Word): string | null {
  if (!path.known) return null;
  const name = path.value.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return name === "" || name === "." || name === ".." ? null : name;
}

/** The folder that a path lies in, as its words say. */
export function folderOf(path: string): string {
  const trimmed = path.replace(/(?<=[^/])\/+$/, "");
  const slash = trimmed.lastIndexOf("/");
  if (slash < 0) return ".";
  return trimmed.slice(0, slash).replace(/(?<=[^/])\/+$/, "") || "/";
}

/** A path as seen from a folder. */
export function inFolder(folder: Word, path: Word): Word {
  if (folder.known && (folder.value === "." || folder.value === "")) return path;
  if (path.known && path.value.startsWith("/")) return path;
  const raw = `${folder.known ? folder.value : folder.raw}/${path.known ? path.value : path.raw}`;
  if (!folder.known) return unknownWord(raw, { single: folder.single, prefix: folder.prefix });
  const before = folder.value.endsWith("/") ? folder.value : `${folder.value}/`;
  if (path.known) return knownWord(`${before}${path.value}`);
  const below = path.below?.every((start) => !start.startsWith("/")) ? { below: path.below.map((start) => `${before}${start}`) } : {};
  return unknownWord(raw, { single: path.single, ...below });
}

/** A use of a path of which `-` is no standard input or output but a file of that name. */
export function plainUse(access: FileUse["access"], path: Word): FileUse {
  return { access, path: path.known && path.value.startsWith("-") ? knownWord(`./${path.value}`) : path };
}
