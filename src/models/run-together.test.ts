import { describe, expect, test } from "vitest";
import { ask, modelAt } from "../testing/model-server-kit.ts";
import type { ModelPart } from "./port.ts";

/** What a model makes of these frames, however they are cut into pieces. */
async function heardFrom(id: string, frames: readonly object[]) {
  const text = [...frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`), "data: [DONE]\n\n"].join("");
  const fetch = async () => new Response(text, { headers: { "content-type": "text/event-stream" } });
  return ask(await modelAt({ baseUrl: "http://127.0.0.1:9/v1" }, id, { fetch }));
}

const callsOf = (parts: readonly ModelPart[]) =>
  parts.flatMap((part) => (part.type === "tool_call" ? [{ id: part.provider_call_id, name: part.name, args: part.args_text }] : []));
const A = { name: "read", args: '{"path":"a"}' };
const B = { name: "write", args: '{"path":"b"}' };

describe("over Messages", () => {
  const MESSAGES = "anthropic/claude-sonnet-5-5";
  const start = {
    type: "message_start",
    message: { id: "m", type: "message", role: "assistant", model: "c", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  };
  const begin = (index: number, id: string, name: string) => ({
    type: "content_block_start",
    index,
    content_block: { type: "tool_use", id, name, input: {} },
  });
  const args = (index: number, text: string) => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json: text },
  });
  const stop = (index: number) => ({ type: "content_block_stop", index });
  const end = [
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ];

  test.each<[string, object[]]>([
    ["one after the other", [begin(0, "same", A.name), args(0, A.args), stop(0), begin(1, "same", B.name), args(1, B.args), stop(1)]],
    ["side by side", [begin(0, "same", A.name), begin(1, "same", B.name), args(1, B.args), args(0, A.args), stop(0), stop(1)]],
    ["at one index", [begin(0, "same", A.name), args(0, A.args), stop(0), begin(0, "same", B.name), args(0, B.args), stop(0)]],
  ])("two calls with one id come out as two, %s", async (_how, frames) => {
    const { parts, failure } = await heardFrom(MESSAGES, [start, ...frames, ...end]);
    expect(failure).toBeNull();
    expect(callsOf(parts)).toEqual([
      { id: "same", ...A },
      { id: "same_2", ...B },
    ]);
  });

  test.each<[string, object[], string]>([
    ["of another id", [begin(0, "a", A.name), args(0, A.args), begin(0, "b", B.name), args(0, B.args), stop(0)], "call_without_end"],
    ["of the same id", [begin(0, "a", A.name), args(0, A.args), begin(0, "a", B.name), args(0, B.args), stop(0)], "calls_run_together"],
  ])("an index that is used again before its call has ended fails the answer, for a call %s", async (_which, frames, reason) => {
    const { parts, failure } = await heardFrom(MESSAGES, [start, ...frames, ...end]);
    expect(failure).toMatchObject({ kind: "invalid_response", details: { reason } });
    expect(callsOf(parts)).toEqual([]);
  });

  test("three calls with ids that look like those made different all differ", async () => {
    const frames = ["a", "a_2", "a"].flatMap((id, index) => [begin(index, id, "read"), args(index, A.args), stop(index)]);
    const { parts } = await heardFrom(MESSAGES, [start, ...frames, ...end]);
    expect(callsOf(parts)).toEqual([
      { id: "a", ...A },
      { id: "a_2", ...A },
      { id: "a_3", ...A },
    ]);
  });

  test("arguments that belong to no call fail the answer", async () => {
    const { parts, failure } = await heardFrom(MESSAGES, [start, begin(0, "a", "read"), args(3, A.args), stop(0), ...end]);
    expect(failure).toMatchObject({ kind: "invalid_response", details: { reason: "calls_run_together" } });
    expect(callsOf(parts)).toEqual([]);
  });
});

describe("over Responses", () => {
  const item = (id: string, { name, args }: typeof A) => ({ type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: args });
  const added = (output_index: number, id: string, call: typeof A) => ({
    type: "response.output_item.added",
    output_index,
    item: item(id, { ...call, args: "" }),
  });
  const done = (output_index: number, id: string, call: typeof A) => ({
    type: "response.output_item.done",
    output_index,
    item: { ...item(id, call), status: "completed" },
  });
  const delta = (output_index: number, id: string, text: string) => ({
    type: "response.function_call_arguments.delta",
    item_id: `fc_${id}`,
    output_index,
    delta: text,
  });
  const all = (frames: readonly object[]) => [
    { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
    ...frames,
    { type: "response.completed", response: { usage: { input_tokens: 1, output_tokens: 1 } } },
  ];

  test.each<[string, object[]]>([
    ["one after the other", [added(0, "same", A), delta(0, "same", A.args), done(0, "same", A), added(1, "same", B), done(1, "same", B)]],
    ["side by side", [added(0, "same", A), added(1, "same", B), delta(1, "same", B.args), done(0, "same", A), done(1, "same", B)]],
    ["at one index", [added(0, "same", A), done(0, "same", A), added(0, "same", B), done(0, "same", B)]],
    ["at one index, ended together", [added(0, "same", A), added(0, "same", B), done(0, "same", A), done(0, "same", B)]],
    ["that were never begun", [done(0, "same", A), done(1, "same", B)]],
  ])("two calls with one id come out as two, %s", async (_how, frames) => {
    const { parts, failure } = await heardFrom("openai/gpt-6.1-sol", all(frames));
    expect(failure).toBeNull();
    expect(callsOf(parts)).toEqual([
      { id: "same", ...A },
      { id: "same_2", ...B },
    ]);
  });
});

describe("over Chat Completions", () => {
  const CHAT = "openai-compatible/qwen";
  const frame = (tool_calls: object[], finish: string | null = null) => ({
    id: "1",
    choices: [{ index: 0, delta: { tool_calls }, finish_reason: finish }],
  });
  const piece = (index: number | undefined, id: string | null, name: string | null, args: string) => ({
    index,
    id,
    type: "function",
    function: { ...(name === null ? {} : { name }), arguments: args },
  });
  const end = frame([], "tool_calls");

  test.each<[string, object[]]>([
    ["with one id and two indexes", [piece(0, "same", A.name, A.args), piece(1, "same", B.name, B.args)]],
    ["with one index and two ids", [piece(0, "a", A.name, A.args), piece(0, "b", B.name, B.args)]],
    ["with one index, one name and two ids", [piece(0, "a", A.name, A.args), piece(0, "b", A.name, B.args)]],
    ["without index", [piece(undefined, "a", A.name, A.args), piece(undefined, "b", B.name, B.args)]],
    ["with one index and one id", [piece(0, "same", A.name, A.args), piece(0, "same", B.name, B.args)]],
  ])("two calls come out as two, %s", async (_how, pieces) => {
    const { parts, failure } = await heardFrom(CHAT, [...pieces.map((call) => frame([call])), end]);
    expect(failure).toBeNull();
    const calls = callsOf(parts);
    expect(calls.map((call) => call.args)).toEqual([A.args, B.args]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
  });

  test.each<[string, object[]]>([
    [
      "at one index, in pieces",
      [piece(0, "a", "read", ""), piece(0, "a", null, A.args), piece(0, "b", "read", ""), piece(0, "b", null, B.args)],
    ],
    ["at one index, the second without arguments", [piece(0, "a", "read", A.args), piece(0, "b", "read", "")]],
    [
      "without index, in pieces that belong to none",
      [piece(undefined, "a", "read", ""), piece(undefined, "b", "write", ""), piece(undefined, null, null, A.args)],
    ],
  ])("calls that cannot be told apart fail the answer, %s", async (_how, pieces) => {
    const { parts, failure } = await heardFrom(CHAT, [...pieces.map((call) => frame([call])), end]);
    expect(failure).toMatchObject({ kind: "invalid_response", details: { reason: "calls_run_together", retryable: false } });
    expect(callsOf(parts)).toEqual([]);
  });

  test.each<[string, object[]]>([
    ["id and name come again", [piece(0, "a", "read", '{"path":'), piece(0, "a", "read", '"a"'), piece(0, "a", "read", "}")]],
    ["name comes again", [piece(0, "a", "read", '{"path":'), piece(0, null, "read", '"a"}')]],
    ["id comes late", [piece(0, null, "read", ""), piece(0, "a", null, '{"path":'), piece(0, "a", null, '"a"}')]],
    ["id is another with each piece", [piece(0, "a", "read", '{"path":'), piece(0, "b", null, '"a"'), piece(0, "c", null, "}")]],
  ])("a call whose %s is one", async (_what, pieces) => {
    const { parts, failure } = await heardFrom(CHAT, [...pieces.map((call) => frame([call])), end]);
    expect(failure).toBeNull();
    expect(callsOf(parts)).toEqual([{ id: expect.any(String), name: "read", args: A.args }]);
  });
});

test("arguments without end fail the answer at a limit that is told", async () => {
  const call = (args: string, id: string | null) => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id, function: { ...(id && { name: "write" }), arguments: args } }] } }],
  });
  const frames = [call('{"content":"', "a"), ...Array.from({ length: 70 }, () => call("x".repeat(256 * 1024), null))];
  const { parts, failure } = await heardFrom("openai-compatible/qwen", frames);
  expect(failure).toMatchObject({
    kind: "invalid_response",
    details: { reason: "too_large", limit: 16 * 1024 * 1024, unit: "characters" },
  });
  expect(parts).toEqual([]);
});
