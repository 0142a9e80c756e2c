import { describe, expect, test } from "vitest";
import type { AnyEvent, LoggedData, LoggedEvent } from "./events.ts";
import { checkEvent, EPHEMERAL_TYPES, isEphemeralEvent, isLoggedEvent, LOGGED_TYPES } from "./pure.ts";

const SHA = "0".repeat(64);
const BLOB = { sha256: SHA, size_bytes: 1, mime_type: "text/plain" };
const VERSION = { sha256: SHA, size_bytes: 1, mode: 0o644 };
const DECISION = { outcome: "allow", rule: "write(*)", source: { from: "flag" }, effect: 0 } as const;
const EFFECTS: LoggedData["tool_started"]["effects"] = [
  { kind: "file.read", sure: "declared", path: "/w/a", tree: true, also: ["/w/b"] },
  { kind: "file.write", sure: "exact", path: "/w/a", before: null, after: VERSION, diff: "", diff_blob: BLOB },
  { kind: "file.write", sure: "open", path: "/w/a" },
  { kind: "file.delete", sure: "exact", path: "/w/a", before: VERSION },
  { kind: "command", sure: "open", argv: ["ls"], cwd: "/w" },
  { kind: "network", sure: "declared", host: "example.com", port: 443 },
  { kind: "agent", sure: "declared", name: "helper" },
  { kind: "unknown", sure: "open", reason: "no effects" },
];

/** One of each type, with everything that may be in it. */
const EACH: { readonly [Type in keyof LoggedData]: LoggedData[Type] } = {
  session_started: {
    collet: "0.1.0",
    workspace: "/w",
    cwd: "/w",
    mode: "ask",
    rules: [{ rule: "read(**)", effect: "allow", source: { from: "file", file: "/c", line: 3 } }],
    tools_sha256: SHA,
  },
  user_message: { text: "hello", resources: [BLOB] },
  model_request: { model: "a/b", request_sha256: SHA, iteration: 1 },
  assistant_message: { text: "", call_ids: ["c1"], stop_reason: "tool_calls", partial: true },
  reasoning: { model: "a/b", item: null },
  provider_usage: { model: "a/b", usage: { input_tokens: 1 } },
  tool_call: { call_id: "c1", provider_call_id: null, name: "read", args: null },
  permission_decision: { call_id: "c1", plan_sha256: SHA, effects: EFFECTS, decision: DECISION },
  tool_started: { call_id: "c1", plan_sha256: SHA, effects: EFFECTS, recovery: "reconcile", before_images: [BLOB] },
  tool_result: {
    call_id: "c1",
    ok: false,
    error: { kind: "not_found", message: "none", details: {} },
    details: {},
    output_blob: BLOB,
    value_blob: BLOB,
    content: [
      { type: "text", text: "" },
      { type: "image", blob: BLOB },
    ],
    assigns: {},
    decision: "mode",
  },
  log_repaired: { dropped_bytes: 3, after_seq: -1 },
  log_closed: { head: SHA },
  turn_ended: { status: "done", error: null, head: SHA },
};

function event(type: string, data: object, more: object = {}): AnyEvent {
  return { v: 1, seq: 0, epoch: 1, id: "e", session_id: "s", ts: "2026-11-30T12:00:00.000Z", type, data, ...more } as AnyEvent;
}

/** A copy with one member changed; `undefined` takes it away. */
function changed(value: object, pointer: string, to: unknown): object {
  const copy = structuredClone(value);
  const keys = pointer.split("/").slice(1);
  const last = keys.pop() ?? "";
  let at = copy as Record<string, unknown>;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  at[last] = to;
  return copy;
}

test("the types are those of the contract, in its order", () => {
  expect(LOGGED_TYPES).toEqual(Object.keys(EACH));
  expect(EPHEMERAL_TYPES).toEqual(["text_delta", "reasoning_delta", "tool_progress"]);
});

test.each(Object.entries(EACH))("%s fits, with members that are not known yet too", (type, data) => {
  const fitting = event(type, { ...data, later: 1 }, { later: 1 });
  expect(checkEvent(fitting)).toBeUndefined();
  expect(isLoggedEvent(fitting)).toBe(true);
});

test("a logged event is any event, for the type checker too", () => {
  const narrow = (any: AnyEvent): string => (isLoggedEvent(any) && any.type === "tool_result" ? any.data.call_id : "");
  const widen = (logged: LoggedEvent): AnyEvent => logged;
  expect(narrow(widen(event("tool_result", EACH.tool_result) as LoggedEvent))).toBe("c1");
});

