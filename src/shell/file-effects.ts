import type { Effect } from "../base/effect.ts";
import type { FileUse } from "./doing.ts";
import { isLeftOut } from "./left-out.ts";
import type { Machine } from "./machine.ts";
import { matchesName, tokensOfGlob } from "./name-match.ts";
import { brief } from "./not-understood.ts";
import type { State } from "./state.ts";
import type { UnknownWord } from "./word.ts";

export interface UseOptions {
  readonly state: State;
  readonly machine: Machine;
  readonly sure: "declared" | "open";
  /** True when names may be others than those that were looked up, before the program itself writes any. Absent: as the state says. */
  readonly isStale?: boolean;
}

/** Adds the effects of one use of a file, for each folder that the command may start in. */
export async function addFileUse(use: FileUse, options: UseOptions): Promise<void> {
  const { state, machine } = options;
  const { path } = use;
  if (!path.known) {
    await addUnknownPath(use, path, options);
    return;
  }
  if (path.value === "" || isNoFile(path.value, use.access)) return;
  const places = placesOf(path.value, state);
  if (places === null) addUnknown(machine, `the folder from which ${brief(path.value)} is taken is not known`);
  else for (const place of places) await addPlace(use, place, options);
}

/** Absolute places of a path, as it is written; `null` when the folder is not known. */
export function placesOf(path: string, { folders }: Pick<State, "folders">): readonly string[] | null {
  if (path.startsWith("/")) return [path];
  const plain = path.replace(/^(?:\.\/+)+/, "").replace(/^\.$/, "");
  return folders?.map((folder) => (plain === "" ? folder : `${folder === "/" ? "" : folder}/${plain}`)) ?? null;
}

/** Names of the system that are no files to anybody. */
function isNoFile(path: string, access: FileUse["access"]): boolean {
  if (/^\/dev\/(?:null|tty|stdin|stdout|stderr|full|fd\/\d{1,3})$/.test(path)) return access !== "delete";
  return (access === "read" || access === "stat") && /^\/dev\/(?:zero|random|urandom)$/.test(path);
}

async function addPlace(use: FileUse, place: string, options: UseOptions): Promise<void> {
  const { machine, sure } = options;
  const { access, into, follows } = use;
  if (access === "stat") {
    await addLook(place, use.tree === true, options);
    if (use.tree && follows) await addLed(place, () => true, options);
    return;
  }
  const tree = use.tree && !(await isLeaf(use, place, options)) ? true : undefined;
  if (into !== undefined) {
    const kind = await kindOf(place, options);
    const inside = `${place.replace(/\/+$/, "")}/${into}`;
    if (kind === "folder" || kind === "unknown") add(options, { access, path: inside, tree });
    if (kind === "folder") return;
  }
  add(options, { access, path: place, tree });
  if (access === "read" && tree) {
    const { ownComplete, guarded, linked } = await machine.look.tree(place);
    const isMeant = meantBy(use.only);
    const read: string[] = [];
    for (const each of guarded.filter(isMeant)) {
      const leaving = use.except && !follows ? { place, except: use.except, look: machine.look, isStale: isStaleFor(options) } : null;
      if (!leaving || !(await isLeftOut(each, leaving))) read.push(each.path);
    }
    // a link may lead to a folder, in which any name may stand
    const found = [...read, ...(follows ? linked.map(({ to }) => to) : [])];
    for (const path of found) machine.effects.add({ kind: "file.read", sure, path });
    if (!ownComplete) addUnknown(machine, `there is more below ${place} than was looked at`);
  }
}

function isStaleFor({ isStale, state }: UseOptions): boolean {
  return isStale ?? state.stale;
}

/** True when what is used as a tree surely is one file, or, to be read, nothing at all. */
async function isLeaf({ access, treeOf }: FileUse, place: string, options: UseOptions): Promise<boolean> {
  // what is written there may be a tree where a file was
  if (access === "write" && !treeOf) return false;
  const sources = treeOf ? (treeOf.known ? placesOf(treeOf.value, options.state) : null) : [place];
  if (!sources || sources.length === 0) return false;
  for (const source of sources) {
    const kind = await kindOf(source, options);
    if (kind === "none" && access === "read") continue;
    // a guarded folder is said to be a file, and cannot be looked through
    if (kind !== "file" || !(await options.machine.look.tree(source)).complete) return false;
  }
  return true;
}

