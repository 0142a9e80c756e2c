import type { Effect } from "../base/effect.ts";
import { sha256OfJson } from "../base/hash.ts";
import type { JsonObject } from "../base/json.ts";

/** What is to be decided: a plan, or one read that a plan wants to make. */
export interface Proposal {
  readonly tool: string;
  readonly args: JsonObject;
  readonly effects: readonly Effect[];
  readonly planSha256: string;
}

export function propose(tool: string, args: JsonObject, effects: readonly Effect[]): Proposal {
  return { tool, args, effects, planSha256: sha256OfJson({ tool, args, effects }) };
}
