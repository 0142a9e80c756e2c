import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { Clock } from "../base/clock.ts";
import { handClock } from "../testing/hand-clock.ts";
import { createModelServer, type ModelServer, type ModelServerFault, type ModelServerOptions } from "../testing/model-server.ts";
import { ask, fastClock, modelAt, requestOf, TEST_KEY, user, WIRES } from "../testing/model-server-kit.ts";

const TEXT = "One two three four five six.";
let server: ModelServer;
const serve = async (fault: ModelServerFault, more: Partial<ModelServerOptions> = {}) => {
  server = await createModelServer({ steps: [{ text: TEXT, fault }], ...more });
  return server;
};
afterEach(() => server?.close());

const NO_FAULT = { kind: "hold", times: 0 } as const;

describe.each(WIRES)("over $wire", ({ id }) => {
  test("a key that is refused is not_authenticated, at once, and stays out of everything", async () => {
    const model = await modelAt(
      await serve({ kind: "status", status: 401, message: `Incorrect API key provided: ${TEST_KEY.value}`, times: 9 }),
      id,
    );
    const { failure } = await ask(model);
    expect(failure).toMatchObject({ kind: "not_authenticated", details: { status: 401, model: id } });
    expect(failure?.details.attempts).toBe(1);
    expect(server.requests).toHaveLength(1);
    // it was sent, and the provider said it back
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(TEST_KEY.value);
    expect(failure?.details.body).toContain("[secret:TEST_KEY]");
    expect(JSON.stringify(failure?.details) + failure?.message).not.toContain(TEST_KEY.value);
  });

  test("the key that the server wants is the one it gets", async () => {
    const { text } = await ask(await modelAt(await serve(NO_FAULT, { key: TEST_KEY.value }), id));
    expect(text).toBe(TEXT);
  });

  test("a model that the provider does not have is model_not_supported", async () => {
    const { failure } = await ask(await modelAt(await serve(NO_FAULT, { models: ["another"] }), id));
    expect(failure).toMatchObject({ kind: "model_not_supported", details: { status: 404 } });
  });

  test.each([429, 500, 503, 529])("a %d is tried again until it passes, and nothing is said twice", async (status) => {
    const { text, failure, parts } = await ask(await modelAt(await serve({ kind: "status", status, times: 3 }), id));
    expect(failure).toBeNull();
    expect(text).toBe(TEXT);
    expect(parts.filter((part) => part.type === "finish")).toHaveLength(1);
    expect(server.requests.map((request) => request.status)).toEqual([status, status, status, 200]);
  });

  test("one that does not pass fails with its kind after the fourth try", async () => {
    const { failure } = await ask(await modelAt(await serve({ kind: "status", status: 529, times: 9 }), id));
    expect(failure).toMatchObject({ kind: "provider_http_error", details: { status: 529, attempts: 4, retryable: true } });
    expect(failure?.details.partial).toBeUndefined();
    expect(server.requests).toHaveLength(4);
  });

  test("a request larger than the context is context_overflow", async () => {
    const message = id.startsWith("anthropic")
      ? "prompt is too long: 210000 tokens > 200000 maximum"
      : "This model's maximum context length is 128000 tokens.";
    const { failure } = await ask(await modelAt(await serve({ kind: "status", status: 400, message }), id));
    expect(failure).toMatchObject({ kind: "context_overflow", details: { status: 400 } });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["reset", "broken"],
    ["eof", "ended_early"],
  ] as const)("a stream that ends by %s in its middle is a cut stream, and is not asked again", async (kind, how) => {
    const { text, failure, parts } = await ask(await modelAt(await serve({ kind, after: 2, times: 9 }), id));
    expect(failure).toMatchObject({ kind: "network", details: { reason: "stream_cut", how, partial: true } });
    expect(text).toBe(TEXT.slice(0, 16));
    expect(parts.some((part) => part.type === "finish")).toBe(false);
    expect(server.requests).toHaveLength(1);
  });

  test.each(["reset", "eof"] as const)("a stream that ends by %s before it says anything is asked again", async (kind) => {
    const { text, failure } = await ask(await modelAt(await serve({ kind, after: 0, times: 2 }), id));
    expect(failure).toBeNull();
    expect(text).toBe(TEXT);
    expect(server.requests).toHaveLength(3);
  });

  test("no call of an answer that was cut comes out, and the answer is asked for again", async () => {
    const steps = [{ calls: ["a", "b"].map((path) => ({ name: "read", args: { path } })), fault: { kind: "eof", after: 4 } as const }];
    server = await createModelServer({ steps });
    const { parts, failure } = await ask(await modelAt(server, id));
    expect(failure).toBeNull();
    expect(parts.filter((part) => part.type === "tool_call")).toHaveLength(2);
    expect(server.requests).toHaveLength(2);
  });

  test("a silent stream is stream_idle_timeout", async () => {
    const clock = handClock();
    const model = await modelAt(await serve({ kind: "stall", after: 1 }), id, { idleTimeoutMs: 4000, clock });
    const parts = model.stream(requestOf(), { signal: new AbortController().signal })[Symbol.asyncIterator]();
    expect((await parts.next()).value).toEqual({ type: "text_delta", text: TEXT.slice(0, 8) });
    const next = parts.next().catch((caught: unknown) => caught);
    const time = setInterval(() => void clock.advance(1000), 5);
    expect(await next).toMatchObject({ kind: "stream_idle_timeout", details: { reason: "silent", timeout_ms: 4000, partial: true } });
    clearInterval(time);
    expect(await server.requests[0]?.aborted).toBe(true);
  });

  test("a frame that is no JSON is invalid_response, with the frame", async () => {
    const { failure } = await ask(await modelAt(await serve({ kind: "badsse", after: 1 }), id));
    expect(failure).toMatchObject({ kind: "invalid_response", details: { reason: "bad_frame", partial: true, body: '{"broken": tru' } });
  });

  test("an error in the stream has the kind of that error, and is asked again when nothing was said", async () => {
    const late = await ask(await modelAt(await serve({ kind: "error_frame", after: 1 }), id));
    expect(late.failure).toMatchObject({ kind: "provider_http_error", details: { reason: "error_in_stream", partial: true } });
    await server.close();
    const early = await ask(await modelAt(await serve({ kind: "error_frame", after: 0 }), id));
    expect(early.failure).toBeNull();
    expect(early.text).toBe(TEXT);
  });

  test("an abort in mid-stream is cancelled, and ends the connection", async () => {
    const model = await modelAt(await serve({ kind: "stall", after: 1 }), id);
    const controller = new AbortController();
    const seen: string[] = [];
    const error = await (async () => {
      for await (const part of model.stream(requestOf(), { signal: controller.signal })) {
        seen.push(part.type);
        controller.abort();
      }
    })().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ kind: "cancelled", details: { partial: true } });
    expect(seen).toEqual(["text_delta"]);
    expect(await server.requests[0]?.aborted).toBe(true);
  });

  test("an abort before or between the tries is cancelled at once", async () => {
    const gone = new AbortController();
    gone.abort();
    const controller = new AbortController();
    const hand = handClock();
    // once it has been refused the model waits for its next try
    const clock: Clock = {
      ...hand,
      timer(ms, callback) {
        if (ms === 50_000) setImmediate(() => controller.abort());
        return hand.timer(ms, callback);
      },
    };
    const model = await modelAt(await serve({ kind: "status", status: 429, headers: { "retry-after": "50" }, times: 9 }), id, { clock });
    expect((await ask(model, requestOf(), gone.signal)).failure).toMatchObject({ kind: "cancelled" });
    expect(server.requests).toHaveLength(0);
    expect((await ask(model, requestOf(), controller.signal)).failure).toMatchObject({
      kind: "cancelled",
      details: { waiting_after: "rate_limited" },
    });
    expect(server.requests).toHaveLength(1);
  });

  test("a consumer that stops listening ends the connection", async () => {
    const model = await modelAt(await serve({ kind: "stall", after: 1 }), id);
    for await (const _part of model.stream(requestOf(), { signal: new AbortController().signal })) break;
    expect(await server.requests[0]?.aborted).toBe(true);
  });

  test("a server that is not there is network", async () => {
    const port = await freePort();
    const { failure } = await ask(await modelAt({ baseUrl: `http://127.0.0.1:${port}/v1` }, id));
    expect(failure).toMatchObject({ kind: "network", details: { reason: "refused", code: "ECONNREFUSED", attempts: 4 } });
  });

  test("a web page in place of an answer is invalid_response", async () => {
    const page = { kind: "status", status: 200, body: "<html>portal</html>", headers: { "content-type": "text/html" } } as const;
    const { failure } = await ask(await modelAt(await serve(page), id));
    expect(failure).toMatchObject({ kind: "invalid_response", details: { reason: "no_event_stream", body: "<html>portal</html>" } });
  });

  test("a redirect is not followed", async () => {
    const thief = await createModelServer({ steps: [{ text: "thanks" }] });
    const fault = { kind: "status", status: 307, headers: { location: `${thief.baseUrl}/messages` } } as const;
    const { failure } = await ask(await modelAt(await serve(fault), id));
    expect(failure).toMatchObject({ kind: "provider_http_error", details: { status: 307, reason: "redirected" } });
    expect(thief.requests).toHaveLength(0);
    await thief.close();
  });

  test("what the server says about a bad request is told", async () => {
    const empty = { role: "assistant", parts: [{ type: "tool_call", provider_call_id: "x", name: "read", args: {} }] } as const;
    const { failure } = await ask(await modelAt(await serve(NO_FAULT), id), requestOf([user("hi"), empty, user("again")]));
    expect(failure).toMatchObject({ kind: "provider_http_error", details: { status: 400, retryable: false } });
    expect(failure?.message).toMatch(/tool/i);
  });
});

