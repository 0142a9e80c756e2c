import { bound, boundHeadTail } from "../base/bound.ts";
import type { CommandEffect, Effect } from "../base/effect.ts";
import { effectWords } from "../base/effect-words.ts";
import { type ErrorBody, errorBody, type Failure, fail } from "../base/fail.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { plainJson } from "../base/plain-json.ts";
import type { LoggedContent, LoggedData } from "../log/index.ts";
import type { Content, Taken } from "../tools/index.ts";
import type { CallScope } from "./call.ts";
import type { CallResult } from "./envelope.ts";
import type { Prepared } from "./prepare.ts";
import { isRecordFailure } from "./recorder.ts";

/** The model reads at most this much of one result, whatever the tool; what is cut can be paged from the spill. */
const OUTPUT_LIMIT = { headBytes: 32 * 1024, tailBytes: 32 * 1024 };
const OUTPUT_BYTES = OUTPUT_LIMIT.headBytes + OUTPUT_LIMIT.tailBytes;
/** Details above this are replaced: they are for branching, not for bulk. */
const MAX_DETAILS_BYTES = 1024 * 1024;
/** A message is a sentence. */
const MAX_MESSAGE_LENGTH = 8 * 1024;
/** Of arguments that a person changed, the model is shown so much. */
const MAX_SHOWN_ARGS_BYTES = 8 * 1024;
/** Images of one result, together; providers take less. */
const MAX_IMAGE_BYTES = 32 * 1024 * 1024;

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
  const details = boundDetails(parts.redactor.json(taken.details));
  const { output, bounded } = boundOutput(parts.redactor.text(taken.output), scope);
  const ok = !("exit_code" in details) || details.exit_code === 0;
  const value = taken.value === undefined ? {} : { value: parts.redactor.json(taken.value) };
  const repairs = prepared.repairs.length > 0 ? { repairs: prepared.repairs.map(parts.redactor.text) } : {};
  const content = boundContent(taken.content, scope);
  const changed = changedArgs(prepared.args, scope);
  const extra = { ...repairs, ...(bounded ? { bounded } : {}) };
  const data: ResultData = {
    call_id: call.callId,
    ok,
    details: { ...details, ...extra },
    output,
    ...value,
    ...(content.length > 0 ? { content: await loggedContent(content, scope) } : {}),
    ...(taken.assigns ? { assigns: taken.assigns } : {}),
    ...changed,
    ...decisionOf(prepared),
  };
  // the index signatures of the envelope's two forms differ in `exit_code` only, which `ok` was taken from
  const result = {
    ok,
    call_id: call.callId,
    output,
    ...details,
    ...value,
    ...extra,
    ...changed,
    ...(content.length > 0 ? { content } : {}),
  } as CallResult;
  const notes = [
    ...(repairs.repairs ? [`[repaired arguments: ${repairs.repairs.join("; ")}]`] : []),
    ...(changed.args ? [`[a person changed the arguments of this call to ${shortJson(changed.args)}]`] : []),
  ];
  const text = [output, ...notes].join("\n");
  const outcome = { callId: call.callId, result, text, content, isError: !ok, assigns: taken.assigns, endsTurn: null };
  return recorded(data, outcome, { scope, hasRun: true });
}

/** Step 10 for a call that failed, whether it ran or not. */
export function settleFailure(cause: Failure, scope: CallScope, { hasRun }: { readonly hasRun: boolean }): Outcome {
  const { callId } = scope.call;
  // what ran and could not be recorded, a blob of its result say, is as little known as a result that could not
  const failure = hasRun && isRecordFailure(cause) ? unrecorded(cause, scope) : cause;
  const { args } = scope.person;
  const changed = args ? changedArgs(args, scope) : {};
  const error = errorOf(failure, scope, changed);
  const result: CallResult = { ok: false, call_id: callId, error };
  const outcome = {
    callId,
    result,
    text: JSON.stringify({ ok: false, error }),
    content: [],
    isError: true,
    assigns: null,
    endsTurn: failure.kind === "write_policy_denied" || isRecordFailure(cause) ? failure : null,
  };
  return recorded({ call_id: callId, ok: false, error, details: {}, ...changed }, outcome, { scope, hasRun });
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
  const data: ResultData = { call_id: callId, ok: true, details: { dry_run: true, plan_sha256 }, output, ...decisionOf(prepared) };
  return recorded(
    data,
    { callId, result, text: output, content: [], isError: false, assigns: null, endsTurn: null },
    { scope, hasRun: false },
  );
}

type Changed = Pick<ResultData, "args" | "changed_by">;

/** What stands in log and envelope of a call whose arguments a person changed; nothing of any other. */
function changedArgs(args: JsonObject, { parts, person }: CallScope): Changed {
  return person.args ? { args: parts.redactor.json(args), changed_by: "person" } : {};
}

