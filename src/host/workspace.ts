import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fail } from "../base/fail.ts";

/** Absolute, and a folder that is there: a host learns of a wrong one at once. */
export function workspaceOf(path: unknown): string {
  if (typeof path !== "string" || path === "") throw fail("invalid_args", "workspace is the path of a folder", { option: "workspace" });
  const absolute = resolve(path);
  const stat = statSync(absolute, { throwIfNoEntry: false });
  if (!stat) throw fail("not_found", `there is no folder ${absolute}`, { path: absolute, option: "workspace" });
  if (!stat.isDirectory())
    throw fail("read_failed", `${absolute} is no folder`, { path: absolute, option: "workspace", reason: "not_a_directory" });
  return absolute;
}
