import type { Decision } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import type { ErrorBody } from "../base/fail.ts";
import type { JsonValue } from "../base/json.ts";
import type { Content } from "../tools/index.ts";

/** What every door hands out for one call. `ok: false` without `error` has one meaning: a command ran and exited non-zero. */
export type CallResult =
  | {
      readonly ok: true;
      readonly dry_run?: never;
      readonly call_id: string;
      readonly output: string;
      readonly content?: readonly Content[];
      readonly [detail: string]: unknown;
    }
  | {
      readonly ok: true;
      readonly dry_run: true;
      readonly call_id: string;
      readonly tool: string;
      readonly args: JsonValue;
      readonly effects: readonly Effect[];
      readonly plan_sha256: string;
      readonly decision: Decision;
      readonly output: string;
    }
  /** `call_id` null: it did not come to a call, and nothing is recorded. */
  | { readonly ok: false; readonly call_id: string | null; readonly error: ErrorBody }
  | {
      readonly ok: false;
      readonly call_id: string;
      readonly error?: never;
      readonly output: string;
      readonly exit_code: number | null;
      readonly [detail: string]: unknown;
    };
