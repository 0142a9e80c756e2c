import type { Effect } from "../base/effect.ts";
import { type Failure, fail, isFailure } from "../base/fail.ts";

/** What was done for a call in its sandbox, as far as it matters for another attempt. */
export interface Deeds {
  /** How many writes, deletes and processes were begun, but for those that were refused because a file had changed. */
  begun: number;
}

/** Counts a deed, and takes it back when nothing came of it because a file had changed. */
export async function counted<T>(deeds: Deeds, deed: () => Promise<T>): Promise<T> {
  deeds.begun += 1;
  try {
    return await deed();
  } catch (error) {
    if (isFailure(error) && error.kind === "changed_since_plan") deeds.begun -= 1;
    throw error;
  }
}

/** Failures before which nothing was done: the call can be planned and begun again. */
const stale = new WeakSet<Failure>();

/** The failure of a plan whose file is another one now; nothing was done yet. `null`: there is no file. */
export function staleFile(path: string, { planned, now }: { readonly planned: string | null; readonly now: string | null }): Failure {
  const failure = fail("changed_since_plan", `${path} changed after it was planned; nothing was written`, {
    path,
    sha256_planned: planned,
    sha256_now: now,
  });
  stale.add(failure);
  return failure;
}

/**
 * Marks what a tool threw when it says that a file changed, and nothing was done through its sandbox. Effects that do not go through it
 * (network, agents, unknown ones) may have happened all the same, and a call that has them is not begun again.
 */
export function noteStale(thrown: unknown, effects: readonly Effect[], deeds: Deeds): void {
  if (!isFailure(thrown) || thrown.kind !== "changed_since_plan" || deeds.begun > 0) return;
  if (effects.every(({ kind }) => kind.startsWith("file.") || kind === "command")) stale.add(thrown);
}

/** True when the plan was overtaken by a change of its files, and nothing was done yet. */
export function isStalePlan(error: unknown): error is Failure {
  return isFailure(error) && stale.has(error);
}
