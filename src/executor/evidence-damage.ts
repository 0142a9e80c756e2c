import type { EvidenceFolder, EvidencePort } from "../sandbox/port.ts";

/** What is told when it is gone, and cannot be put back. */
export interface Standing {
  /** Real git folders that were there, each with what of `HEAD`, `objects` and `refs` it held. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  /** Those of them in whose place something stands. */
  readonly present: ReadonlySet<string>;
  /** True when `HEAD` led to a commit. */
  readonly headResolves: boolean;
  /** What stands for the files in which a person's decisions are kept, by path. */
  readonly decisions: ReadonlyMap<string, string>;
}

export interface StandingOptions {
  readonly port: EvidencePort;
  readonly gitFolders: readonly string[];
  /** `<state>/workspaces/<id>/sessions/<id>/spill`; `null`: nothing is kept. */
  readonly spillDir: string | null;
}

const PARTS = ["HEAD", "objects", "refs"];
const DECISIONS = ["approvals.json", "trust.json"];
const MAX_PACKED_REFS_BYTES = 16 * 1024 * 1024;

/** Looks, mostly without reading, at what a command could do great damage to. The session's log finds out by itself when it was touched. */
export async function standing({ port, gitFolders, spillDir }: StandingOptions): Promise<Standing> {
  const folders = new Map<string, readonly string[]>();
  const present = new Set<string>();
  for (const base of gitFolders) {
    const slash = base.lastIndexOf("/");
    const [own] = await port.look({ base: base.slice(0, slash) || "/", names: [] }, [base.slice(slash + 1)]);
    if (own && own.is !== "absent") present.add(base);
    // a link in its place is not looked through
    const entries = own?.is === "folder" ? await port.look({ base, names: [] }, PARTS) : [];
    folders.set(
      base,
      PARTS.filter((_, index) => entries[index]?.is === "file" || entries[index]?.is === "folder"),
    );
  }
  const names = spillDir?.split("/").slice(0, -1) ?? [];
  return {
    folders,
    present,
    headResolves: await resolvesHead(port, gitFolders),
    decisions: names.length < 3 ? new Map() : await witnesses(port, { base: names.slice(0, -2).join("/"), names: [] }),
  };
}

async function witnesses(port: EvidencePort, folder: EvidenceFolder): Promise<ReadonlyMap<string, string>> {
  const entries = await port.look(folder, DECISIONS);
  return new Map(
    DECISIONS.map((name, index) => {
      const entry = entries[index];
      return [`${folder.base}/${name}`, entry?.is === "file" ? entry.witness : (entry?.is ?? "absent")];
    }),
  );
}

/** A branch that has no commit yet, or one that is kept in a form that is not looked into, counts as not resolved. */
async function resolvesHead(port: EvidencePort, gitFolders: readonly string[]): Promise<boolean> {
  const [own] = gitFolders;
  if (own === undefined) return false;
  const head = textOf(await port.read({ base: own, names: [] }, "HEAD", 4096));
  if (head === null) return false;
  if (/^[0-9a-f]{40,64}$/.test(head.trim())) return true;
  const [, ref] = /^ref: (refs\/\S+)$/.exec(head.trim()) ?? [];
  const names = ref?.split("/") ?? [];
  const leaf = names.pop();
  if (leaf === undefined || names.includes("..")) return false;
  for (const base of gitFolders) {
    const [entry] = await port.look({ base, names }, [leaf]);
    if (entry?.is === "file" && entry.size_bytes >= 40) return true;
    const packed = textOf(await port.read({ base, names: [] }, "packed-refs", MAX_PACKED_REFS_BYTES));
    if (packed?.split("\n").some((line) => line.endsWith(` ${ref}`))) return true;
  }
  return false;
}

function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder("latin1").decode(bytes);
}

/** One sentence for each damage. */
export function damageSince(before: Standing, after: Standing): readonly string[] {
  const gone = [...before.folders].flatMap(([base, parts]) => {
    const left = after.folders.get(base) ?? [];
    if (left.length === 0 && parts.length > 0) return [`${base} is gone`];
    return parts.filter((part) => !left.includes(part)).map((part) => `${base}/${part} is gone`);
  });
  const head = before.headResolves && !after.headResolves && gone.length === 0 ? ["HEAD leads to no commit any more"] : [];
  const changed = [...before.decisions].filter(([path, witness]) => after.decisions.get(path) !== witness);
  return [...gone, ...head, ...changed.map(([path]) => `${path}, which holds what a person decided, was changed while the call ran`)];
}

/** Git folders that are gone themselves: nothing is put back in them. One that was emptied may be filled again by the next call. */
export function goneFolders(before: Standing, after: Standing): readonly string[] {
  return [...before.present].filter((base) => !after.present.has(base));
}
