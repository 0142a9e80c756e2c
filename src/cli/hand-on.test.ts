import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EphemeralEvent } from "../log/index.ts";
import { GRACE_MS, gatherEvents, handOn, isDone, type Receiver, SIGN_OF_LIFE_MS } from "./hand-on.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function event(id: string): EphemeralEvent {
  return { v: 1, seq: null, epoch: 1, id, session_id: "s", ts: "2026-11-30T00:00:00.000Z", type: "text_delta", data: { text: "" } };
}

/** A run whose events come from a list, with what was taken of it. */
function runOf(ids: readonly string[]) {
  const taken: string[] = [];
  let isLeft = false;
  async function* run() {
    try {
      for (const id of ids) {
        taken.push(id);
        yield event(id);
      }
    } finally {
      isLeft = true;
    }
  }
  return { run: run(), taken, isLeft: () => isLeft };
}

/** A receiver that is done with each event only when it is told. */
function slowReceiver() {
  const seen: string[] = [];
  const waiting: (() => void)[] = [];
  const receive: Receiver = (received) => {
    seen.push(received.id);
    return new Promise((resolve) => waiting.push(resolve));
  };
  return { seen, receive, go: () => waiting.shift()?.() };
}

const soon = () => vi.advanceTimersByTimeAsync(1);

test("events are handed on one by one, in order, to each receiver in turn, first those from before the run", async () => {
  const seen: string[] = [];
  const early = gatherEvents();
  early.take(event("0"));
  const before = early.end();
  early.take(event("not early"));
  const slow: Receiver = async ({ id }) => {
    await Promise.resolve();
    seen.push(`slow ${id}`);
  };
  await handOn(runOf(["1", "2"]).run, { before, receivers: [slow, async ({ id }) => void seen.push(`quick ${id}`)] });
  expect(seen).toEqual(["slow 0", "quick 0", "slow 1", "quick 1", "slow 2", "quick 2"]);
});

test("nothing is taken for a slow receiver but a sign of life now and then, and all of it arrives in order", async () => {
  const ids = Array.from({ length: 50 }, (_, index) => String(index));
  const { run, taken } = runOf(ids);
  const { seen, receive, go } = slowReceiver();
  const handed = handOn(run, { before: [], receivers: [receive] });
  await soon();
  expect({ seen, taken }).toEqual({ seen: ["0"], taken: ["0"] });
  await vi.advanceTimersByTimeAsync(10 * SIGN_OF_LIFE_MS);
  expect({ seen, taken }).toEqual({ seen: ["0"], taken: ids.slice(0, 11) });
  for (const _ of ids) {
    go();
    await soon();
  }
  await handed;
  expect(seen).toEqual(ids);
});

test("an event that comes after a sign of life was wanted is not lost", async () => {
  let send = (_: string): void => {};
  let end = (): void => {};
  async function* run() {
    yield event("1");
    yield event(await new Promise<string>((resolve) => (send = resolve)));
    await new Promise<void>((resolve) => (end = resolve));
  }
  const { seen, receive, go } = slowReceiver();
  const handed = handOn(run(), { before: [], receivers: [receive] });
  await vi.advanceTimersByTimeAsync(SIGN_OF_LIFE_MS + 1);
  go();
  await soon();
  send("2");
  await soon();
  go();
  await soon();
  end();
  await handed;
  expect(seen).toEqual(["1", "2"]);
});

test("what a receiver throws comes out, and nothing is handed on after it", async () => {
  const { run, taken, isLeft } = runOf(["1", "2", "3"]);
  const throws: Receiver = async ({ id }) => {
    throw new Error(`no ${id}`);
  };
  await expect(handOn(run, { before: [], receivers: [throws] })).rejects.toThrow("no 1");
  expect([taken, isLeft()]).toEqual([["1"], true]);
});

test("without a receiver nothing is taken", async () => {
  const { run, taken } = runOf(["1"]);
  await handOn(run, { before: [], receivers: [] });
  expect(taken).toEqual([]);
});

test("what is not done is waited for, but not long after an interrupt", async () => {
  const interrupt = new AbortController();
  const seen: boolean[] = [];
  void isDone(new Promise(() => {}), interrupt.signal).then((done) => seen.push(done));
  await vi.advanceTimersByTimeAsync(100 * GRACE_MS);
  expect(seen).toEqual([]);
  interrupt.abort();
  await vi.advanceTimersByTimeAsync(GRACE_MS);
  expect(seen).toEqual([false]);
  expect(await isDone(Promise.resolve(), interrupt.signal)).toBe(true);
});
