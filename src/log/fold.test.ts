import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KINDS } from "../base/kinds.ts";
import type { EphemeralData, LoggedData } from "./events.ts";
import { type AnyEvent, createFold, foldSession, isLoggedEvent, LOGGED_TYPES, type TurnView } from "./pure.ts";

const SHA = "0".repeat(64);
const END = { error: null, head: SHA } as const;

const callsOf = (turn: TurnView) => turn.steps.flatMap((step) => step.calls);

/** Events of one session, numbered as they are made. */
function session() {
  let seq = 0;
  const stamp = (number: number | null, type: string, data: object, epoch = 1) =>
    ({
      v: 1,
      seq: number,
      epoch,
      id: `e${seq}`,
      session_id: "s",
      ts: `2026-11-30T12:00:00.${String(seq).padStart(3, "0")}Z`,
      type,
      data,
    }) as AnyEvent;
  return {
    log: <Type extends keyof LoggedData>(type: Type, data: LoggedData[Type], epoch?: number) => stamp(seq++, type, data, epoch),
    any: (type: string, data: object) => stamp(seq++, type, data),
    stream: <Type extends keyof EphemeralData>(type: Type, data: EphemeralData[Type]) => stamp(null, type, data),
  };
}

const call = (call_id: string) => ({ call_id, provider_call_id: null, name: "read", args: { path: "a" } }) as const;
const started = (call_id: string) => ({ call_id, plan_sha256: SHA, effects: [], recovery: "repeat", before_images: [] }) as const;
const decided = (call_id: string, outcome: "allow" | "ask" | "deny") =>
  ({ call_id, plan_sha256: SHA, effects: [], decision: { outcome, rule: "mode", source: { from: "builtin" }, effect: null } }) as const;
const failed = (call_id: string, kind: string) => ({ call_id, ok: false, error: { kind, message: "", details: {} }, details: {} }) as const;

test("a turn is folded into its steps, texts, calls, tokens and end", () => {
  const { log, any } = session();
  const view = foldSession([
    log("session_started", { collet: "1", workspace: "/w", cwd: "/w", mode: "ask", rules: [], tools_sha256: SHA }),
    log("user_message", { text: "Fix it" }),
    log("model_request", { model: "a/b", request_sha256: SHA, iteration: 1 }),
    log("reasoning", { model: "a/b", item: {} }),
    log("provider_usage", { model: "a/b", usage: { input_tokens: 10, output_tokens: 2, note: "x" } }),
    log("assistant_message", { text: "I look.", call_ids: ["c1"], stop_reason: "tool_calls" }),
    log("tool_call", call("c1")),
    log("tool_started", started("c1")),
    log("tool_result", { call_id: "c1", ok: true, details: { lines_total: 1 }, output: "text", decision: "mode" }),
    log("model_request", { model: "a/b", request_sha256: SHA, iteration: 2 }),
    log("provider_usage", { model: "a/b", usage: { input_tokens: 15, __proto__: 1 } }),
    log("assistant_message", { text: "Done.", call_ids: [], stop_reason: "stop" }),
    any("later_type", { x: 1 }),
    log("turn_ended", { status: "done", ...END }),
  ]);
  expect(view).toMatchObject({
    session_id: "s",
    started: { mode: "ask", workspace: "/w" },
    usage: { input_tokens: 25, output_tokens: 2 },
    events: 14,
    last_seq: 13,
    unknown_types: { later_type: 1 },
    turns: [
      {
        prompt: "Fix it",
        status: "done",
        error: null,
        usage: { input_tokens: 25, output_tokens: 2 },
        steps: [
          {
            iteration: 1,
            text: "I look.",
            reasoning: 1,
            calls: [{ call_id: "c1", status: "done", decision: "mode", result: { ok: true, output: "text", details: { lines_total: 1 } } }],
          },
          { iteration: 2, text: "Done.", stop_reason: "stop", calls: [] },
        ],
      },
    ],
  });
});