test("a wait that is asked for is kept, in seconds or as a date, and a long one not begun", async () => {
  const waits = async (retryAfter: string) => {
    const clock = fastClock();
    const fault = { kind: "status", status: 429, headers: { "retry-after": retryAfter } } as const;
    const { failure } = await ask(await modelAt(await serve(fault), "openai-compatible/qwen", { clock }));
    await server.close();
    return { failure, waits: clock.timers.filter((ms) => ms > 5000 && ms < 100_000) };
  };
  expect(await waits("7")).toEqual({ failure: null, waits: [7000] });
  const date = await waits(new Date(Date.now() + 9000).toUTCString());
  expect(date.waits).toHaveLength(1);
  expect(Math.abs((date.waits[0] ?? 0) - 8500)).toBeLessThan(2500);
  expect(await waits("86400")).toMatchObject({ failure: { kind: "rate_limited", details: { retry_after_ms: 86_400_000 } }, waits: [] });
});

test("a consumer that takes its time is not the provider's silence, and what comes after is watched again", async () => {
  const clock = handClock();
  const frame = (content: string, finish: string | null) =>
    new TextEncoder().encode(`data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`);
  let sent = 0;
  // 99 frames as fast as they are taken, and then silence
  const body = new ReadableStream<Uint8Array>({
    pull: (sink) => (sent < 99 ? sink.enqueue(frame(`${sent++} `, null)) : new Promise(() => {})),
  });
  const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
  const stream = (await modelAt({ baseUrl: "http://127.0.0.1:9/v1" }, "openai-compatible/qwen", { clock, fetch })).stream(requestOf(), {
    signal: new AbortController().signal,
  });
  const parts = stream[Symbol.asyncIterator]();
  await parts.next();
  for (let before = -1; before !== sent; ) {
    before = sent;
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sent).toBeLessThan(99);
  await clock.advance(3_600_000);
  for (let heard = 1; heard < 99; heard++) expect((await parts.next()).done).toBe(false);
  const silent = expect(parts.next()).rejects.toMatchObject({
    kind: "stream_idle_timeout",
    details: { timeout_ms: 120_000, partial: true },
  });
  await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(240_000);
  await silent;
});

test("an error body without end is cut, and its status told", async () => {
  const fault = { kind: "status", status: 400, body: `{"error":{"message":"${"x".repeat(300_000)}"}}` } as const;
  const { failure } = await ask(await modelAt(await serve(fault), "openai-compatible/qwen"));
  expect(failure).toMatchObject({ kind: "provider_http_error", details: { status: 400, body_truncated: true } });
  expect(String(failure?.details.body).length).toBe(2048);
  expect(failure?.message.length).toBeLessThan(500);
});

async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
