import type { Decision, DecisionSource } from "../base/decision.ts";
import type { FileVersion } from "../base/effect.ts";
import { isObject } from "../base/json.ts";
import type { BlobRef, EphemeralData, LoggedData, LoggedError } from "./events.ts";
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
} from "./shape.ts";

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

const version = fields<FileVersion>({ sha256: sha256Hex, size_bytes: count, mode: count });
const sure = oneOf("exact", "declared", "open");
const notExact = oneOf("declared", "open");
const also = optional(list(text));
const tree = optional(oneOf(true));
const rough = object({ kind: text, sure: notExact, path: text, tree, also });
/** Writes and deletions say what they change when they are exact, and only then. */
const bySure = (exact: Check) => tagged("sure", { exact, declared: rough, open: rough });

const effect = tagged("kind", {
  "file.read": object({ kind: text, sure, path: text, tree, also }),
  "file.write": bySure(
    object({ kind: text, sure: text, path: text, before: orNull(version), after: version, diff: text, diff_blob: optional(blob), also }),
  ),
  "file.delete": bySure(object({ kind: text, sure: text, path: text, before: version, also })),
  command: object({ kind: text, sure: notExact, argv: list(text), cwd: text, program: optional(orNull(list(text))) }),
  network: object({ kind: text, sure: notExact, host: text, port: count }),
  agent: object({ kind: text, sure: notExact, name: text }),
  unknown: object({ kind: text, sure: oneOf("open"), reason: text }),
});

const content = tagged("type", { text: object({ type: text, text }), image: object({ type: text, blob }) });

/** The data of every logged type, in the order of `LoggedData`. */
export const LOGGED_SHAPES = {
  session_started: fields<LoggedData["session_started"]>({
    collet: text,
    workspace: text,
    cwd: text,
    mode: oneOf("auto", "ask", "read_only"),
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
  }),
  tool_started: fields<LoggedData["tool_started"]>({
    call_id: text,
    plan_sha256: sha256Hex,
    effects: list(effect),
    recovery: oneOf("repeat", "reconcile", "unknown"),
    before_images: list(blob),
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
      decision: optional(oneOf("mode")),
    }),
    that("no error beside ok: true", (value) => isObject(value) && !(value.ok === true && value.error !== undefined)),
  ),
  log_repaired: fields<LoggedData["log_repaired"]>({
    dropped_bytes: count,
    // -1: nothing stood before what was dropped.
    after_seq: that("a whole number from -1", (value) => Number.isSafeInteger(value) && Number(value) >= -1),
  }),
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
