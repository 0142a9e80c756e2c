import { expect, test } from "vitest";
import { fail, isFailure } from "../base/fail.ts";
import { createRecorder } from "../executor/index.ts";
import { transientLog } from "../log/index.ts";
import type { Model } from "../models/index.ts";
import { createRedactor } from "../secrets/index.ts";
import { handClock } from "../testing/hand-clock.ts";
import { askModel } from "./ask-model.ts";

test("a broken answer that cannot be recorded either fails with both, the first as the cause", async () => {
  let ids = 0;
  const log = transientLog({ sessionId: "s", epoch: 1, ids: { session: () => "s", event: () => `e${++ids}` }, clock: handClock() });
  const full = fail("log_write_failed", "the disk is full", { path: "/log" });
  const append: typeof log.append = (type, data) => {
    if (type === "assistant_message") throw full;
    return log.append(type, data);
  };
  const recorder = createRecorder({ ...log, append, spill: () => null }, { redactor: createRedactor(), listen: () => {} });
  const pulled = fail("network", "the cable was pulled", { reason: "stream_cut" });
  const model: Model = {
    name: "test/broken",
    async *stream() {
      yield { type: "text_delta", text: "half" };
      throw pulled;
    },
  };
  const options = {
    model,
    recorder,
    onUsage: () => {},
    iteration: 1,
    signal: new AbortController().signal,
    nextCallId: () => "c1",
    room: () => null,
  };
  const error = await askModel({ system: "", messages: [], tools: [] }, options).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    kind: "log_write_failed",
    details: { path: "/log", model_error: { kind: "network", message: "the cable was pulled", details: { reason: "stream_cut" } } },
  });
  expect(isFailure(error) && error.cause).toBe(pulled);
});
