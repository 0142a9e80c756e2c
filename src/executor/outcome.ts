import { boundHeadTail } from "../base/bound.ts";
import type { Effect } from "../base/effect.ts";
import { type ErrorBody, errorBody, type Failure, fail } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import type { LoggedContent, LoggedData } from "../log/index.ts";
import type { Content, Taken } from "../tools/index.ts";
import type { CallScope } from "./call.ts";
import type { CallResult } from "./envelope.ts";
import type { Prepared } from "./prepare.ts";
import { isRecordFailure } from "./recorder.ts";

/** The model reads at most this much of one result, whatever the tool; what is cut can be paged from the spill. */
const OUTPUT_LIMIT = { headBytes: 32 * 1024, tailBytes: 32 * 1024 };
/** Details of a failure above this are replaced: they are for branching, not for bulk. */
const MAX_DETAILS_BYTES = 128 * 1024;

/** The end of one call, as each reader of it needs it. Everything in it is redacted and bounded. */
export interface Outcome {
  readonly callId: string;
  readonly result: CallResult;
  /** What the model reads. */
  readonly text: string;
  readonly content: readonly Content[];
  readonly isError: boolean;
  readonly assigns: JsonObject | null;
  /** Set when the turn cannot go on after this call. */
  readonly endsTurn: Failure | null;
}

type ResultData = LoggedData["tool_result"];

/** Step 10 for a call that came to its end: redact, bound, record. */
export async function settle(taken: Taken, prepared: Prepared, scope: CallScope): Promise<Outcome> {
  const { parts, call } = scope;
  const details = parts.redactor.json(taken.details);
  const { output, bounded } = boundOutput(parts.redactor.text(taken.output), scope);
  const ok = !("exit_code" in details) || details.exit_code === 0;
  const value = taken.value === undefined ? {} : { value: parts.redactor.json(taken.value) };
  const repairs = prepared.repairs.length > 0 ? { repairs: parts.redactor.json(prepared.repairs) } : {};
  const content = taken.content.map((part) => (part.type === "text" ? { ...part, text: parts.redactor.text(part.text) } : part));
  const extra = { ...repairs, ...(bounded ? { bounded } : {}) };
  const data: ResultData = {
    call_id: call.callId,
    ok,
    details: { ...details, ...extra },
    output,
    ...value,
    ...(content.length > 0 ? { content: await loggedContent(content, scope) } : {}),
    ...(taken.assigns ? { assigns: taken.assigns } : {}),
    ...(prepared.decisionRecorded ? {} : { decision: "mode" }),
  };
  // the index signatures of the envelope's two forms differ in `exit_code` only, which `ok` was taken from
  const result = {
    ok,
    call_id: call.callId,
    output,
    ...details,
    ...value,
    ...extra,
    ...(content.length > 0 ? { content } : {}),
  } as CallResult;
  const text = repairs.repairs ? `${output}\n[repaired arguments: ${prepared.repairs.join("; ")}]` : output;
  return recorded(data, { callId: call.callId, result, text, content, isError: !ok, assigns: taken.assigns, endsTurn: null }, scope);
}

/** Step 10 for a call that failed, whether it ran or not. */
export function settleFailure(failure: Failure, scope: CallScope): Outcome {
  const { callId } = scope.call;
  const error = scope.parts.redactor.json(boundError(errorBody(failure)));
  const result: CallResult = { ok: false, call_id: callId, error };
  const outcome = {
    callId,
    result,
    text: JSON.stringify({ ok: false, error }),
    content: [],
    isError: true,
    assigns: null,
    endsTurn: failure.kind === "write_policy_denied" || isRecordFailure(failure) ? failure : null,
  };
  return recorded({ call_id: callId, ok: false, error, details: {} }, outcome, scope);
}

