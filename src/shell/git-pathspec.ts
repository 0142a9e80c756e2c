/** What git takes the words behind `--` for, as far as that is plain (gitglossary(7), "pathspec"). */

/** The folder that git works in, and the top of the work tree above it: real paths. */
export interface GitPlace {
  readonly folder: string;
  readonly top: string;
}

/** Whether a real path in the work tree is meant. `excludes`: what it is true of is left out, whatever other pathspecs say. */
export interface Pathspec {
  readonly excludes: boolean;
  readonly reaches: (path: string) => boolean;
}

/** Whether it is no revision, for it holds what no revision does. */
export function isSurelyPathspec(text: string): boolean {
  return /^:[(!^]/.test(text) || (/[*?[]/.test(text) && !/[:{]/.test(text));
}

/**
 * One pathspec. It reaches at least what git takes it for, without regard to case, and all that is tracked when it is not plain; one that
 * excludes leaves out at most what git leaves out.
 */
export function pathspecOf(text: string, place: GitPlace): Pathspec {
  const { magic, rest } = parted(text);
  const excludes = magic.includes("exclude");
  const isPlain = magic.every((word) => word === "exclude" || word === "top");
  const from = magic.includes("top") ? place.top : place.folder;
  const last = Math.max(...["*", "?", "[", "\\"].map((char) => rest.lastIndexOf(char)));
  if (excludes) return { excludes, reaches: isPlain ? excluded(rest, { from, last }) : () => false };
  if (!isPlain || rest === "") return { excludes, reaches: () => true };
  const named = below(rest, { ...place, folder: from });
  if (last === -1) return { excludes, reaches: named };
  const end = folded(rest.slice(last + 1));
  return { excludes, reaches: (path) => named(path) || folded(path).endsWith(end) };
}

/** The words of its magic, and what is left. A sign of magic that is not known is a word that nobody knows. */
function parted(text: string): { readonly magic: readonly string[]; readonly rest: string } {
  const long = /^:\(([^)]*)\)([\s\S]*)$/.exec(text);
  if (long) return { magic: (long[1] ?? "").split(",").filter((word) => word !== ""), rest: long[2] ?? "" };
  const [, signs, rest = ""] = /^:([/!^]*):?([\s\S]*)$/.exec(text) ?? [];
  if (signs === undefined) return { magic: [], rest: text };
  return { magic: [...signs].map((sign) => (sign === "/" ? "top" : "exclude")), rest };
}

/** A path, or `*` and the end of one; of anything else nothing. */
function excluded(rest: string, { from, last }: { readonly from: string; readonly last: number }): (path: string) => boolean {
  const start = from === "/" ? "/" : `${from}/`;
  if (last === 0 && rest.length > 1 && rest.startsWith("*")) {
    const end = rest.slice(1);
    return (path) => path.startsWith(start) && path.endsWith(end);
  }
  if (last !== -1 || rest === "" || rest.endsWith("/") || rest.startsWith("/")) return () => false;
  const place = normal(`${start}${rest}`);
  return (path) => path === place || path.startsWith(`${place}/`);
}

/** True of a path and of all below it, without regard to case; of everything when it does not lie in the work tree. */
export function below(path: string, { folder, top }: GitPlace): (path: string) => boolean {
  const place = folded(normal(path.startsWith("/") ? path : `${folder}/${path}`));
  const root = folded(top);
  if (place === root || root === "/" || !place.startsWith(`${root}/`)) return () => true;
  return (each) => folded(each) === place || folded(each).startsWith(`${place}/`);
}

/** An absolute path without `.`, `..` and empty names. */
export function normal(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