describe("a call", () => {
  test.each<[string, (events: ReturnType<typeof session>) => AnyEvent[], string, string]>([
    ["that was only asked for", () => [], "asked", "not_run"],
    ["that waits for an answer", ({ log }) => [log("permission_decision", decided("c", "ask"))], "waiting", "not_run"],
    ["that was let through", ({ log }) => [log("permission_decision", decided("c", "allow"))], "asked", "not_run"],
    ["that was started", ({ log }) => [log("tool_started", started("c"))], "running", "interrupted"],
    ["that ended", ({ log }) => [log("tool_result", { call_id: "c", ok: true, details: {} })], "done", "done"],
    ["whose command failed", ({ log }) => [log("tool_result", { call_id: "c", ok: false, details: { exit_code: 1 } })], "exited", "exited"],
    ["that failed", ({ log }) => [log("tool_result", failed("c", "not_found"))], "failed", "failed"],
    ["that was refused", ({ log }) => [log("tool_result", failed("c", "permission_denied"))], "denied", "denied"],
    ["that was not reached", ({ log }) => [log("tool_result", failed("c", "cancelled"))], "cancelled", "cancelled"],
    ["that nobody can tell of", ({ log }) => [log("tool_result", failed("c", "outcome_unknown"))], "interrupted", "interrupted"],
  ])("%s", (_, more, live, atEnd) => {
    const events = session();
    const fold = createFold();
    for (const event of [events.log("user_message", { text: "" }), events.log("tool_call", call("c")), ...more(events)]) fold.push(event);
    expect(fold.view().turns.flatMap(callsOf)).toMatchObject([{ status: live }]);
    expect(fold.end().turns).toMatchObject([{ status: "unfinished", steps: [{ calls: [{ status: atEnd }] }] }]);
  });

  test("without a model stands in a turn without a prompt, and is finished by the log's end", () => {
    const { log } = session();
    const view = foldSession([log("tool_call", call("c1")), log("tool_result", { call_id: "c1", ok: true, details: {} })]);
    expect(view.turns).toMatchObject([{ prompt: null, status: "calls", steps: [{ model: null, calls: [{ status: "done" }] }] }]);
  });

  test("keeps its first result, and one that nobody asked for is passed over", () => {
    const { log } = session();
    const ok = { call_id: "c1", ok: true, details: {} } as const;
    const view = foldSession([
      log("tool_call", call("c1")),
      log("tool_result", ok),
      log("tool_result", failed("c1", "not_found")),
      log("tool_result", { ...ok, call_id: "c9" }),
    ]);
    expect(view.turns.flatMap(callsOf)).toMatchObject([{ call_id: "c1", status: "done" }]);
  });
});

test("a new prompt leaves the turn before it unfinished", () => {
  const { log } = session();
  const { turns } = foldSession([
    log("user_message", { text: "one" }),
    log("user_message", { text: "two" }),
    log("turn_ended", { status: "capped", ...END }),
  ]);
  expect(turns.map(({ prompt, status }) => [prompt, status])).toEqual([
    ["one", "unfinished"],
    ["two", "capped"],
  ]);
});

test("what is streamed shows until the whole stands in the log", () => {
  const { log, stream } = session();
  const fold = createFold();
  for (const event of [
    log("user_message", { text: "" }),
    log("model_request", { model: "a/b", request_sha256: SHA, iteration: 1 }),
    stream("reasoning_delta", { text: "hm" }),
    stream("text_delta", { text: "Hel" }),
    stream("text_delta", { text: "lo" }),
  ]) {
    fold.push(event);
  }
  expect(fold.view().turns[0]?.steps[0]).toMatchObject({ text: null, streamed_text: "Hello", streamed_reasoning: "hm" });
  fold.push(log("assistant_message", { text: "Hello", call_ids: ["c"], stop_reason: "tool_calls" }));
  fold.push(log("tool_call", call("c")));
  fold.push(stream("tool_progress", { call_id: "c", message: "half" }));
  expect(fold.view().turns[0]?.steps[0]).toMatchObject({
    text: "Hello",
    streamed_text: "",
    streamed_reasoning: "",
    calls: [{ progress: "half" }],
  });
  fold.push(log("tool_result", { call_id: "c", ok: true, details: {} }));
  expect(fold.view().turns.flatMap(callsOf)).toMatchObject([{ progress: null }]);
});

test("lines of a lower epoch after a higher one are void", () => {
  const { log } = session();
  const { turns, events } = foldSession([
    log("user_message", { text: "a" }),
    log("user_message", { text: "b" }, 2),
    log("user_message", { text: "void" }),
  ]);
  expect(turns.map(({ prompt }) => prompt)).toEqual(["a", "b"]);
  expect(events).toBe(2);
});

test("blobs are put in place by the function that is passed, and stay references where it has none", () => {
  const blob = (sha256: string, mime_type: string) => ({ sha256: sha256.repeat(64), size_bytes: 1, mime_type });
  const version = { sha256: SHA, size_bytes: 0, mode: 0 };
  const write = {
    kind: "file.write",
    sure: "exact",
    path: "/a",
    before: null,
    after: version,
    diff: "",
    diff_blob: blob("a", "text/plain"),
  } as const;
  const { log } = session();
  const events = [
    log("tool_call", { call_id: "c", provider_call_id: null, name: "write", args_blob: blob("b", "application/json") }),
    log("tool_started", { ...started("c"), effects: [write] }),
    log("tool_result", {
      call_id: "c",
      ok: true,
      details: {},
      output_blob: blob("c", "text/plain"),
      value_blob: blob("d", "application/json"),
    }),
  ];
  const texts: Record<string, string> = { a: "@@ diff", b: '{"path":"x"}', c: "output", d: "[1" };
  const resolved = foldSession(events, { resolve: ({ sha256 }) => texts[sha256.charAt(0)] }).turns.flatMap(callsOf);
  expect(resolved).toMatchObject([
    { args: { path: "x" }, effects: [{ diff: "@@ diff" }], result: { output: "output", value_blob: { sha256: "d".repeat(64) } } },
  ]);
  expect(resolved[0]?.effects?.[0]).not.toHaveProperty("diff_blob");
  const [unresolved] = foldSession(events).turns.flatMap(callsOf);
  expect(unresolved).toMatchObject({ args_blob: { sha256: "b".repeat(64) }, result: { output_blob: { sha256: "c".repeat(64) } } });
  expect(unresolved).not.toHaveProperty("args");
});

