import { describe, expect, test } from "vitest";
import { type HandClock, handClock } from "../testing/hand-clock.ts";
import { ask, modelAt, requestOf } from "../testing/model-server-kit.ts";

const CHAT = "openai-compatible/qwen";
const MESSAGES = "anthropic/claude-sonnet-5-5";
const MINUTE = 60_000;

/** A body that is written to by hand. */
function handBody() {
  let sink: ReadableStreamDefaultController<Uint8Array> | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      sink = controller;
    },
  });
  return { body, write: (text: string) => sink?.enqueue(new TextEncoder().encode(text)), end: () => sink?.close() };
}

interface Served {
  readonly clock: HandClock;
  readonly status?: number;
  readonly type?: string;
  readonly body: ReadableStream<Uint8Array>;
}

function modelOf(id: string, { clock, body, status = 200, type = "text/event-stream" }: Served) {
  const fetch = async () => new Response(body, { status, headers: { "content-type": type } });
  return modelAt({ baseUrl: "http://127.0.0.1:9/v1" }, id, { clock, fetch, idleTimeoutMs: 2 * MINUTE });
}

/** Lets everything that is under way arrive. */
async function arrived(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const frame = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: null }] })}\n\n`;

describe("a stream", () => {
  test.each([
    ["comments", CHAT, ": still here\n\n"],
    ["pieces of an event that never ends", CHAT, "data: "],
    ["ping events", MESSAGES, 'event: ping\ndata: {"type":"ping"}\n\n'],
  ])("of nothing but %s ends after five times the silence that is allowed, and says so", async (_what, id, piece) => {
    const clock = handClock();
    const { body, write } = handBody();
    const heard = ask(await modelOf(id, { clock, body }));
    let over = false;
    void heard.then(() => {
      over = true;
    });
    let minutes = 0;
    for (; !over && minutes < 30; minutes++) {
      await arrived();
      write(piece);
      await arrived();
      await clock.advance(MINUTE);
      await arrived();
    }
    expect((await heard).failure).toMatchObject({
      kind: "stream_idle_timeout",
      details: { reason: "only_keep_alive", timeout_ms: 10 * MINUTE, retryable: false },
    });
    expect(minutes).toBe(10);
  });

  test("may take as long as it wants, as long as events come", async () => {
    const clock = handClock();
    const { body, write, end } = handBody();
    const heard = ask(await modelOf(CHAT, { clock, body }));
    for (let minute = 0; minute < 40; minute++) {
      await arrived();
      write(minute % 8 === 7 ? frame("x") : ": ping\n\n");
      await arrived();
      await clock.advance(MINUTE);
    }
    write(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`);
    end();
    expect(await heard).toMatchObject({ failure: null, text: "xxxxx" });
  });

  test("that is silent says that nothing came", async () => {
    const clock = handClock();
    const { body } = handBody();
    const heard = ask(await modelOf(CHAT, { clock, body }));
    await arrived();
    await clock.advance(2 * MINUTE + 1);
    expect((await heard).failure).toMatchObject({ kind: "stream_idle_timeout", details: { reason: "silent", timeout_ms: 2 * MINUTE } });
  });
});

describe("an error whose explanation does not come", () => {
  test.each<[string, string[], object]>([
    ["at all", [], { body_truncated: true }],
    ["in full", ['{"error":{"message":"No su'], { body_truncated: true, body: '{"error":{"message":"No su' }],
  ])("%s is told by its status after five seconds", async (_how, pieces, details) => {
    const clock = handClock();
    const { body, write } = handBody();
    const heard = ask(await modelOf(CHAT, { clock, body, status: 400, type: "application/json" }));
    await arrived();
    for (const piece of pieces) write(piece);
    await arrived();
    await clock.advance(5001);
    const { failure } = await heard;
    expect(failure).toMatchObject({ kind: "provider_http_error", details: { status: 400, ...details } });
    expect(failure?.message).toContain("HTTP 400");
  });

  test("does not go on for ever because it comes drop by drop", async () => {
    const clock = handClock();
    const { body, write } = handBody();
    const heard = ask(await modelOf(CHAT, { clock, body, status: 401, type: "text/plain" }));
    for (let second = 0; second < 5; second++) {
      await arrived();
      write("x");
      await arrived();
      await clock.advance(1000);
    }
    expect((await heard).failure).toMatchObject({ kind: "not_authenticated", details: { status: 401, body: "xxxxx" } });
  });

  test("is cancelled at once by an abort", async () => {
    const clock = handClock();
    const { body } = handBody();
    const stop = new AbortController();
    const heard = ask(await modelOf(CHAT, { clock, body, status: 500, type: "text/plain" }), requestOf(), stop.signal);
    await arrived();
    stop.abort();
    expect((await heard).failure).toMatchObject({ kind: "cancelled" });
  });

  test("leaves a web page in place of an answer what it is", async () => {
    const clock = handClock();
    const { body, write } = handBody();
    const heard = ask(await modelOf(CHAT, { clock, body, type: "text/html" }));
    await arrived();
    write("<html>");
    await arrived();
    await clock.advance(5001);
    expect((await heard).failure).toMatchObject({ kind: "invalid_response", details: { reason: "no_event_stream", body: "<html>" } });
  });
});
