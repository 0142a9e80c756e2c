/** Guarded files that a repository tracks, and that git brings to another version: checkout, pull, reset, stash and their like. */
import type { CommandEffect, Effect } from "../base/effect.ts";
import { idsOfIndex } from "../base/git-index.ts";
import { gitBlobId } from "../base/hash.ts";
import { isWithin, namesBelow } from "../base/real-path.ts";
import type { Policy } from "../permissions/index.ts";
import type { EvidencePort } from "../sandbox/port.ts";

const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/** What the index of a repository has of some paths. */
export interface TrackedIds {
  /** True when the path held, or holds, exactly this content by the index; `null`: when it has nothing of the path. */
  has(path: string, content: Uint8Array | null): boolean;
}

/**
 * True when nothing in the call can do what is not foreseen but git itself, installed outside of every root. A program beside it could write a
 * file and then have the index say that it is git's.
 */
export function isGitAlone(effects: readonly Effect[], { roots }: Policy): boolean {
  const open = effects.filter((effect): effect is CommandEffect => effect.kind === "command" && effect.sure === "open");
  const isGit = ({ program }: CommandEffect): boolean => {
    const file = program?.at(-1);
    return file !== undefined && /\/git$/.test(file) && !roots.some((root) => isWithin(file, root));
  };
  return open.length > 0 && open.every(isGit) && effects.every((effect) => effect.kind !== "unknown");
}

/** Reads the index as it is now. `null`: there is none that can be read. @param paths absolute. */
export async function trackedIds(
  port: EvidencePort,
  {
    gitFolder,
    workspace,
    paths,
  }: { readonly gitFolder: string | undefined; readonly workspace: string; readonly paths: readonly string[] },
): Promise<TrackedIds | null> {
  if (gitFolder === undefined) return null;
  const index = await port.read({ base: gitFolder, names: [] }, "index", MAX_INDEX_BYTES);
  if (index === null) return null;
  const nameOf = (path: string): string => namesBelow(path, workspace)?.join("/") ?? "";
  const wanted = new Set(paths.map(nameOf));
  const ids = idsOfIndex(index, 20, wanted) ?? idsOfIndex(index, 32, wanted);
  if (ids === null) return null;
  return {
    has(path, content) {
      const id = ids.get(nameOf(path));
      return content === null ? id === undefined : id !== undefined && gitBlobId(content, id.length === 40 ? "sha1" : "sha256") === id;
    },
  };
}
