import { expect, test } from "vitest";
import type { EphemeralEvent } from "../log/index.ts";
import { createRunStream } from "./run-stream.ts";

function event(text: string): EphemeralEvent {
  return { v: 1, seq: null, epoch: 0, id: text, session_id: "s", ts: "2026-01-01T00:00:00.000Z", type: "text_delta", data: { text } };
}

test("a reader gets what was pushed before and after it came, and then the end", async () => {
  const stream = createRunStream();
  stream.push(event("a"));
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { id } of stream) seen.push(id);
  })();
  await Promise.resolve();
  stream.push(event("b"));
  stream.push(event("c"));
  stream.end();
  await reading;
  expect(seen).toEqual(["a", "b", "c"]);
});

test("a reader that leaves early lets the rest go", async () => {
  const stream = createRunStream();
  stream.push(event("a"));
  stream.push(event("b"));
  for await (const { id } of stream) {
    expect(id).toBe("a");
    break;
  }
  stream.push(event("c"));
  stream.end();
  const rest: string[] = [];
  for await (const { id } of stream) rest.push(id);
  expect(rest).toEqual([]);
});
