import { expect, test } from "vitest";
import type { EphemeralEvent } from "../log/index.ts";
import { createEventSink } from "./event-sink.ts";

function event(text: string): EphemeralEvent {
  return { v: 1, seq: null, epoch: 1, id: text, session_id: "s", ts: "2026-11-30T00:00:00.000Z", type: "text_delta", data: { text } };
}

test("events are handed on one by one, in order, to each receiver in turn", async () => {
  const seen: string[] = [];
  const sink = createEventSink([
    async ({ id }) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`slow ${id}`);
    },
    async ({ id }) => void seen.push(`quick ${id}`),
  ]);
  sink.take(event("1"));
  sink.take(event("2"));
  await sink.idle();
  expect(seen).toEqual(["slow 1", "quick 1", "slow 2", "quick 2"]);
});

test("what a receiver throws comes out at the end, and nothing is handed on after it", async () => {
  const seen: string[] = [];
  const sink = createEventSink([
    async ({ id }) => {
      seen.push(id);
      throw new Error(`no ${id}`);
    },
  ]);
  sink.take(event("1"));
  sink.take(event("2"));
  await expect(sink.idle()).rejects.toThrow("no 1");
  expect(seen).toEqual(["1"]);
});