/** Whether something may be meant by wildcards for the names of files: a folder may be, for what lies in it. */
function meantBy(only: readonly string[] | undefined): (found: { readonly path: string; readonly folder: boolean }) => boolean {
  if (!only) return () => true;
  const patterns = only.map(tokensOfGlob);
  return ({ path, folder }) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return folder || patterns.some((pattern) => matchesName(pattern, name, { caseless: true }));
  };
}

/** Only names, types, sizes and times: what the folder holds, not what the file does. */
async function addLook(place: string, isTree: boolean, options: UseOptions): Promise<void> {
  const kind = await kindOf(place, options);
  const folder = kind === "folder" || isTree ? place : place.replace(/\/+[^/]*\/*$/, "") || "/";
  add(options, { access: "read", path: folder, tree: isTree ? true : undefined });
  // it may be a folder, or a link to one
  if (kind === "unknown" && folder !== place) add(options, { access: "read", path: place, tree: undefined });
}

/** What links below a folder lead to, outside of it: the names in those folders. */
async function addLed(place: string, isMeant: (link: { readonly name: string }) => boolean, options: UseOptions): Promise<void> {
  const { ownComplete, linked } = await options.machine.look.tree(place);
  for (const { to } of linked.filter(isMeant)) add(options, { access: "read", path: to, tree: true });
  if (!ownComplete) addUnknown(options.machine, `there is more below ${place} than was looked at`);
}

async function addUnknownPath(use: FileUse, path: UnknownWord, options: UseOptions): Promise<void> {
  const { state, machine, sure } = options;
  if (!path.below) {
    addUnknown(machine, `which file ${brief(path.raw)} names is not known`);
    return;
  }
  for (const below of path.below) {
    // what `<(…)` stands for
    if (below === "/dev/fd") continue;
    const places = placesOf(below === "" ? "." : below, state);
    if (places === null) {
      addUnknown(machine, `the folder from which ${brief(path.raw)} is taken is not known`);
      continue;
    }
    for (const place of places) {
      if (use.access === "stat") {
        await addLook(place, true, options);
        // a link to a folder is as good as the folder
        if (!path.regular)
          await addLed(place, ({ name }) => path.through === true || meantBy(path.only)({ path: name, folder: false }), options);
        continue;
      }
      add(options, { access: use.access, path: place, tree: true });
      const { complete, readComplete, ownComplete, guarded, linked } = await machine.look.tree(place);
      // a folder may have the name, and in it any other stands
      const isOneFile = path.regular || (!use.tree && use.into === undefined);
      const isMeant = meantBy(isOneFile ? path.only : undefined);
      const kind = use.access === "read" ? "file.read" : use.access === "write" ? "file.write" : "file.delete";
      const leads =
        path.regular || kind === "file.delete" ? [] : linked.filter(({ name }) => path.through || isMeant({ path: name, folder: false }));
      const found = [...guarded.filter(isMeant).map((each) => each.path), ...leads.map(({ to }) => to)];
      for (const each of found) machine.effects.add({ kind, sure, path: each });
      const isWhole = path.regular ? ownComplete : use.access === "read" ? readComplete : complete;
      if (!isWhole) addUnknown(machine, `there is more below ${place} than was looked at`);
    }
  }
}

interface OneEffect {
  readonly access: "read" | "write" | "delete";
  readonly path: string;
  readonly tree: true | undefined;
}

function add({ machine, state, sure }: UseOptions, { access, path, tree }: OneEffect): void {
  const effect: Effect = { kind: `file.${access}`, sure, path, ...(tree ? { tree } : {}) };
  machine.effects.add(effect);
  if (access !== "read") state.stale = true;
}

/** What was looked up may have changed once the script has written something. */
async function kindOf(
  place: string,
  { state, machine, isStale = state.stale }: UseOptions,
): Promise<Awaited<ReturnType<Machine["look"]["kind"]>>> {
  const kind = await machine.look.kind(place);
  return isStale && kind !== "folder" ? "unknown" : kind;
}

function addUnknown(machine: Machine, reason: string): void {
  machine.effects.add({ kind: "unknown", sure: "open", reason });
}