describe("data that does not fit is a corrupt line, told by its place", () => {
  test.each<[keyof LoggedData, string, unknown]>([
    ["session_started", "/mode", "yolo"],
    ["session_started", "/rules/0/source/from", "nowhere"],
    ["session_started", "/rules/0/source/line", 1.5],
    ["user_message", "/text", undefined],
    ["user_message", "/text", 7],
    ["user_message", "/resources/0/sha256", "../../etc/passwd"],
    ["model_request", "/iteration", -1],
    ["model_request", "/request_sha256", SHA.toUpperCase().replace("0", "A")],
    ["assistant_message", "/call_ids/0", null],
    ["assistant_message", "/partial", false],
    ["reasoning", "/item", undefined],
    ["provider_usage", "/usage", [1]],
    ["tool_call", "/provider_call_id", 1],
    ["permission_decision", "/decision/outcome", "maybe"],
    ["permission_decision", "/decision/effect", "0"],
    ["tool_started", "/effects/0/kind", "file.append"],
    ["tool_started", "/effects/0/tree", false],
    ["tool_started", "/effects/1/after", null],
    ["tool_started", "/effects/1/diff", undefined],
    ["tool_started", "/effects/2/sure", "perhaps"],
    ["tool_started", "/effects/4/sure", "exact"],
    ["tool_started", "/effects/4/argv", "ls"],
    ["tool_started", "/recovery", "retry"],
    ["tool_started", "/before_images", {}],
    ["tool_result", "/ok", "false"],
    ["tool_result", "/error/kind", 7],
    ["tool_result", "/content/1/blob", undefined],
    ["tool_result", "/details", null],
    ["log_repaired", "/after_seq", -2],
    ["turn_ended", "/status", "running"],
    ["turn_ended", "/error", undefined],
  ])("%s%s = %j", (type, pointer, to) => {
    const misfit = event(type, changed(EACH[type], pointer, to));
    expect(checkEvent(misfit)).toMatchObject({ kind: "corrupt_log_line", pointer: `/data${pointer}` });
    expect(isLoggedEvent(misfit)).toBe(false);
  });

  test("a call has its arguments or their blob, and an ok result no error", () => {
    for (const data of [
      { ...EACH.tool_call, args: undefined },
      { ...EACH.tool_call, args_blob: BLOB },
    ]) {
      expect(checkEvent(event("tool_call", data))).toMatchObject({ pointer: "/data" });
    }
    expect(checkEvent(event("tool_result", { ...EACH.tool_result, ok: true }))).toMatchObject({ pointer: "/data" });
  });
});

test.each([
  ["", null],
  ["", [1]],
  ["", "text"],
  ["/v", event("x", {}, { v: 2 })],
  ["/seq", event("x", {}, { seq: -1 })],
  ["/seq", event("x", {}, { seq: null })],
  ["/seq", event("x", {}, { seq: 2 ** 53 })],
  ["/epoch", event("x", {}, { epoch: "1" })],
  ["/id", event("x", {}, { id: "" })],
  ["/session_id", event("x", {}, { session_id: 1 })],
  ["/ts", event("x", {}, { ts: "yesterday" })],
  ["/type", event("", {})],
  ["/data", event("x", [] as object)],
])("what is no envelope is refused at %j", (pointer, value) => {
  expect(checkEvent(value)).toMatchObject({ kind: "corrupt_log_line", pointer });
});

test("a type that is not known is kept, and is no logged event", () => {
  const later = event("subagent_event", { anything: [1] });
  expect(checkEvent(later)).toBeUndefined();
  expect(isLoggedEvent(later)).toBe(false);
});

test.each(EPHEMERAL_TYPES)("%s is streamed and may not stand in a log", (type) => {
  const data = { text: "a", message: "b", call_id: "c" };
  expect(isEphemeralEvent(event(type, data, { seq: null }))).toBe(true);
  expect(isEphemeralEvent(event(type, data))).toBe(false);
  expect(isEphemeralEvent(event(type, {}, { seq: null }))).toBe(false);
  for (const seq of [null, 0]) expect(checkEvent(event(type, data, { seq }))).toMatchObject({ kind: "ephemeral_not_loggable" });
});
