import { isFailure } from "../base/fail.ts";
import { isWithin } from "../base/real-path.ts";
import type { Location, SandboxPort, Survey, TreeSurvey } from "../sandbox/port.ts";

/** What a survey may tell. */
export interface SurveyPermits {
  /** True when a read of this place would be allowed without a question. */
  reads(location: Location): boolean;
  /** True when the evidence guard names this real path. */
  guards(path: string): boolean;
}

const MAX_NAMES = 10_000;
const MAX_TREE_NAMES = 20_000;
const MAX_TOLD = 20;
/** What bash, `xargs` and the like take a list of names apart at or take away, and what is no UTF-8, which some print in another way. */
const ODD_NAME = /[\s"'\\\p{Cc}\p{Zs}\uFFFD]/u;
/** Folders of many files that are nobody's own: looked into last. */
const LAST_FOLDERS = /^(?:node_modules|\.git|target|vendor|\.venv|venv|__pycache__)$/;

/** The survey of a sandbox: what `permits` would let be read, and nothing of the rest. */
export function createSurvey(port: SandboxPort, permits: SurveyPermits): Survey {
  const { workspace, ground } = port;
  const gate = (location: Location): void => {
    if (!permits.reads(location)) throw REFUSED;
  };
  const access = { cwd: workspace, gate };

  const real = (path: string): Promise<string | null> => quiet(async () => (await port.resolve(path, { cwd: workspace })).path, null);
  // the other root holds spilled output, which nothing starts
  const isInRoot = (place: string): boolean => isWithin(place, workspace);

  return {
    variables: ground?.variables ?? {},
    async kind(path) {
      const place = await real(path);
      if (place === null) return "unknown";
      if (permits.guards(place)) return "file";
      return quiet(async () => {
        const stat = await port.stat(place, access);
        if (stat === null) return "none";
        return stat.type === "directory" ? "folder" : stat.type;
      }, "unknown");
    },
    async names(folder) {
      return quiet(async () => {
        const { entries } = await port.list(folder, access);
        return entries.length > MAX_NAMES ? null : entries.map(({ name }) => name);
      }, null);
    },
    async tree(folder) {
      return surveyTree(folder, { port, access, permits, real });
    },
    async program(spelled, cwd) {
      if (!ground) return { standing: "other", places: [] };
      const located = await ground.locate(spelled.slice(spelled.lastIndexOf("/") + 1));
      const path = spelled.startsWith("/") ? spelled : `${cwd}/${spelled}`;
      const found = spelled.includes("/") ? await quiet(async () => port.resolve(path, { cwd: workspace }), null) : located;
      if (found === null) return { standing: spelled.includes("/") ? "other" : "absent", places: [] };
      const places = [...(found.through ?? []), found.path];
      if (places.some(isInRoot)) return { standing: "workspace", places };
      return { standing: located?.path === found.path ? "trusted" : "other", places };
    },
    async gitSettings(folder) {
      const place = await real(folder);
      return place === null || !ground ? "unknown" : ground.gitSettings(place);
    },
  };
}

/** Nobody sees it: what may not be read is as if it could not be told. */
const REFUSED = new Error("not to be read without a question");

async function quiet<T>(look: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error === REFUSED || isFailure(error)) return otherwise;
    throw error;
  }
}

interface TreeParts {
  readonly port: SandboxPort;
  readonly access: { readonly cwd: string; readonly gate: (location: Location) => void };
  readonly permits: SurveyPermits;
  readonly real: (path: string) => Promise<string | null>;
}

/** Level by level, so that what lies near is found first. */
async function surveyTree(folder: string, { port, access, permits, real }: TreeParts): Promise<TreeSurvey> {
  const guarded: string[] = [];
  const linked: string[] = [];
  const found = { complete: true, oddNames: false };
  const root = await real(folder);
  if (root === null) return { complete: false, guarded, linked, oddNames: true };
  const near: string[] = [root];
  const last: string[] = [];
  let seen = 0;
  for (let at = near.shift() ?? last.shift(); at !== undefined; at = near.shift() ?? last.shift()) {
    const place = at;
    const entries = await quiet(async () => (await port.list(place, access)).entries, null);
    if (entries === null) {
      // a file has no names in it
      if (place !== root || (await quiet(async () => (await port.stat(place, access))?.type, null)) !== "file") found.complete = false;
      continue;
    }
    for (const { name, type } of entries) {
      seen += 1;
      if (seen > MAX_TREE_NAMES) return { ...found, complete: false, guarded, linked };
      const path = `${place === "/" ? "" : place}/${name}`;
      if (ODD_NAME.test(name)) found.oddNames = true;
      if (permits.guards(path)) told(guarded, path, found);
      else if (type === "directory") (LAST_FOLDERS.test(name) ? last : near).push(path);
      else if (type === "link") {
        const target = await real(path);
        if (target === null) found.complete = false;
        else if (permits.guards(target) && isWithin(target, root)) told(guarded, target, found);
        else if (!isWithin(target, root)) told(linked, target, found);
      }
    }
  }
  return { ...found, guarded: [...new Set(guarded)], linked: [...new Set(linked)] };
}

function told(list: string[], path: string, found: { complete: boolean }): void {
  if (list.length < MAX_TOLD) list.push(path);
  else found.complete = false;
}
