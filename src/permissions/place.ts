import type { FileEffect } from "../base/effect.ts";
import { isHarmlessRead } from "../base/harmless-reads.ts";
import { isWithin } from "../base/real-path.ts";
import type { Policy } from "./policy.ts";

/** Inside: in a root; for a read also in the spill folder, and for a read by a command where nothing is private. */
export function isInside(effect: FileEffect, policy: Policy): boolean {
  const { path } = effect;
  if (policy.roots.some((root) => isWithin(path, root))) return true;
  if (effect.kind !== "file.read") return false;
  const spill = policy.spillDir();
  return (spill !== null && isWithin(path, spill)) || (effect.sure !== "exact" && isHarmlessRead(effect, policy.home));
}
