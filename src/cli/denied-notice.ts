import type { JsonObject } from "../base/json.ts";
import { type OpenRuntimeOptions, sayPolicy } from "./open-runtime.ts";

/** Says once, where a call was refused by the mode for want of a yes, what of the policy has a part in that and stands nowhere else. */
export interface DeniedNotice {
  /** What a call failed with, as it comes. */
  heard(error: { readonly details: JsonObject } | undefined): void;
  /** To be called when the calls are done: nothing is said before. */
  say(): Promise<void>;
}

/** On a terminal it stands in the first lines already. Does not throw. */
export function createDeniedNotice(options: OpenRuntimeOptions): DeniedNotice {
  let isWanted = false;
  return {
    heard(error) {
      const { reason, rule } = error?.details ?? {};
      isWanted ||= reason === "nobody_to_ask" || (typeof rule === "string" && rule.startsWith("mode "));
    },
    async say() {
      if (!isWanted || options.terminal.err.isTerminal) return;
      isWanted = false;
      // the answer is out already, and a notice that cannot be made does not take it back
      await sayPolicy(options, "after_denial").catch(() => {});
    },
  };
}
