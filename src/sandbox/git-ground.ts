import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { IndexedFile } from "../base/git-index.ts";
import type { GitTracked } from "../base/git-tracked.ts";
import { isWithin } from "../base/real-path.ts";
import { bytesOf, orNone } from "./git-files.ts";
import { gitFolderAt } from "./git-folders.ts";
import { createGitIndexes, isChanged } from "./git-indexes.ts";
import type { GitSettings, WantedFiles } from "./port.ts";

/** Git's own settings are a few KiB; a file that is longer is not looked into. */
const MAX_SETTINGS_BYTES = 1024 * 1024;
/** More repositories in one another than anybody has. */
const MAX_REPOSITORIES = 100;

export interface GitGround {
  settings(folder: string): GitSettings;
  /** What the repository that git finds from this folder tracks of the files that are wanted, by their places; `null`: it cannot be told. */
  tracked(folder: string, wanted: WantedFiles): GitTracked | null;
}

interface Repository {
  /** Of the work tree. */
  readonly top: string;
  /** Its own git folder, and the common one. */
  readonly gitFolders: readonly string[];
  readonly settings: readonly string[];
  readonly isInner: boolean;
}

interface WantedFile {
  readonly path: string;
  readonly file: IndexedFile;
}

/** What the repositories on this machine say to git. Remembers what indexes name for as long as they are the same files. */
export function createGitGround(): GitGround {
  const indexes = createGitIndexes();

  /** The repository of a work tree, and those inside it; `null` when they cannot be told. */
  function repositoriesAt(top: string): readonly Repository[] | null {
    const found: Repository[] = [];
    const waiting = [top];
    const seen = new Set<string>();
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const gitFolders = gitFolderAt(at);
      if (gitFolders === null) continue;
      if (gitFolders === "unknown" || seen.size > MAX_REPOSITORIES) return null;
      const [own = ""] = gitFolders;
      if (seen.has(own)) continue;
      seen.add(own);
      const settings = settingsIn(gitFolders);
      if (settings === null || gitFolders.some(hasLinks) || !isOwn(at, gitFolders) || gitFolders.some(borrows)) return null;
      const place = at;
      found.push({ top: place, gitFolders, settings, isInner: place !== top });
      const inner = indexes.links(join(own, "index"), hashBytesOf(settings));
      if (inner === null) return null;
      waiting.push(...inner.map((link) => join(place, link)));
    }
    return found;
  }

  /** To judge many thousands of names takes a while, and a list that is remembered is the same list. */
  const wantedBefore = new WeakMap<object, WeakMap<object, readonly WantedFile[]>>();
  function wantedOf(indexed: readonly IndexedFile[], top: string, { isWanted, by }: WantedFiles): readonly WantedFile[] {
    const before = wantedBefore.get(by) ?? new WeakMap<object, readonly WantedFile[]>();
    wantedBefore.set(by, before);
    const found = before.get(indexed) ?? indexed.map((file) => ({ path: join(top, file.path), file })).filter(({ path }) => isWanted(path));
    before.set(indexed, found);
    return found;
  }

  return {
    settings(folder) {
      const top = topAbove(folder);
      if (top === null) return "no_repository";
      const repositories = repositoriesAt(top);
      if (repositories === null || isLink(join(top, IGNORED_REVISIONS))) return "unknown";
      const found = repositories.map(({ gitFolders, settings, isInner }) => {
        const modules = settingsIn(gitFolders.flatMap(moduleFolders));
        const told = settings.map((text) => ({ text, of: isInner ? "inner_repository" : "repository" }) as const);
        return modules && [...told, ...modules.map((text) => ({ text, of: "inner_repository" }) as const)];
      });
      return found.some((texts) => texts === null) ? "unknown" : found.flatMap((texts) => texts ?? []);
    },
    tracked(folder, wanted) {
      const top = topAbove(folder);
      const repositories = top === null ? null : repositoriesAt(top);
      if (top === null || repositories === null || wanted.linkable.some(hasOtherNames)) return null;
      const files: { path: string; changed: boolean; real?: string }[] = [];
      for (const { top: place, gitFolders, settings, isInner } of repositories) {
        const index = join(gitFolders[0] ?? "", "index");
        const indexed = indexes.files(index, hashBytesOf(settings));
        if (indexed === null) return null;
        for (const { path, file } of wantedOf(indexed, place, wanted))
          files.push({ path, changed: isInner || isChanged(path, { file, index }) });
        files.push(...throughLinks(indexed, place));
      }
      return { folder, top, files };
    },
  };
}

/** Folders of the files in an index. */
const foldersOf = new WeakMap<object, ReadonlySet<string>>();