/** Step 6: a dry run's end. */
export function settleDryRun(prepared: Prepared, scope: CallScope): Outcome {
  const { callId } = scope.call;
  const { effects, planSha256: plan_sha256, decision, args, tool } = prepared;
  const output = boundOutput(scope.parts.redactor.text(planText(prepared)), scope).output;
  const result = scope.parts.redactor.json({
    ok: true,
    dry_run: true,
    call_id: callId,
    tool: tool.name,
    args,
    effects,
    plan_sha256,
    decision,
    output,
  } as const);
  const data: ResultData = { call_id: callId, ok: true, details: { dry_run: true, plan_sha256 }, output };
  return recorded(data, { callId, result, text: output, content: [], isError: false, assigns: null, endsTurn: null }, scope);
}

/** Every call gets exactly one `tool_result`; one that cannot be recorded is told as that, since nothing can be built on it. */
function recorded(data: ResultData, outcome: Outcome, { call, parts }: CallScope): Outcome {
  try {
    parts.recorder.record("tool_result", data);
    return outcome;
  } catch (cause) {
    if (!isRecordFailure(cause)) throw cause;
    const details = { call_id: call.callId, record_error: { kind: cause.kind, message: cause.message } };
    const failure =
      cause.kind === "session_record_unavailable"
        ? cause
        : fail("tool_result_record_failed", `the result of ${call.tool} could not be recorded: ${cause.message}`, details, { cause });
    const error = parts.redactor.json(errorBody(failure));
    return {
      ...outcome,
      result: { ok: false, call_id: call.callId, error },
      text: JSON.stringify({ ok: false, error }),
      isError: true,
      endsTurn: failure,
    };
  }
}

function boundOutput(output: string, { call, parts }: CallScope): { output: string; bounded: JsonObject | null } {
  const limit = OUTPUT_LIMIT.headBytes + OUTPUT_LIMIT.tailBytes;
  // a string of n units has at most 3n bytes: most outputs need no count
  if (output.length * 3 <= limit) return { output, bounded: null };
  const bytes = new TextEncoder().encode(output);
  if (bytes.length <= limit) return { output, bounded: null };
  const spill = parts.recorder.spill(`${call.callId}-output`);
  spill?.sink.head(bytes);
  const path = spill?.close() ?? null;
  return { output: boundHeadTail(output, { ...OUTPUT_LIMIT, spillPath: path }), bounded: { output_bytes: bytes.length, spill: path } };
}

function boundError(error: ErrorBody): ErrorBody {
  const bytes = JSON.stringify(error.details).length;
  return bytes <= MAX_DETAILS_BYTES ? error : { ...error, details: { details_dropped: true, details_bytes: bytes } };
}

async function loggedContent(content: readonly Content[], { parts }: CallScope): Promise<LoggedContent[]> {
  return Promise.all(
    content.map(async (part) =>
      part.type === "text" ? part : { type: "image" as const, blob: await parts.recorder.putBlob(part.data, part.mime_type) },
    ),
  );
}

/** The plan as a person reads it. */
function planText({ tool, effects, decision }: Prepared): string {
  const lines = effects.length > 0 ? effects.map(effectText) : ["- no effects"];
  const reason = decision.reason ? ` (${decision.reason})` : "";
  return [`${tool.name} would:`, ...lines, `decision: ${decision.outcome}, by ${decision.rule}${reason}`].join("\n");
}

function effectText(effect: Effect): string {
  const about = `- ${effect.kind} (${effect.sure})`;
  switch (effect.kind) {
    case "file.write":
      return effect.sure === "exact" && effect.diff !== "" ? `${about} ${effect.path}\n${effect.diff}` : `${about} ${effect.path}`;
    case "file.read":
    case "file.delete":
      return `${about} ${effect.path}`;
    case "command":
      return `${about} ${effect.argv.map((word) => JSON.stringify(word)).join(" ")} in ${effect.cwd}`;
    case "network":
      return `${about} ${effect.host}:${effect.port}`;
    case "agent":
      return `${about} ${effect.name}`;
    case "unknown":
      return `${about} ${effect.reason}`;
  }
}
