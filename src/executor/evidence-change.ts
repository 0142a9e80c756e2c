import type { Effect, FileEffect } from "../base/effect.ts";
import { namesBelow } from "../base/real-path.ts";
import { decide, isHarmlessGitConfigChange, type Policy } from "../permissions/index.ts";
import type { EvidencePort, EvidenceState } from "../sandbox/port.ts";
import type { Item, Snapshot } from "./evidence-snapshot.ts";
import type { TrackedIds } from "./evidence-tracked.ts";
import type { GitMove } from "./git-move.ts";

/** Larger files are not kept, and so cannot be put back. */
export const MAX_KEPT_BYTES = 1024 * 1024;

/** What is known of the names before, and what can be put back. */
export interface Before {
  readonly snapshot: Snapshot;
  /** By path. Of a file that is not here the content was not kept. */
  readonly kept: ReadonlyMap<string, Uint8Array>;
}

/** A guarded name that is not what it was. */
export interface Change {
  readonly item: Item;
  readonly change: "created" | "changed" | "deleted" | "replaced";
  /** What it was; `undefined`: that was not kept. */
  readonly was: EvidenceState | undefined;
}

export interface ChangesOptions {
  readonly port: EvidencePort;
  readonly policy: Policy;
  /** What the call was allowed to do. */
  readonly effects: readonly Effect[];
  /** What the index of the repository had of the guarded files before, and has of them now, where nothing but git can have moved them. */
  readonly tracked: { readonly move: GitMove; readonly before: TrackedIds; readonly after: TrackedIds } | null;
}

/** What was changed and may not be: allowed by no rule or person, and nothing that git writes in everyday work. Holds one content at a time. */
export async function changesSince(before: Before, after: Snapshot, options: ChangesOptions): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const item of after.items.values()) {
    const change = await changeOf(item, before, options.port);
    if (change && !(await isLetBe(change, before, options))) changes.push(change);
  }
  return changes;
}

async function changeOf(item: Item, { snapshot, kept }: Before, port: EvidencePort): Promise<Change | null> {
  const was = snapshot.items.get(item.path)?.entry ?? { is: "absent" };
  const now = item.entry;
  const isNothing = (is: string) => is === "absent" || is === "folder";
  // folders come and go; only what takes the place of one, or is taken by one, matters
  if (isNothing(was.is) && isNothing(now.is)) return null;
  if (was.is === "link" && now.is === "link" && was.target === now.target) return null;
  if (was.is === now.is && (was.is === "other" || was.is === "unreadable")) return null;
  const isFile = was.is === "file" && now.is === "file";
  // read in any case: two changes within one tick of the file system's clock leave the same times behind
  const bytes = kept.get(item.path);
  if (isFile && was.mode === now.mode) {
    const content = bytes && (await port.read(item.place, item.leaf, MAX_KEPT_BYTES));
    if (bytes ? content && isSame(bytes, content) : was.witness === now.witness) return null;
  }
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
  return { item, change, was: state };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

async function isLetBe(made: Change, before: Before, options: ChangesOptions): Promise<boolean> {
  const { item, change, was } = made;
  const { port, policy, effects } = options;
  const { place, leaf, countsAs } = item;
  const isDotGit = place.base === policy.workspace && place.names.length === 0 && leaf === ".git";
  if (place.of === "runs") {
    const kind: FileEffect["kind"] = change === "deleted" ? "file.delete" : "file.write";
    // no row of the guard knows its name, so that what the mode allows by itself does not count
    return isPlanned({ kind, paths: [item.path] }, effects);
  }
  if (place.of === "named" && !isDotGit) {
    const kind: FileEffect["kind"] = change === "deleted" ? "file.delete" : "file.write";
    const names = countsAs === item.path ? [] : [item.path];
    // a question about this very file was answered before the call
    const isForeseen = isPlanned({ kind, paths: [countsAs, ...names] }, effects);
    const isAllowed = () => decide([{ kind, sure: "open", path: countsAs, also: names }], policy).decision.outcome === "allow";
    return isForeseen || isAllowed() || (await isOfGit(made, options));
  }
  const isConfig = place.of === "git" && /^config(?:\.worktree)?$/.test(leaf);
  const wasFile = was !== null && typeof was === "object" && "bytes" in was;
  if (!isConfig || item.entry.is !== "file" || !(was === null || wasFile)) return false;
  const entry = before.snapshot.items.get(item.path)?.entry;
  // git keeps the mode; whoever lets others write may mean them to
  if (entry?.is === "file" && (item.entry.mode & ~entry.mode & 0o022) !== 0) return false;
  const content = await port.read(place, leaf, MAX_KEPT_BYTES);
  const above = place.names.length === 0 ? null : namesBelow(place.base, policy.workspace);
  return (
    content !== null &&
    isHarmlessGitConfigChange({
      before: textOf(was?.bytes ?? null),
      after: textOf(content),
      moduleDepth: above && above.length + place.names.length,
    })
  );
}

/** True when the call's own plan named the file, and so was judged or asked about. */
function isPlanned(
  { kind, paths }: { readonly kind: FileEffect["kind"]; readonly paths: readonly string[] },
  effects: readonly Effect[],
): boolean {
  return effects.some((effect) => effect.kind === kind && paths.includes(effect.path) && !("tree" in effect && effect.tree));
}

/**
 * From one version that the repository has of it to another. What was not yet in the index is put back, unless it was put away; what comes from
 * there again is not in the index.
 */
async function isOfGit({ item, was }: Change, { port, tracked }: ChangesOptions): Promise<boolean> {
  const { place, leaf, path, entry } = item;
  if (tracked === null || item.countsAs !== path || (entry.is !== "file" && entry.is !== "absent")) return false;
  if (was !== null && (typeof was !== "object" || !("bytes" in was))) return false;
  const { move, before, after } = tracked;
  if (!before.has(path, was?.bytes ?? null) && !(move === "stash" && before.names(path))) return false;
  const now = entry.is === "file" ? await port.read(place, leaf, MAX_KEPT_BYTES) : null;
  if (entry.is === "file" && now === null) return false;
  return after.has(path, now) || (move === "pop" && now !== null && before.names(path) && (await before.isStored(now)));
}

/** A character a byte, so that no two texts become one. */
function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
