import { validPath } from "./asked-path.ts";
import { guardedNames, type LocalDisk } from "./local-place.ts";
import { pathTree } from "./local-tree.ts";
import type { SandboxPort } from "./port.ts";
import { problemFailure } from "./problem.ts";
import { walk } from "./walk.ts";

const WHOLE_DISK = [{ path: "/", writable: false }];

/** `resolve` of the local sandbox: where a path leads, anywhere on disk, by looking only. */
export function localResolve({ disk, home }: { readonly disk: LocalDisk; readonly home: string | null }): SandboxPort["resolve"] {
  const tree = pathTree({ trueNames: false });
  return async (path, { cwd }) => {
    const text = validPath(homed(path, home), "read_failed");
    const found = walk(tree, WHOLE_DISK, { ...text, cwd });
    const problem = found === "outside" ? ({ reason: "moved" } as const) : found.problem;
    // a name below a file leads nowhere else, whatever a program does with it
    if (found === "outside" || (problem !== null && problem.reason !== "not_a_directory")) {
      throw problemFailure("read_failed", path, problem ?? { reason: "moved" });
    }
    const also = found.entry === null ? [] : guardedNames(disk, found.path, found.entry);
    const { path: real, through } = found;
    return { path: real, ...(also.length > 0 ? { also } : {}), ...(through.length > 0 ? { through } : {}) };
  };
}

/** The path with a leading `~` spelled out. Another user's home is not known. */
function homed(path: string, home: string | null): string {
  if (!path.startsWith("~")) return path;
  const [tilde = "", ...rest] = path.split("/");
  if (tilde !== "~" || home === null) throw problemFailure("read_failed", path, { reason: "home_unknown" });
  return rest.length === 0 ? home : [home, ...rest].join("/");
}
