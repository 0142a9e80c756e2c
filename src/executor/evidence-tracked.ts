/** Guarded files that a repository tracks, and that git brings to another version: checkout, pull, reset, stash and their like. */
import { type GitSetting, gitSettings } from "../base/git-config-text.ts";
import { idsOfIndex } from "../base/git-index.ts";
import { isHarmlessGitSetting } from "../base/harmless-git-setting.ts";
import { gitBlobId } from "../base/hash.ts";
import { namesBelow } from "../base/real-path.ts";
import type { EvidencePort } from "../sandbox/port.ts";
import type { Snapshot } from "./evidence-snapshot.ts";
import type { GitMoves } from "./git-move.ts";

const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/** What the index of a repository has of some paths. */
export interface TrackedIds {
  /** True when the path held, or holds, exactly this content by the index; `null`: when it has nothing of the path. */
  has(path: string, content: Uint8Array | null): boolean;
  /** True when it has something of the path. */
  names(path: string): boolean;
  /** True when the repository holds this content as an object of its own, in no pack: what was just put away. */
  isStored(content: Uint8Array): Promise<boolean>;
}

/** The names before the call, and the content of files by path. */
interface Before {
  readonly snapshot: Snapshot;
  readonly kept: ReadonlyMap<string, Uint8Array>;
}

/** Settings that no move runs, beside the harmless ones: for people at a terminal. */
const FOR_PEOPLE = /^(?:alias|gui|diff|difftool|mergetool)\.|^(?:core\.(?:editor|pager|excludesfile)|sequence\.editor|pager\.)/;

/**
 * True when the repository itself has git run programs while it moves files, or bring files of other repositories: its hooks and settings may lead
 * to scripts of the workspace, which an earlier call could have written.
 */
export function hasOwnPrograms({ snapshot: { items, gitFolders }, kept }: Before, { commits }: GitMoves): boolean {
  const isIdle = (hook: string) => hook === "pre-push" || (hook === "pre-commit" && !commits);
  return [...items.values()].some(({ place, leaf, path, entry }) => {
    if (place.of !== "git" || !gitFolders.includes(place.base) || entry.is === "absent") return false;
    const folder = place.names.join("/");
    if (folder === "hooks") {
      const runs = entry.is !== "file" || (entry.mode & 0o111) !== 0;
      return runs && entry.is !== "folder" && !isIdle(leaf);
    }
    if (folder === "info" && leaf === "attributes") return true;
    if (folder !== "" || !/^config(?:\.worktree)?$/.test(leaf)) return false;
    const bytes = kept.get(path);
    const settings = bytes === undefined ? null : gitSettings(new TextDecoder("latin1").decode(bytes));
    return settings === null || !settings.every(runsNothing);
  });
}

function runsNothing(setting: GitSetting): boolean {
  const key = `${setting.section}.${setting.name}`;
  if (key === "submodule.recurse") return false;
  return isHarmlessGitSetting(setting) || FOR_PEOPLE.test(key);
}

/** Reads the index as it is now. `null`: there is none that can be read. @param paths absolute. */
export async function trackedIds(
  port: EvidencePort,
  {
    gitFolders,
    workspace,
    paths,
  }: { readonly gitFolders: readonly string[]; readonly workspace: string; readonly paths: readonly string[] },
): Promise<TrackedIds | null> {
  const [own, common = own] = gitFolders;
  if (own === undefined || common === undefined) return null;
  const index = await port.read({ base: own, names: [] }, "index", MAX_INDEX_BYTES);
  if (index === null) return null;
  const nameOf = (path: string): string => namesBelow(path, workspace)?.join("/") ?? "";
  const wanted = new Set(paths.map(nameOf));
  const short = idsOfIndex(index, 20, wanted);
  const ids = short ?? idsOfIndex(index, 32, wanted);
  if (ids === null) return null;
  const idOf = (content: Uint8Array): string => gitBlobId(content, short ? "sha1" : "sha256");
  return {
    has(path, content) {
      const id = ids.get(nameOf(path));
      return content === null ? id === undefined : id !== undefined && idOf(content) === id;
    },
    names: (path) => ids.has(nameOf(path)),
    async isStored(content) {
      const id = idOf(content);
      const [entry] = await port.look({ base: common, names: ["objects", id.slice(0, 2)] }, [id.slice(2)]);
      return entry?.is === "file";
    },
  };
}
