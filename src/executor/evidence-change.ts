import type { FileEffect } from "../base/effect.ts";
import { namesBelow } from "../base/real-path.ts";
import { isHarmlessGitConfigChange, isNamed, type Policy } from "../permissions/index.ts";
import type { EvidencePort, EvidenceState } from "../sandbox/port.ts";
import type { Item, Snapshot } from "./evidence-snapshot.ts";

/** Larger files are not kept, and so cannot be put back. */
export const MAX_KEPT_BYTES = 1024 * 1024;

/** What is known of the names before: what can be put back, and when that was looked at. */
export interface Before {
  readonly snapshot: Snapshot;
  /** By path. Of a file that is not here the content was not kept. */
  readonly kept: ReadonlyMap<string, Uint8Array>;
  /** Time before the look, in ms since 1970. */
  readonly takenMs: number;
}

/** A guarded name that is not what it was. */
export interface Change {
  readonly item: Item;
  readonly change: "created" | "changed" | "deleted" | "replaced";
  /** What it was; `undefined`: that was not kept. */
  readonly was: EvidenceState | undefined;
  /** What it holds now; `null` when that is no file of at most 1 MiB. */
  readonly content: Uint8Array | null;
}

export interface ChangesOptions {
  readonly port: EvidencePort;
  readonly policy: Policy;
}

/** What was changed and may not be: named by no rule, and nothing that git writes by itself in everyday work. */
export async function changesSince(before: Before, after: Snapshot, { port, policy }: ChangesOptions): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const item of after.items.values()) {
    const change = await changeOf(item, before, port);
    if (change && !isLetBe(change, before, policy)) changes.push(change);
  }
  return changes;
}

/** Two changes within one tick of a file system's clock leave the same times behind. */
const TICK_MS = 50;

async function changeOf(item: Item, { snapshot, kept, takenMs }: Before, port: EvidencePort): Promise<Change | null> {
  const was = snapshot.items.get(item.path)?.entry ?? { is: "absent" };
  const now = item.entry;
  const isNothing = (is: string) => is === "absent" || is === "folder";
  // folders come and go; only what takes the place of one, or is taken by one, matters
  if (isNothing(was.is) && isNothing(now.is)) return null;
  if (was.is === "link" && now.is === "link" && was.target === now.target) return null;
  if (was.is === now.is && (was.is === "other" || was.is === "unreadable")) return null;
  const isFile = was.is === "file" && now.is === "file";
  if (isFile && was.witness === now.witness && now.changed_ms < takenMs - TICK_MS) return null;
  const content = now.is === "file" ? await port.read(item.place, item.leaf, MAX_KEPT_BYTES) : null;
  const bytes = kept.get(item.path);
  if (isFile && was.mode === now.mode && (bytes ? content !== null && isSame(bytes, content) : was.witness === now.witness)) return null;
  const state: EvidenceState | undefined =
    was.is === "absent"
      ? null
      : was.is === "folder"
        ? "folder"
        : was.is === "link"
          ? { target: was.target }
          : was.is === "file" && bytes
            ? { bytes, mode: was.mode }
            : undefined;
  const change = was.is === "absent" ? "created" : now.is === "absent" ? "deleted" : isFile ? "changed" : "replaced";
  return { item, change, was: state, content };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function isLetBe({ item, change, was, content }: Change, before: Before, policy: Policy): boolean {
  const { place, leaf, countsAs } = item;
  const isDotGit = place.base === policy.workspace && place.names.length === 0 && leaf === ".git";
  if (place.of === "named" && !isDotGit) {
    const kind: FileEffect["kind"] = change === "deleted" ? "file.delete" : "file.write";
    return isNamed(kind, countsAs, policy);
  }
  const isConfig = place.of === "git" && /^config(?:\.worktree)?$/.test(leaf);
  if (!isConfig || content === null || (was !== null && (typeof was !== "object" || !("bytes" in was)))) return false;
  const [, ...module] = namesBelow(place.base, policy.workspace) === null ? [] : ["", ...place.names];
  const depth = module.length === 0 ? null : (namesBelow(place.base, policy.workspace)?.length ?? 0) + module.length;
  const wasMode = before.snapshot.items.get(item.path)?.entry;
  const isSameMode = wasMode?.is !== "file" || item.entry.is !== "file" || (item.entry.mode & ~wasMode.mode & 0o022) === 0;
  return isSameMode && isHarmlessGitConfigChange({ before: textOf(was?.bytes ?? null), after: textOf(content), moduleDepth: depth });
}

/** What is no UTF-8 becomes a mark in it, and so is a text that is compared like any other. */
function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder("utf-8").decode(bytes);
}
