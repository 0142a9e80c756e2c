import type { TreeSurvey } from "../base/disk-look.ts";
import { isFailure } from "../base/fail.ts";
import { isWithin } from "../base/real-path.ts";
import type { Location, SandboxPort, Survey } from "../sandbox/port.ts";

/** What a survey may tell. */
export interface SurveyPermits {
  /** True when a read of this place would be allowed without a question. */
  reads(location: Location): boolean;
  /** True when the evidence guard names this real path. */
  guards(path: string): boolean;
  /** True when that is because it is a secret: what must not be read by the way, with the folder that it lies in. */
  isSecret(path: string): boolean;
  /** As `isSecret`, and what a rule asks about or denies to be read. */
  isAsked(path: string): boolean;
  /** The secrets that are known by name, whether they are there or not. */
  secretFiles(): readonly string[];
  /** As long as this is the same object, `isSecret` and `isAsked` say the same of a path. */
  readonly secretsBy: object;
}

const MAX_NAMES = 10_000;
const MAX_TREE_NAMES = 20_000;
/** Of all trees that one survey is asked about. */
const MAX_ALL_NAMES = 60_000;
const MAX_TOLD = 20;
const MAX_TEXT_BYTES = 16 * 1024;
/** What bash, `xargs` and the like take a list of names apart at, take away or expand again, and what is no UTF-8, which some print in another way. */
const ODD_NAME = /[\s"'\\*?[\p{Cc}\p{Zs}\uFFFD]/u;
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
  const looked = { names: 0 };
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
    async text(path) {
      return quiet(async () => {
        const place = await real(path);
        if (place === null || permits.guards(place)) return null;
        const { bytes } = await port.read(place, { ...access, maxBytes: MAX_TEXT_BYTES });
        const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
        return text.includes("\uFFFD") || text.includes("\0") ? null : text;
      }, null);
    },
    async tree(folder) {
      return surveyTree(folder, { port, access, permits, real, looked });
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
    async gitTracked(folder) {
      const place = await real(folder);
      return place === null || !ground
        ? null
        : ground.gitTracked(place, { isWanted: permits.isAsked, linkable: permits.secretFiles(), by: permits.secretsBy });
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
  /** Names that were looked at until now, in all trees. */
  readonly looked: { names: number };
}

/** Level by level, so that what lies near is found first. */
async function surveyTree(folder: string, { port, access, permits, real, looked }: TreeParts): Promise<TreeSurvey> {
  const found = { complete: true, readComplete: true, ownComplete: true, oddNames: false };
  // of what is guarded and no secret the names are looked at, for links, and none is told
  const guardedFolders = new Set<string>();
  const guarded = new Map<string, { readonly path: string; readonly folder: boolean }>();
  const linked = new Map<string, { readonly name: string; readonly to: string }>();
  const tell = <T>(told: Map<string, T>, path: string, what: T): void => {
    if (told.size < MAX_TOLD) told.set(path, what);
    else found.complete = found.readComplete = found.ownComplete = false;
  };
  const survey = (): TreeSurvey => ({ ...found, guarded: [...guarded.values()], linked: [...linked.values()] });
  const root = await real(folder);
  if (root === null || looked.names > MAX_ALL_NAMES)
    return { ...survey(), complete: false, readComplete: false, ownComplete: false, oddNames: true };
  const near: string[] = [root];
  const last: string[] = [];
  let seen = 0;
  for (let isNear = true, at = near.shift(); at !== undefined; isNear = near.length > 0, at = near.shift() ?? last.shift()) {
    const place = at;
    const look = guardedFolders.has(place) ? { ...access, gate: () => {} } : access;
    const entries = await quiet(async () => (await port.list(place, look)).entries, null);
    if (entries === null) {
      // a file has no names in it
      const isFile = place === root && (await quiet(async () => (await port.stat(place, access))?.type, null)) === "file";
      if (!isFile) found.complete = found.readComplete = found.ownComplete = false;
      continue;
    }
    for (const { name, type } of entries) {
      seen += 1;
      looked.names += 1;
      if (seen > MAX_TREE_NAMES || looked.names > MAX_ALL_NAMES) {
        // of what is nobody's own, all of that was left for last
        return { ...survey(), complete: false, readComplete: false, ownComplete: found.ownComplete && !isNear && near.length === 0 };
      }
      const path = `${place === "/" ? "" : place}/${name}`;
      if (ODD_NAME.test(name)) found.oddNames = true;
      if (permits.isSecret(path)) tell(guarded, path, { path, folder: type === "directory" });
      else if (type === "directory" && permits.guards(path)) {
        found.complete = false;
        guardedFolders.add(path);
        near.push(path);
      } else if (type === "directory") (LAST_FOLDERS.test(name) || !isNear ? last : near).push(path);
      else if (type === "link") {
        const to = await real(path);
        if (to === null) found.complete = found.readComplete = found.ownComplete = false;
        else if (!isWithin(to, root)) tell(linked, path, { name, to });
        else if (permits.isSecret(to)) tell(guarded, to, { path: to, folder: true });
      }
    }
  }
  return survey();
}
