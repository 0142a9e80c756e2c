import assert from "node:assert/strict";
import { isFailure } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import type { Kind } from "../base/kinds.ts";

/** One thing that an adapter must do; `run` rejects when it does not. Hand it to any runner: `test(name, run)`. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Rejects unless the step fails with this kind and, among others, these details. */
export async function failsWith(step: () => unknown, kind: Kind, details: JsonObject = {}): Promise<void> {
  let failure: unknown;
  try {
    await step();
  } catch (error) {
    failure = error;
  }
  assert.ok(isFailure(failure), `expected a failure of kind ${kind}, got ${failure === undefined ? "none" : String(failure)}`);
  const found = Object.fromEntries(Object.keys(details).map((key) => [key, failure.details[key]]));
  assert.deepEqual({ kind: failure.kind, details: found }, { kind, details }, failure.message);
}
