import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { ask, fastClock, modelAt, requestOf } from "../testing/model-server-kit.ts";
import type { ModelPart } from "./port.ts";

let close: () => void = () => {};
afterEach(() => close());

const RESET = "\0reset";

/** A server that writes these very bytes, each piece by itself, and ends the answer or, for `RESET`, the connection. */
async function serve(...pieces: (string | Uint8Array)[]): Promise<{ readonly baseUrl: string }> {
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) {
      if (piece === RESET) return void response.socket?.resetAndDestroy();
      response.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

const data = (...frames: unknown[]) =>
  frames.map((frame) => `data: ${typeof frame === "string" ? frame : JSON.stringify(frame)}\n\n`).join("");
const delta = (part: object, finish: string | null = null) => ({ id: "1", choices: [{ index: 0, delta: part, finish_reason: finish }] });
const callsOf = (parts: readonly ModelPart[]) => parts.filter((part) => part.type === "tool_call");
const CHAT = "openai-compatible/qwen";
const MESSAGES = "anthropic/claude-sonnet-5-5";

describe("over Chat Completions, a model", () => {
  test("reads a stream that comes byte by byte, with comments, CRLF and a byte order mark", async () => {
    const text = `\ufeff: ping\r\n\r\n${data(delta({ content: "wörld 🎉" })).replaceAll("\n", "\r\n")}: more\r\n${data(delta({}, "stop"), "[DONE]")}`;
    const bytes = Buffer.from(text);
    const heard = await ask(await modelAt(await serve(...Array.from(bytes, (byte) => Uint8Array.of(byte))), CHAT));
    expect(heard).toMatchObject({ failure: null, text: "wörld 🎉" });
  });

  test("takes `stop` after calls for what it is, and no arguments for none", async () => {
    const call = { index: 0, id: "c", type: "function", function: { name: "read", arguments: "" } };
    const { parts } = await ask(await modelAt(await serve(data(delta({ tool_calls: [call] }), delta({}, "stop"), "[DONE]")), CHAT));
    expect(parts).toEqual([
      { type: "tool_call", provider_call_id: "c", name: "read", args_text: "{}" },
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  test("does not take a call that was cut before its arguments for one without", async () => {
    const call = { index: 0, id: "c", type: "function", function: { name: "read", arguments: "" } };
    const { parts } = await ask(await modelAt(await serve(data(delta({ tool_calls: [call] }), delta({}, "length"), "[DONE]")), CHAT));
    expect(parts).toEqual([
      { type: "tool_call", provider_call_id: "c", name: "read", args_text: "" },
      { type: "finish", reason: "length" },
    ]);
  });

  test("tells calls apart that come without or with the same id", async () => {
    const call = (index: number, id: string | null) => ({
      index,
      id,
      type: "function",
      function: { name: "read", arguments: `{"n":${index}}` },
    });
    const all = [call(0, null), call(1, "same"), call(2, "same")];
    const { parts } = await ask(await modelAt(await serve(data(delta({ tool_calls: all }), delta({}, "tool_calls"), "[DONE]")), CHAT));
    const calls = callsOf(parts);
    expect(calls.map((part) => part.args_text)).toEqual(['{"n":0}', '{"n":1}', '{"n":2}']);
    expect(new Set(calls.map((part) => part.provider_call_id)).size).toBe(3);
    expect(calls.every((part) => part.provider_call_id !== "")).toBe(true);
  });

  test("is not done by an empty finish_reason in every frame", async () => {
    const { failure } = await ask(await modelAt(await serve(data(delta({ content: "half" }, ""))), CHAT));
    expect(failure).toMatchObject({ kind: "network", details: { reason: "stream_cut", how: "ended_early", partial: true } });
  });

  test("passes on an end that it does not know as `other`", async () => {
    const { parts } = await ask(await modelAt(await serve(data(delta({ content: "x" }, "eos_token"), "[DONE]")), CHAT));
    expect(parts.at(-1)).toEqual({ type: "finish", reason: "other" });
  });

  test.each([
    ["context_overflow", { error: "the request exceeds the available context size" }],
    ["provider_http_error", { error: { message: "CUDA error", code: 500 } }],
    ["usage_limit_reached", { error: { message: "Insufficient credits", code: 402 } }],
  ])("says %s for the error frame %j", async (kind, frame) => {
    const { failure } = await ask(await modelAt(await serve(data(delta({ content: "x" }), frame)), CHAT));
    expect(failure).toMatchObject({ kind, details: { reason: "error_in_stream", partial: true } });
  });

  test("gives up on a line without end", async () => {
    const megabyte = "x".repeat(1024 * 1024);
    const server = await serve("data: ", ...Array.from({ length: 18 }, () => megabyte));
    expect((await ask(await modelAt(server, CHAT))).failure).toMatchObject({ kind: "invalid_response", details: { reason: "too_large" } });
  });

  test("says invalid_response for frames of another protocol", async () => {
    const { failure } = await ask(await modelAt(await serve(data({ hello: "world" })), CHAT));
    expect(failure).toMatchObject({ kind: "invalid_response", details: { reason: "unexpected_frame", body: '{"hello":"world"}' } });
  });
});

describe("over Messages, a model", () => {
  const start = {
    type: "message_start",
    message: { id: "m", type: "message", role: "assistant", model: "c", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  };
  const block = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
  const piece = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } };
  const end = [
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ];

  test("passes over events that it does not know", async () => {
    const heard = await ask(
      await modelAt(await serve(data(start, block, { type: "weather_report", sunny: true }, piece, ...end)), MESSAGES),
    );
    expect(heard).toMatchObject({ failure: null, text: "hi" });
  });

  test("does not pass over a broken event that it knows", async () => {
    const broken = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: 5 } };
    const { failure } = await ask(await modelAt(await serve(data(start, block, broken, piece, ...end)), MESSAGES));
    expect(failure).toMatchObject({ kind: "invalid_response", details: { reason: "unexpected_frame" } });
  });

  test("keeps the order of calls and what follows them", async () => {
    const call = [
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t1", name: "read", input: {} } },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"path":"a"}' } },
      { type: "content_block_stop", index: 0 },
    ];
    const text = JSON.parse(JSON.stringify([block, piece, end[0]]).replaceAll('"index":0', '"index":1'));
    const { parts } = await ask(await modelAt(await serve(data(start, ...call, ...text, ...end.slice(1))), MESSAGES));
    expect(parts.map((part) => part.type)).toEqual(["tool_call", "text_delta", "usage", "finish"]);
  });

  test.each(["data: {nonsense\n\n", RESET])("is done at its last event, whatever is broken behind it", async (broken) => {
    const heard = await ask(await modelAt(await serve(data(start, block, piece, ...end), broken), MESSAGES));
    expect(heard).toMatchObject({ failure: null, text: "hi" });
    expect(heard.parts.at(-1)).toEqual({ type: "finish", reason: "stop" });
  });

  test("says overloaded when that is the first thing it hears, and asks again", async () => {
    const frame = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const { failure } = await ask(await modelAt(await serve(data(frame)), MESSAGES));
    expect(failure).toMatchObject({ kind: "provider_http_error", details: { reason: "error_in_stream", attempts: 4 } });
  });
});

test("an answer, a failure and an abort leave no timer and no listener behind", async () => {
  const controller = new AbortController();
  const clock = fastClock();
  const good = data(delta({ content: "x" }, "stop"), "[DONE]");
  expect((await ask(await modelAt(await serve(good), CHAT, { clock }), requestOf(), controller.signal)).failure).toBeNull();
  close();
  expect((await ask(await modelAt(await serve("data: {\n\n"), CHAT, { clock }), requestOf(), controller.signal)).failure).not.toBeNull();
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  expect(clock.open()).toBe(0);
});
