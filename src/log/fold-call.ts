import { isKind, KINDS } from "../base/kinds.ts";
import type { BlobRef, LoggedData, LoggedError } from "./events.ts";
import { resolveEffect, resolveJson, resolveText } from "./resolve-blob.ts";
import type { CallStatus, CallView } from "./session-view.ts";

/** A view while the fold still writes it. */
export type Open<View> = { -readonly [Key in keyof View]: View[Key] };
export type OpenCall = Open<CallView>;
export type Resolve = (blob: BlobRef) => string | undefined;

export function newCall(data: LoggedData["tool_call"], resolve: Resolve): OpenCall {
  const args = data.args ?? resolveJson(data.args_blob, resolve);
  return {
    call_id: data.call_id,
    provider_call_id: data.provider_call_id,
    name: data.name,
    ...(args === undefined ? { args_blob: data.args_blob } : { args }),
    changed: null,
    effects: null,
    plan_sha256: null,
    decision: null,
    started_ts: null,
    ended_ts: null,
    progress: null,
    result: null,
    status: "asked",
  };
}

export function planCall(call: OpenCall, plan: Pick<LoggedData["tool_started"], "effects" | "plan_sha256">, resolve: Resolve): void {
  call.effects = plan.effects.map((effect) => resolveEffect(effect, resolve));
  call.plan_sha256 = plan.plan_sha256;
}

/** Later arguments take the place of earlier ones. */
export function changeCall(
  call: OpenCall,
  { changed_by: by, args: given, args_blob }: Pick<LoggedData["permission_decision"], "changed_by" | "args" | "args_blob">,
  resolve: Resolve,
): void {
  if (!by) return;
  const args = given ?? resolveJson(args_blob, resolve);
  call.changed = { by, ...(args !== undefined ? { args } : args_blob && { args_blob }) };
}

/** The first result stands: a call has one. */
export function endCall(
  call: OpenCall,
  data: LoggedData["tool_result"],
  options: { readonly ts: string; readonly resolve: Resolve },
): void {
  if (call.result) return;
  const { ok, error = null, details, output_blob, value_blob, content = [] } = data;
  const output = data.output ?? resolveText(output_blob, options.resolve);
  const value = data.value ?? resolveJson(value_blob, options.resolve);
  call.result = {
    ok,
    error,
    details,
    ...(output !== undefined ? { output } : output_blob && { output_blob }),
    ...(value !== undefined ? { value } : value_blob && { value_blob }),
    content,
  };
  call.ended_ts = options.ts;
  call.progress = null;
  changeCall(call, data, options.resolve);
  if (data.decision) call.decision ??= data.decision;
  call.status = statusOf(ok, error);
}

/** What stands for a call of which nothing more will be heard. */
export function closeCall(call: OpenCall): void {
  if (call.status === "running") call.status = "interrupted";
  else if (call.status === "asked" || call.status === "waiting") call.status = "not_run";
}

function statusOf(ok: boolean, error: LoggedError | null): CallStatus {
  if (ok) return "done";
  if (!error) return "exited";
  if (error.kind === "cancelled") return "cancelled";
  if (error.kind === "outcome_unknown") return "interrupted";
  // 3 is the exit status of every kind that means that it was not allowed
  return isKind(error.kind) && KINDS[error.kind].exit === 3 ? "denied" : "failed";
}