test("an error of a kind that a later version made is a failure like any other, and stands in the view as it was logged", () => {
  const { log } = session();
  const view = foldSession(
    ["later_kind", "constructor", "__proto__"].flatMap((kind) => [log("tool_call", call(kind)), log("tool_result", failed(kind, kind))]),
  );
  expect(view.turns.flatMap(callsOf).map(({ status, result }) => [status, result?.error?.kind])).toEqual([
    ["failed", "later_kind"],
    ["failed", "constructor"],
    ["failed", "__proto__"],
  ]);
});

const envelope = (type: fc.Arbitrary<string>, data: fc.Arbitrary<unknown>) =>
  fc.record({
    v: fc.constant(1),
    seq: fc.oneof(fc.nat(), fc.constant(null)),
    epoch: fc.nat(3),
    id: fc.constant("e"),
    session_id: fc.constant("s"),
    ts: fc.constant("2026-11-30T12:00:00.000Z"),
    type,
    data,
  });

test("nothing that parses makes it throw", () => {
  const junk = envelope(
    fc.oneof(fc.constantFrom(...LOGGED_TYPES, "text_delta", "__proto__", "constructor"), fc.string()),
    fc.oneof(fc.object({ key: fc.constantFrom("call_id", "text", "ok", "details", "effects", "usage", "__proto__") }), fc.anything()),
  );
  fc.assert(
    fc.property(fc.array(junk, { maxLength: 20 }), (events) => {
      foldSession(events as AnyEvent[]);
    }),
    { numRuns: 100 },
  );
});

test("no event that fits its shape makes it throw, whatever the words in it", () => {
  const word = fc.oneof(fc.constantFrom("__proto__", "constructor", "toString"), fc.string({ minLength: 1 }));
  const call_id = fc.constantFrom("c1", "c2", "__proto__");
  const anObject = fc.dictionary(word, fc.jsonValue());
  const error = fc.record({ kind: fc.oneof(fc.constantFrom(...Object.keys(KINDS)), word), message: word, details: anObject });
  const sha = fc.constant(SHA);
  const blob = fc.record({ sha256: sha, size_bytes: fc.nat(), mime_type: word });
  const ends = fc.constantFrom("done", "failed", "interrupted", "capped", "suspended", "over_budget");
  const effects = fc.array(fc.record({ kind: fc.constant("unknown"), sure: fc.constant("open"), reason: word }), { maxLength: 2 });
  const source = fc.constant({ from: "builtin" });
  const decision = fc.record({ outcome: fc.constantFrom("allow", "ask", "deny"), rule: word, source, effect: fc.constant(null) });
  const data: { readonly [Type in keyof LoggedData]?: fc.Arbitrary<unknown> } = {
    user_message: fc.record({ text: word }),
    model_request: fc.record({ model: word, request_sha256: sha, iteration: fc.nat() }),
    assistant_message: fc.record({ text: word, call_ids: fc.array(call_id), stop_reason: word }),
    provider_usage: fc.record({ model: word, usage: anObject }),
    tool_call: fc.record({ call_id, provider_call_id: fc.constant(null), name: word, args_blob: blob }),
    permission_decision: fc.record({ call_id, plan_sha256: sha, effects, decision }),
    tool_started: fc.record({
      call_id,
      plan_sha256: sha,
      effects,
      recovery: fc.constantFrom("repeat", "reconcile", "unknown"),
      before_images: fc.array(blob, { maxLength: 1 }),
    }),
    tool_result: fc.record(
      { call_id, ok: fc.constant(false), error, details: anObject, output: word, value_blob: blob },
      { requiredKeys: ["call_id", "ok", "details"] },
    ),
    turn_ended: fc.record({ status: ends, error: fc.option(error), head: sha }),
  };
  const fitting = fc.oneof(...Object.entries(data).map(([type, some]) => envelope(fc.constant(type), some)));
  const { log } = session();
  const calls = [log("tool_call", call("c1")), log("tool_call", call("__proto__"))];
  const numbered = fc
    .array(fitting, { maxLength: 30 })
    .map((events) => [...calls, ...events].map((event, seq) => ({ ...event, seq, epoch: 1 }) as AnyEvent));
  fc.assert(
    fc.property(numbered, word, (events, text) => {
      expect(events.filter((event) => !isLoggedEvent(event))).toEqual([]);
      expect(foldSession(events, { resolve: () => text }).events).toBe(events.length);
    }),
    { numRuns: 200 },
  );
});
