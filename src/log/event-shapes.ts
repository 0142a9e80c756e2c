import type { Decision, DecisionSource } from "../base/decision.ts";
import { effectShape } from "../base/effect-check.ts";
import { isObject } from "../base/json.ts";
import {
  all,
  type Check,
  count,
  fields,
  flag,
  json,
  jsonObject,
  list,
  object,
  oneOf,
  optional,
  orNull,
  sha256Hex,
  tagged,
  text,
  that,
} from "../base/shape.ts";
import type { BlobRef, EphemeralData, LoggedData, LoggedError } from "./events.ts";

const blob = fields<BlobRef>({ sha256: sha256Hex, size_bytes: count, mime_type: text });
const source = fields<DecisionSource>({
  from: oneOf("builtin", "flag", "api", "file", "person", "approval", "guard", "write_policy"),
  file: optional(text),
  line: optional(count),
});
const outcome = oneOf("allow", "ask", "deny");
const decision = fields<Decision>({ outcome, reason: optional(text), rule: text, source, effect: orNull(count) });
// a newer Collet may know more kinds, and its logs are to stay readable
const kind = that("a kind of failure", (value) => typeof value === "string" && value !== "");
const error = fields<LoggedError>({ kind, message: text, details: jsonObject });

// a diff that is too long for the line stands in a blob
const effect = effectShape({ diff_blob: optional(blob) });

const content = tagged("type", { text: object({ type: text, text }), image: object({ type: text, blob }) });

const changedArgs = { changed_by: optional(oneOf("person")), args: optional(json), args_blob: optional(blob) } as const;

/** The data of every logged type, in the order of `LoggedData`. */
export const LOGGED_SHAPES = {
  session_started: fields<LoggedData["session_started"]>({
    collet: text,
    workspace: text,
    cwd: text,
    mode: oneOf("auto", "ask", "read_only"),
    plan: optional(oneOf(true)),
    rules: list(object({ rule: text, effect: outcome, source })),
    write_policy_sha256: optional(sha256Hex),
    tools_sha256: sha256Hex,
  }),
  user_message: fields<LoggedData["user_message"]>({ text, resources: optional(list(blob)) }),
  model_request: fields<LoggedData["model_request"]>({ model: text, request_sha256: sha256Hex, iteration: count }),
  assistant_message: fields<LoggedData["assistant_message"]>({
    text,
    call_ids: list(text),
    stop_reason: text,
    partial: optional(oneOf(true)),
  }),
  reasoning: fields<LoggedData["reasoning"]>({ model: text, item: json }),
  provider_usage: fields<LoggedData["provider_usage"]>({ model: text, usage: jsonObject }),
  tool_call: all(
    fields<LoggedData["tool_call"]>({
      call_id: text,
      provider_call_id: orNull(text),
      name: text,
      args: optional(json),
      args_blob: optional(blob),
    }),
    that("args or args_blob", (value) => isObject(value) && (value.args === undefined) !== (value.args_blob === undefined)),
  ),
  permission_decision: fields<LoggedData["permission_decision"]>({
    call_id: text,
    plan_sha256: sha256Hex,
    effects: list(effect),
    decision,
    ...changedArgs,
    remembered: optional(object({ rules: list(text), scope: oneOf("session", "workspace") })),
  }),
  tool_started: fields<LoggedData["tool_started"]>({
    call_id: text,
    plan_sha256: sha256Hex,
    effects: list(effect),
    recovery: oneOf("repeat", "reconcile", "unknown"),
    before_images: list(blob),
    evidence: optional(list(object({ path: text, mode: count, blob }))),
  }),
  tool_result: all(
    fields<LoggedData["tool_result"]>({
      call_id: text,
      ok: flag,
      error: optional(error),
      details: jsonObject,
      output: optional(text),
      output_blob: optional(blob),
      value: optional(json),
      value_blob: optional(blob),
      content: optional(list(content)),
      assigns: optional(jsonObject),
      ...changedArgs,
      decision: optional(oneOf("mode")),
    }),
    that("no error beside ok: true", (value) => isObject(value) && !(value.ok === true && value.error !== undefined)),
  ),
  log_repaired: fields<LoggedData["log_repaired"]>({
    dropped_bytes: count,
    // -1: nothing stood before what was dropped.
    after_seq: that("a whole number from -1", (value) => Number.isSafeInteger(value) && Number(value) >= -1),
  }),
  log_closed: fields<LoggedData["log_closed"]>({ head: sha256Hex }),
  turn_ended: fields<LoggedData["turn_ended"]>({
    status: oneOf("done", "failed", "interrupted", "capped", "suspended", "over_budget"),
    error: orNull(error),
    head: sha256Hex,
  }),
} as const satisfies { [Type in keyof LoggedData]: Check };

/** The data of what is streamed and never logged. */
export const EPHEMERAL_SHAPES = {
  text_delta: fields<EphemeralData["text_delta"]>({ text }),
  reasoning_delta: fields<EphemeralData["reasoning_delta"]>({ text }),
  tool_progress: fields<EphemeralData["tool_progress"]>({ call_id: text, message: text }),
} as const satisfies { [Type in keyof EphemeralData]: Check };
