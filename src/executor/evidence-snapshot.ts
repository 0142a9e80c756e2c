import type { Effect } from "../base/effect.ts";
import { type EvidencePlace, evidencePlaces, type Policy } from "../permissions/index.ts";
import type { EvidenceEntry, EvidencePort, SandboxPort } from "../sandbox/port.ts";
import { evidenceGround } from "./evidence-ground.ts";

/** One guarded name, as it stands. */
export interface Item {
  readonly place: EvidencePlace;
  readonly leaf: string;
  /** Absolute. */
  readonly path: string;
  /** The guarded path by which it counts: of what a guarded link leads to, that link's. */
  readonly countsAs: string;
  readonly entry: EvidenceEntry;
}

/** The guarded names of one moment, those first that matter most. */
export interface Snapshot {
  readonly gitFolders: readonly string[];
  /** Where was looked. */
  readonly places: readonly EvidencePlace[];
  readonly items: ReadonlyMap<string, Item>;
}

/** More names of a folder are not looked at; hooks are looked for by their names in any case. */
const MAX_NAMES = 4096;

export interface SnapshotOptions {
  readonly port: EvidencePort;
  readonly policy: Policy;
  readonly resolve: SandboxPort["resolve"];
  /** What the call may do. */
  readonly effects: readonly Effect[];
  /** What was there before: looked at again, whatever is there now. */
  readonly before?: Snapshot;
}

/** Looks at all guarded names, without their content. */
export async function takeSnapshot({ port, policy, resolve, effects, before }: SnapshotOptions): Promise<Snapshot> {
  const gitFolders = [...new Set([...(before?.gitFolders ?? []), ...(await port.gitFolders())])];
  const ground = await evidenceGround({ port, policy, gitFolders, effects });
  // where was looked before is looked again, though the settings may lead elsewhere by now
  const earlier = (before?.places ?? []).filter(({ of }) => of === "runs");
  const places = [...evidencePlaces(policy, ground), ...earlier];
  const items = new Map<string, Item>();
  /** True when a folder on the way to the place was looked at, and is none. */
  const isMissing = ({ base, names }: EvidencePlace) => {
    const onTheWay = names.map((_, index) => items.get([base === "/" ? "" : base, ...names.slice(0, index + 1)].join("/")));
    return onTheWay.some((item) => item !== undefined && item.entry.is !== "folder");
  };
  const add = async (place: EvidencePlace, leaves: readonly string[], countsAs?: string) => {
    const pathOf = (leaf: string) => [place.base === "/" ? "" : place.base, ...place.names, leaf].join("/");
    const missing = leaves.filter((leaf) => !items.has(pathOf(leaf)));
    if (missing.length === 0) return;
    const entries = isMissing(place) ? missing.map(() => ({ is: "absent" }) as const) : await port.look(place, missing);
    for (const [index, leaf] of missing.entries()) {
      const path = pathOf(leaf);
      const entry = entries[index];
      if (entry) items.set(path, { place, leaf, path, countsAs: countsAs ?? path, entry });
    }
  };
  for (const place of places) {
    const { others } = place;
    const found = others === null || isMissing(place) ? [] : (await port.list(place, MAX_NAMES)).filter(others);
    await add(place, [...new Set([...place.leaves, ...found])]);
  }
  // what was there is asked for once more where it stood, whatever its folder says now
  for (const { place, leaf, countsAs } of before?.items.values() ?? []) await add(place, [leaf], countsAs);
  for (const { place, path, entry } of before ? [] : [...items.values()]) {
    if (entry.is !== "link" || place.of !== "named") continue;
    const at = await resolve(path, { cwd: policy.workspace }).catch(() => null);
    const slash = at?.path.lastIndexOf("/") ?? -1;
    if (!at || slash < 0) continue;
    const target: EvidencePlace = { base: at.path.slice(0, slash) || "/", names: [], leaves: [], others: null, of: "named" };
    await add(target, [at.path.slice(slash + 1)], path);
  }
  return { gitFolders, places, items };
}
