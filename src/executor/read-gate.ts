import type { Effect } from "../base/effect.ts";
import type { Gate, Location } from "../sandbox/port.ts";

/**
 * The gate of a plan: every place that the plan opens, lists or asks about is judged as a `file.read` of its own. What `judge` throws ends
 * the plan even when the tool swallows it: `refusal()` keeps it. A place is judged once.
 */
export function createReadGate(judge: (effect: Effect & { kind: "file.read" }) => Promise<void>): {
  gate: Gate;
  refusal(): Error | null;
} {
  let refused: Error | null = null;
  const judged = new Map<string, Promise<void>>();
  return {
    async gate(location: Location) {
      if (refused) throw refused;
      const key = readKey(location);
      let judgement = judged.get(key);
      if (!judgement) {
        const also = location.also?.length ? { also: location.also } : {};
        judgement = judge({ kind: "file.read", sure: "exact", path: location.path, ...also });
        judged.set(key, judgement);
      }
      try {
        await judgement;
      } catch (error) {
        refused ??= error as Error;
        throw error;
      }
    },
    refusal: () => refused,
  };
}

/** What a read of one place is known by: its real path, and its guarded names. */
export function readKey({ path, also = [] }: { readonly path: string; readonly also?: readonly string[] }): string {
  return JSON.stringify([path, also]);
}