/** What is tracked in folders in whose place links stand now: some commands of git go through them. */
function throughLinks(indexed: readonly IndexedFile[], top: string): readonly { path: string; changed: true; real: string }[] {
  const folders = foldersOf.get(indexed) ?? new Set(indexed.flatMap(({ path }) => ancestors(path)));
  foldersOf.set(indexed, folders);
  const links = [...folders].filter((folder) => isLink(join(top, folder)));
  return links.flatMap((link) => {
    const real = orNone(() => realpathSync(join(top, link)));
    if (typeof real !== "string" || real === "unknown") return [];
    const inside = indexed.filter(({ path }) => path.startsWith(`${link}/`));
    return inside.map(({ path }) => ({ path: join(top, path), changed: true as const, real: join(real, path.slice(link.length + 1)) }));
  });
}

function ancestors(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

/**
 * True when the git folder of a work tree is its own: it lies in it, it is kept for it by a repository around it, as that of a submodule, or it knows the
 * work tree, as that of one of several. Else a file in the folder would have the history of any repository on the machine shown.
 */
function isOwn(top: string, [own = "", common]: readonly string[]): boolean {
  if (common !== undefined && dirname(dirname(own)) !== common) return false;
  for (let at = top; ; at = dirname(at)) {
    if (isWithin(own, join(at, ".git"))) return true;
    if (dirname(at) === at) break;
  }
  const back = bytesOf(join(own, "gitdir"), MAX_POINTER_BYTES);
  return back !== null && back !== "none" && resolve(own, back.toString("utf8").trim()) === join(top, ".git");
}

const MAX_POINTER_BYTES = 8192;

function hasOtherNames(path: string): boolean {
  const stat = orNone(() => lstatSync(path));
  return stat !== null && stat !== "unknown" && stat.isFile() && stat.nlink > 1;
}

/** True when objects of other repositories count as its own. */
function borrows(gitFolder: string): boolean {
  return orNone(() => lstatSync(join(gitFolder, "objects/info/alternates"))) !== null;
}

/** What `git blame` may be told to leave out: it prints what stands there and is no revision. */
const IGNORED_REVISIONS = ".git-blame-ignore-revs";

function isLink(path: string): boolean {
  const stat = orNone(() => lstatSync(path));
  return stat === "unknown" || (stat?.isSymbolicLink() ?? false);
}

function hashBytesOf(settings: readonly string[]): 20 | 32 {
  return settings.some((text) => /objectformat\s*=\s*"?sha256/i.test(text)) ? 32 : 20;
}

/** As git looks for it: in the folder, and in each above it. */
function topAbove(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (gitFolderAt(at) !== null) return at;
    if (dirname(at) === at) return null;
  }
}

/** The folders of the repositories that a repository keeps for its inner ones: `modules/name`, where a name may hold slashes. */
function moduleFolders(gitFolder: string): readonly string[] {
  const folders: string[] = [];
  const waiting = [join(gitFolder, "modules")];
  for (let at = waiting.pop(); at !== undefined && folders.length <= MAX_REPOSITORIES; at = waiting.pop()) {
    const place = at;
    const names = orNone(() => readdirSync(place, { withFileTypes: true }));
    if (names === null || names === "unknown") continue;
    if (names.some(({ name }) => name === "config")) {
      folders.push(place);
      waiting.push(join(place, "modules"));
    } else waiting.push(...names.filter((entry) => entry.isDirectory()).map(({ name }) => join(place, name)));
  }
  return folders;
}

/** Where git keeps what it prints of itself. Hooks are none of it, and are often links to scripts of the repository. */
const STATE_FOLDERS = ["", "info", "objects/info", "logs", "refs", "reftable", "rebase-merge", "rebase-apply", "sequencer", "worktrees"];

/** True when a file of git's own is a link: it could be any file, and git's reads print what stands in it. */
function hasLinks(gitFolder: string): boolean {
  const worktrees = orNone(() => readdirSync(join(gitFolder, "worktrees")));
  const inner = Array.isArray(worktrees) ? worktrees.slice(0, MAX_REPOSITORIES).map((name) => join("worktrees", name)) : [];
  return [...STATE_FOLDERS, ...inner].some((folder) => {
    const entries = orNone(() => readdirSync(join(gitFolder, folder), { withFileTypes: true }));
    return entries === "unknown" || (entries?.some((entry) => entry.isSymbolicLink() && entry.name !== "hooks") ?? false);
  });
}

function settingsIn(folders: readonly string[]): readonly string[] | null {
  const texts: string[] = [];
  for (const path of folders.flatMap((folder) => [join(folder, "config"), join(folder, "config.worktree")])) {
    const bytes = bytesOf(path, MAX_SETTINGS_BYTES);
    if (bytes === null) return null;
    if (bytes !== "none") texts.push(bytes.toString("utf8"));
  }
  return texts;
}
