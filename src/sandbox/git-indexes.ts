import { lstatSync, statSync } from "node:fs";
import { filesOfIndex, gitlinksOf, type IndexedFile } from "../base/git-index.ts";
import { bytesOf, orNone } from "./git-files.ts";

/** The index of a repository with half a million files. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
/** Of how many indexes what they name is remembered, and of how many files in each. */
const MAX_KEPT = 100;
const MAX_KEPT_FILES = 50_000;

/** What the indexes of repositories name, by their paths; `null` when it cannot be told, nothing where there is none. */
export interface GitIndexes {
  /** Repositories inside the repository. */
  links(path: string, hashBytes: 20 | 32): readonly string[] | null;
  files(path: string, hashBytes: 20 | 32): readonly IndexedFile[] | null;
}

/** Remembers what an index names for as long as it is the same file. */
export function createGitIndexes(): GitIndexes {
  function remembering<T>(parse: (bytes: Uint8Array, hashBytes: 20 | 32) => readonly T[] | null) {
    const known = new Map<string, readonly T[] | null>();
    return (path: string, hashBytes: 20 | 32): readonly T[] | null => {
      const stat = orNone(() => statSync(path, { bigint: true }));
      if (stat === "unknown" || stat === null) return stat === null ? [] : null;
      const key = [path, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(" ");
      const before = known.get(key);
      if (before !== undefined) return before;
      const bytes = bytesOf(path, MAX_INDEX_BYTES);
      const found = bytes === null || bytes === "none" ? null : parse(bytes, hashBytes);
      if (known.size >= MAX_KEPT) known.clear();
      if (!found || found.length <= MAX_KEPT_FILES) known.set(key, found);
      return found;
    };
  }
  return { links: remembering(gitlinksOf), files: remembering(filesOfIndex) };
}

/**
 * False when a file is surely what was added to the index, by what git itself goes by: size and times, and that it was not written when the
 * index was, or later.
 */
export function isChanged(path: string, { file, index }: { readonly file: IndexedFile; readonly index: string }): boolean {
  const stats = orNone(() => [lstatSync(path, { bigint: true }), statSync(index, { bigint: true })] as const);
  if (stats === null || stats === "unknown" || !file.settled) return true;
  const [now, ofIndex] = stats;
  const cut = (ns: bigint): bigint => ((ns / 1_000_000_000n) % 4_294_967_296n) * 1_000_000_000n + (ns % 1_000_000_000n);
  const isSame = BigInt(file.size) === now.size % 4_294_967_296n && file.mtimeNs === cut(now.mtimeNs) && file.ctimeNs === cut(now.ctimeNs);
  return !(now.isFile() && isSame && now.mtimeNs < ofIndex.mtimeNs);
}