/** What the model is told of arguments that are not its own; the head of those that are long, for it knows how to read them. */
function shortJson(args: JsonValue): string {
  return bound(JSON.stringify(args), MAX_SHOWN_ARGS_BYTES);
}

function decisionOf({ decisionRecorded }: Prepared): Pick<ResultData, "decision"> {
  return decisionRecorded ? {} : { decision: "mode" };
}

/**
 * Every call gets exactly one `tool_result`; one that cannot be recorded ends the turn, since nothing can be built on it. A call that did
 * not run keeps the failure of recording, which says so.
 */
function recorded(data: ResultData, outcome: Outcome, { scope, hasRun }: { readonly scope: CallScope; readonly hasRun: boolean }): Outcome {
  try {
    scope.parts.recorder.record("tool_result", data);
    return outcome;
  } catch (cause) {
    if (!isRecordFailure(cause)) throw cause;
    if (outcome.endsTurn) return outcome;
    const failure = hasRun ? unrecorded(cause, scope) : cause;
    const error = errorOf(failure, scope);
    const result: CallResult = { ok: false, call_id: scope.call.callId, error };
    return { ...outcome, result, text: JSON.stringify({ ok: false, error }), content: [], isError: true, endsTurn: failure };
  }
}

/** What ran, and left no result on record. */
function unrecorded(cause: Failure, { call }: CallScope): Failure {
  if (cause.kind === "session_record_unavailable") return cause;
  const details = { call_id: call.callId, record_error: { kind: cause.kind, message: cause.message } };
  return fail("tool_result_record_failed", `the result of ${call.tool} could not be recorded: ${cause.message}`, details, { cause });
}

/** The error as every reader gets it. Its details are whatever a tool's author put there, so they are made plain and small first. */
function errorOf(failure: Failure, { parts }: CallScope, changed: Changed = {}): ErrorBody {
  const { kind, message, details } = errorBody(failure);
  const isLong = JSON.stringify(changed).length > MAX_SHOWN_ARGS_BYTES;
  const plain = plainJson({ ...details, ...(isLong ? { changed_by: changed.changed_by } : changed) });
  const kept = plain.ok && isObject(plain.value) ? boundDetails(plain.value) : { details_dropped: true, reason: "not_json" };
  // a value that is cut would not be known any more
  const text = parts.redactor.text(String(message));
  const short = text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}… (${text.length} characters)` : text;
  return { kind, message: short, details: parts.redactor.json(kept) };
}

function boundDetails(details: JsonObject): JsonObject {
  const bytes = new TextEncoder().encode(JSON.stringify(details)).length;
  if (bytes <= MAX_DETAILS_BYTES) return details;
  // an exit code is what `ok` rests on
  const code = "exit_code" in details ? { exit_code: details.exit_code } : {};
  return { ...code, details_dropped: true, details_bytes: bytes };
}

/** Text parts share the bound of the output; images that are too much are left out, and that is said. */
function boundContent(content: readonly Content[], { parts }: CallScope): Content[] {
  let imageBytes = 0;
  return content.map((part): Content => {
    if (part.type === "text") {
      const text = parts.redactor.text(part.text);
      return { type: "text", text: text.length * 3 <= OUTPUT_BYTES ? text : boundHeadTail(text, OUTPUT_LIMIT) };
    }
    imageBytes += part.data.length;
    return imageBytes <= MAX_IMAGE_BYTES ? part : { type: "text", text: `[an image of ${part.data.length} bytes is left out: too large]` };
  });
}

function boundOutput(output: string, { call, parts }: CallScope): { output: string; bounded: JsonObject | null } {
  // a string of n units has at most 3n bytes: most outputs need no count
  if (output.length * 3 <= OUTPUT_BYTES) return { output, bounded: null };
  const bytes = new TextEncoder().encode(output);
  if (bytes.length <= OUTPUT_BYTES) return { output, bounded: null };
  const spill = parts.recorder.spill(`${call.callId}-output`);
  spill?.sink.head(bytes);
  const path = spill?.close() ?? null;
  return { output: boundHeadTail(output, { ...OUTPUT_LIMIT, spillPath: path }), bounded: { output_bytes: bytes.length, spill: path } };
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
  const about = `- ${effect.kind} (${effect.sure}) ${effectWords(effect).what}`;
  if (effect.kind === "command") return `${about} in ${effect.cwd}${linkText(effect)}`;
  return effect.kind === "file.write" && effect.sure === "exact" && effect.diff !== "" ? `${about}\n${effect.diff}` : about;
}

/** Where a program leads that is not what its path says. */
function linkText({ program }: CommandEffect): string {
  if (program === null) return ", which program that is cannot be told";
  return program && program.length > 1 ? `, which leads to ${program.at(-1)}` : "";
}
