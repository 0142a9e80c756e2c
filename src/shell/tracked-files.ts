import type { GitTracked } from "../base/git-tracked.ts";
import { below, isSurelyPathspec, normal, type Pathspec, pathspecOf } from "./git-pathspec.ts";
import { isOfCommits } from "./git-revision.ts";
import type { Machine } from "./machine.ts";
import type { TrackedUse } from "./tracked-use.ts";
import type { Word } from "./word.ts";

export interface TrackedOptions {
  readonly machine: Machine;
  readonly sure: "declared" | "open";
  /** True: names on the disk may be others than those that were looked up. */
  readonly isStale: boolean;
  /** Places that count as read in any case. */
  readonly read: readonly string[];
}

/** Adds reads of the secrets that a read of git shows, in each folder that it may work in, and of the paths in revisions that it names. */
export async function addTracked(use: TrackedUse, folders: readonly string[], options: TrackedOptions): Promise<void> {
  const { machine, sure } = options;
  const read = new Set(options.read.map(normal));
  const add = (path: string): void => {
    if (!read.has(path)) machine.effects.add({ kind: "file.read", sure, path });
    read.add(path);
  };
  for (const folder of folders) {
    const known = await machine.look.gitTracked(folder);
    if (known === null) {
      // of what may be there anyway nothing can be said
      if (sure === "declared") machine.effects.add({ kind: "unknown", sure: "open", reason: "what the repository tracks cannot be told" });
      continue;
    }
    for (const object of use.objects ?? []) {
      const path = objectPlace(object, known);
      if (path !== normal(known.top)) add(path);
    }
    if (known.files.length === 0) continue;
    const reach = await reachOf(use, known, options);
    const reached = known.files.filter(({ path, changed }) => (changed || !reach.changesOnly) && reach.of(path));
    if (reached.length > MAX_NAMED) machine.effects.add({ kind: "file.read", sure, path: known.top, tree: true });
    else for (const { path, real } of reached) add(real ?? path);
  }
}

/** Of more files than a person reads it is said that the whole work tree is read. */
const MAX_NAMED = 200;

function objectPlace(object: string, { folder, top }: GitTracked): string {
  return normal(/^\.{1,2}(?:\/|$)/.test(object) ? `${folder}/${object}` : `${top}/${object}`);
}

interface Reach {
  readonly of: (path: string) => boolean;
  readonly changesOnly: boolean;
}

const EVERYTHING: Reach = { of: () => true, changesOnly: false };

async function reachOf(use: TrackedUse, known: GitTracked, options: TrackedOptions): Promise<Reach> {
  if (use.all) return EVERYTHING;
  const objects = (use.objects ?? []).map((object) => below(objectPlace(object, known), known));
  const revisions = [...(use.revisions ?? [])];
  const specs = (use.paths ?? []).map((word) => specOf(word, known));
  for (const word of use.perhaps ?? []) {
    if (!word.known) {
      // it may be either
      specs.push({ excludes: false, reaches: () => true });
      revisions.push(word);
    } else if (isSurelyPathspec(word.value) || (await isThere(word.value, known, options))) specs.push(specOf(word, known));
    else revisions.push(word);
  }
  if (use.blobs && revisions.some((word) => !word.known || !isOfCommits(word.value))) return EVERYTHING;
  if (use.objectsOnly) return { of: (path) => objects.some((reaches) => reaches(path)), changesOnly: false };
  const included = specs.filter(({ excludes }) => !excludes);
  const excluded = specs.filter(({ excludes }) => excludes);
  if (included.length === 0 && (objects.length === 0 || revisions.length > 0)) {
    const reaches = use.here ? below(".", known) : () => true;
    included.push({ excludes: false, reaches });
  }
  const reaches = (path: string) => (spec: Pathspec) => spec.reaches(path);
  return {
    of: (path) => objects.some((each) => each(path)) || (included.some(reaches(path)) && !excluded.some(reaches(path))),
    changesOnly: use.changes === true && revisions.length === 0 && objects.length === 0 && !options.isStale,
  };
}

function specOf(word: Word, known: GitTracked): Pathspec {
  if (word.known) return pathspecOf(word.value, known);
  const places = word.below?.map((place) => (isSurelyPathspec(place) || place.startsWith(":") ? () => true : below(place || ".", known)));
  return { excludes: false, reaches: (path) => places?.some((reaches) => reaches(path)) ?? true };
}

/** False as well when it may have been taken away: then it may be a revision. */
async function isThere(path: string, { folder }: GitTracked, { machine, isStale }: TrackedOptions): Promise<boolean> {
  if (isStale || path === "") return false;
  const kind = await machine.look.kind(path.startsWith("/") ? path : `${folder}/${path}`);
  return kind !== "none" && kind !== "unknown";
}
