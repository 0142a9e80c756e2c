import type { FileUse } from "./doing.ts";
import type { Look } from "./look.ts";

/** What stands out below a folder that is read. */
export interface FoundBelow {
  readonly path: string;
  readonly folder: boolean;
}

export interface LeavingOut {
  /** The folder that is read. */
  readonly place: string;
  readonly except: NonNullable<FileUse["except"]>;
  readonly look: Look;
  /** True when files may be others than those that are looked at. */
  readonly isStale: boolean;
}

/** True when a program that reads a folder surely passes over this. */
export async function isLeftOut({ path, folder }: FoundBelow, leaving: LeavingOut): Promise<boolean> {
  const { except } = leaving;
  const place = leaving.place.replace(/(?<=.)\/+$/, "");
  const start = place === "/" ? "/" : `${place}/`;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!folder && except.files?.some((glob) => matchesStars(glob, name))) return true;
  // a folder that is called in another way than it is found has names of its own above it
  if (!path.startsWith(start)) return false;
  const names = path.slice(start.length).split("/");
  const folders = folder ? names : names.slice(0, -1);
  if (folders.some((each) => except.folders?.some((glob) => matchesStars(glob, each)))) return true;
  const hidden = names.filter((each) => each.startsWith("."));
  if (!except.hidden || hidden.length === 0) return false;
  return except.hidden === "always" || (!leaving.isStale && !(await mayBeShown(path, hidden, leaving.look)));
}

/** A wildcard of `*` alone, with regard to case. Linear, unlike a regular expression for it. */
export function matchesStars(glob: string, name: string): boolean {
  const [first = "", ...rest] = glob.split("*");
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length >= at + last.length && name.endsWith(last);
}

const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"];

/**
 * True when a file of those that say what to ignore may name a hidden name as one to be shown all the same. Those above what may be looked at
 * are the user's own, where the top of a repository lies right below them.
 */
async function mayBeShown(path: string, hidden: readonly string[], look: Look): Promise<boolean> {
  let top = false;
  for (let at = path.lastIndexOf("/"); at >= 0; at = path.lastIndexOf("/", at - 1)) {
    const folder = path.slice(0, at);
    for (const name of IGNORE_FILES) {
      const kind = await look.kind(`${folder}/${name}`);
      if (kind === "none") continue;
      if (kind === "unknown") return !top;
      const text = await look.text(`${folder}/${name}`);
      if (text === null || text.split("\n").some((line) => line.startsWith("!") && mayMean(line, hidden))) return true;
    }
    const git = await look.kind(`${folder}/.git`);
    top = git !== "none" && git !== "unknown";
    if (at === 0) break;
  }
  return false;
}

function mayMean(line: string, hidden: readonly string[]): boolean {
  const names = line.slice(1).trim().replace(/\/+$/, "").split("/");
  const last = names.at(-1) ?? "";
  return !/^[\w.~@%=:,+* -]+$/.test(last) || hidden.some((name) => matchesStars(last.toLowerCase(), name.toLowerCase()));
}
