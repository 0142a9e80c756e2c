import { errorBody, type Failure, fail } from "../base/fail.ts";
import type { CallResult } from "../executor/index.ts";
import { failureOf } from "./envelope-line.ts";

/** The envelope of a call whose log could not be finished: what ran may be without its result there. A call that failed stays what it is. */
export function withBrokenLog(result: CallResult, cause: Failure): CallResult {
  if (failureOf(result)) return result;
  const { call_id, output } = result as Exclude<CallResult, { readonly error: object }>;
  const message = `the call was made, and its record could not be finished: ${cause.message}`;
  const error = fail("tool_result_record_failed", message, { output, record_error: errorBody(cause) });
  return { ok: false, call_id, error: errorBody(error) };
}
