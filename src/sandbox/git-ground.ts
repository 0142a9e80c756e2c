import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { gitlinksOf } from "../base/git-index.ts";
import { gitFolderAt } from "./git-folders.ts";
import { osCode } from "./os-error.ts";
import type { GitSettings } from "./port.ts";

/** Git's own settings are a few KiB; a file that is longer is not looked into. */
const MAX_SETTINGS_BYTES = 1024 * 1024;
/** The index of a repository with half a million files. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
/** More repositories in one another than anybody has. */
const MAX_REPOSITORIES = 100;

/** What the repositories on this machine say to git. Remembers what an index named for as long as it is the same file. */
export function createGitGround(): { settings(folder: string): GitSettings } {
  const known = new Map<string, readonly string[] | null>();

  /** Folders in the work tree that the index says are repositories of their own. */
  function innerFolders(top: string, gitFolder: string, isSha256: boolean): readonly string[] | null {
    const path = join(gitFolder, "index");
    const stat = orNone(() => statSync(path, { bigint: true }));
    if (stat === "unknown" || stat === null) return stat === null ? [] : null;
    const key = [path, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(" ");
    const before = known.get(key);
    if (before !== undefined) return before;
    const bytes = bytesOf(path, MAX_INDEX_BYTES);
    const links = bytes === null || bytes === "none" ? null : gitlinksOf(bytes, isSha256 ? 32 : 20);
    const folders = links?.map((link) => join(top, link)) ?? null;
    known.clear();
    known.set(key, folders);
    return folders;
  }

  return {
    settings(folder) {
      const top = topAbove(folder);
      if (top === null) return "no_repository";
      const found: { text: string; of: "repository" | "inner_repository" }[] = [];
      const waiting = [top];
      const seen = new Set<string>();
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        const gitFolders = gitFolderAt(at);
        if (gitFolders === null) continue;
        if (gitFolders === "unknown" || seen.size > MAX_REPOSITORIES) return "unknown";
        const [own = ""] = gitFolders;
        if (seen.has(own)) continue;
        seen.add(own);
        if (gitFolders.some(hasLinks)) return "unknown";
        const texts = settingsIn(gitFolders);
        const modules = settingsIn(gitFolders.flatMap(moduleFolders));
        if (texts === null || modules === null) return "unknown";
        const of = at === top ? "repository" : "inner_repository";
        found.push(...texts.map((text) => ({ text, of }) as const), ...modules.map((text) => ({ text, of: "inner_repository" }) as const));
        const isSha256 = texts.some((text) => /objectformat\s*=\s*"?sha256/i.test(text));
        const inner = innerFolders(at, own, isSha256);
        if (inner === null) return "unknown";
        waiting.push(...inner);
      }
      return found;
    },
  };
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
const STATE_FOLDERS = ["", "info", "objects/info", "logs", "refs", "rebase-merge", "rebase-apply", "sequencer", "worktrees"];

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

/** A regular file as a whole, without waiting for anything; `null` when that cannot be had. */
function bytesOf(path: string, maxBytes: number): Buffer | "none" | null {
  const bytes = orNone(() => {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.size > maxBytes) return "unknown";
      const buffer = Buffer.alloc(stat.size);
      return buffer.subarray(0, readSync(fd, buffer, 0, stat.size, 0));
    } finally {
      closeSync(fd);
    }
  });
  return bytes === null ? "none" : bytes === "unknown" ? null : bytes;
}

/** `null`: there is nothing; `unknown`: it cannot be looked at. */
function orNone<T>(look: () => T): T | "unknown" | null {
  try {
    return look();
  } catch (error) {
    const code = osCode(error);
    if (code === "") throw error;
    return code === "ENOENT" || code === "ENOTDIR" ? null : "unknown";
  }
}
