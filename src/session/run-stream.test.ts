import { describe, expect, test } from "vitest";
import type { EphemeralEvent } from "../log/index.ts";
import { handClock } from "../testing/hand-clock.ts";
import { createRunStream, type RunStream } from "./run-stream.ts";

const HELD = 1024;
const going = new AbortController().signal;

function event(text: string, type: "text_delta" | "tool_progress" = "text_delta"): EphemeralEvent {
  const head = { v: 1, seq: null, epoch: 0, id: text, session_id: "s", ts: "2026-01-01T00:00:00.000Z" } as const;
  return type === "text_delta" ? { ...head, type, data: { text } } : { ...head, type, data: { call_id: "c1", message: text } };
}

function fill(stream: RunStream, count: number): void {
  for (let n = 0; n < count; n++) stream.push(event("x"));
}

/** What comes out, and how it ends. */
async function drain(stream: RunStream): Promise<{ readonly ids: string[]; readonly error: unknown }> {
  const ids: string[] = [];
  try {
    for await (const { id } of stream) ids.push(id);
    return { ids, error: null };
  } catch (error) {
    return { ids, error };
  }
}

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<unknown> | null): Promise<boolean> {
  return (await Promise.race([promise, Promise.resolve("pending")])) !== "pending";
}

test("a reader gets what was pushed before and after it came, and then the end", async () => {
  const stream = createRunStream(handClock());
  stream.push(event("a"));
  const reading = drain(stream);
  await Promise.resolve();
  stream.push(event("b"));
  stream.push(event("c"));
  stream.end();
  expect(await reading).toEqual({ ids: ["a", "b", "c"], error: null });
});

test("a reader that comes when all is over gets all, and `next` may be called ahead", async () => {
  const stream = createRunStream(handClock());
  fill(stream, HELD);
  stream.end();
  expect((await drain(stream)).ids).toHaveLength(HELD);

  const ahead = createRunStream(handClock());
  const events = ahead[Symbol.asyncIterator]();
  const asked = [events.next(), events.next(), events.next()];
  ahead.push(event("a"));
  ahead.push(event("b"));
  ahead.end();
  expect((await Promise.all(asked)).map(({ value }) => value?.id)).toEqual(["a", "b", undefined]);
});

describe("with nobody who reads", () => {
  test("the turn is never held up, a beginning is kept, and one who comes late is told what is missing", async () => {
    const stream = createRunStream(handClock());
    fill(stream, HELD + 20_000);
    expect(stream.room(going)).toBeNull();
    stream.end();
    const { ids, error } = await drain(stream);
    expect(ids).toHaveLength(HELD);
    expect(error).toMatchObject({ kind: "backpressure", details: { reason: "reader_too_slow", missing: 20_000 } });
  });

  test("a few huge pieces are as much as many small ones", async () => {
    const stream = createRunStream(handClock());
    const huge = "x".repeat(1024 * 1024);
    for (let n = 0; n < 10; n++) stream.push(event(huge));
    const { ids, error } = await drain(stream);
    expect(ids).toHaveLength(4);
    expect(error).toMatchObject({ kind: "backpressure", details: { missing: 6 } });
  });
});

describe("a second reader", () => {
  test.each(["beside the first", "after the first left"])("is refused at once, %s", async (when) => {
    const stream = createRunStream(handClock());
    stream.push(event("a"));
    const first = stream[Symbol.asyncIterator]();
    await first.next();
    if (when === "after the first left") await first.return?.();
    expect(() => stream[Symbol.asyncIterator]()).toThrow(
      expect.objectContaining({ kind: "invalid_args", details: { reason: "second_reader" } }),
    );
  });
});

describe("a reader that is slow", () => {
  test("holds up the turn until it has taken half", async () => {
    const stream = createRunStream(handClock());
    const events = stream[Symbol.asyncIterator]();
    fill(stream, HELD - 1);
    expect(stream.room(going)).toBeNull();
    fill(stream, 1);
    const room = stream.room(going);
    for (let n = 0; n < HELD / 2 - 1; n++) await events.next();
    expect(await isSettled(room)).toBe(false);
    await events.next();
    expect(await isSettled(room)).toBe(true);
    expect(stream.room(going)).toBeNull();
  });

  test("misses no event of a batch that could not wait, but for words on progress", async () => {
    const stream = createRunStream(handClock());
    const reading = stream[Symbol.asyncIterator]();
    fill(stream, HELD + 5);
    stream.push(event("progress", "tool_progress"));
    stream.push(event("last"));
    stream.end();
    const ids: string[] = [];
    for await (const { id } of { [Symbol.asyncIterator]: () => reading }) ids.push(id);
    expect(ids).toHaveLength(HELD + 6);
    expect(ids.slice(-2)).toEqual(["x", "last"]);
  });

  test.each(["leaves", "is aborted"])("and %s holds up nobody", async (how) => {
    const stream = createRunStream(handClock());
    const events = stream[Symbol.asyncIterator]();
    const stop = new AbortController();
    fill(stream, HELD);
    const room = stream.room(stop.signal);
    if (how === "leaves") await events.return?.();
    else stop.abort();
    expect(await isSettled(room)).toBe(true);
    expect(stream.room(stop.signal)).toBeNull();
  });

  test("and waits for something else keeps the turn for a minute, and is told what it missed", async () => {
    const clock = handClock();
    const stream = createRunStream(clock);
    const events = stream[Symbol.asyncIterator]();
    fill(stream, HELD);
    const room = stream.room(going);
    await clock.advance(59_000);
    // each event that is taken begins the minute anew
    await events.next();
    await clock.advance(59_000);
    expect(await isSettled(room)).toBe(false);
    await clock.advance(1_001);
    expect(await isSettled(room)).toBe(true);
    fill(stream, 10);
    expect(stream.room(going)).toBeNull();
    stream.end();
    for (let n = 0; n < HELD; n++) expect((await events.next()).done).toBe(false);
    await expect(events.next()).rejects.toMatchObject({ kind: "backpressure", details: { missing: 9 } });
    expect((await events.next()).done).toBe(true);
  });

  test("and catches up in time has missed nothing, and holds up the turn again", async () => {
    const clock = handClock();
    const stream = createRunStream(clock);
    const events = stream[Symbol.asyncIterator]();
    fill(stream, HELD);
    const room = stream.room(going);
    await clock.advance(60_001);
    await room;
    for (let n = 0; n < HELD; n++) await events.next();
    fill(stream, HELD);
    expect(stream.room(going)).not.toBeNull();
  });
});

test("a reader that leaves while it waits is done, and what comes later is let go", async () => {
  const stream = createRunStream(handClock());
  const events = stream[Symbol.asyncIterator]();
  const waiting = events.next();
  await events.return?.();
  expect((await waiting).done).toBe(true);
  fill(stream, 3);
  stream.end();
  expect((await events.next()).done).toBe(true);
});
