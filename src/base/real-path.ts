/** Absolute real paths, compared by their names. */

/** True for an absolute path without empty names, `.` and `..`: what alone can be compared. */
export function isRealPath(path: string): boolean {
  return (
    path === "/" ||
    (path.startsWith("/") &&
      !path.includes("\0") &&
      !path
        .slice(1)
        .split("/")
        .some((name) => name === "" || name === "." || name === ".."))
  );
}

/** The names that lead from `folder` to `path`, `[]` for the folder itself, `null` when the path is not in it. Both are real paths. */
export function namesBelow(path: string, folder: string): readonly string[] | null {
  if (path === folder) return [];
  const prefix = folder === "/" ? "/" : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length).split("/") : null;
}

/** True for the folder itself and all that lies in it, at any depth. Both are real paths. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
