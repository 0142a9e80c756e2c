import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fail, type Model, type ModelPart, type TurnResult } from "../../src/index.ts";
import { createRuntime, scripted } from "../../src/node.ts";
import { handClock } from "../../src/testing/index.ts";
import { dataOf, makePlace, open, typesOf } from "./place.ts";

/** What a reader is behind at most, and what is on its way between model and reader. */
const HELD = 1024;
const ON_THE_WAY = 16;

/** A model that says one thing again and again. `count` tells how often it did. */
function babbler(pieces: number, piece = "x"): { readonly model: Model; readonly count: () => number } {
  let said = 0;
  const model: Model = {
    name: "test/babbler",
    async *stream(): AsyncGenerator<ModelPart> {
      for (; said < pieces; said++) {
        yield { type: "text_delta", text: piece };
        // a provider's stream gives way now and then, too
        if (said % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      yield { type: "finish", reason: "stop" };
    },
  };
  return { model, count: () => said };
}

async function running(model: Model, options: Parameters<typeof open>[1] = {}) {
  const { runtime, events } = await open(makePlace(), { model, ...options });
  return { session: await runtime.session(), events };
}

/** Waits until as much has been said as is held for a reader, and then until the count no longer rises. */
async function atRest(count: () => number): Promise<number> {
  for (let before = -1, same = 0; same < 50 || count() < HELD - ON_THE_WAY; ) {
    same = before === count() ? same + 1 : 0;
    before = count();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return count();
}

describe("a flood of small pieces", () => {
  test("is not kept where nobody iterates, and one who comes late is told so", async () => {
    const { session } = await running(babbler(50_000).model, { onEvent: () => {} });
    const run = session.run("Go.");
    expect(await run.result).toMatchObject({ status: "done", text: "x".repeat(50_000) });
    let heard = 0;
    const reading = (async () => {
      for await (const _event of run) heard++;
    })();
    await expect(reading).rejects.toMatchObject({ kind: "backpressure", details: { reason: "reader_too_slow" } });
    expect(heard).toBe(HELD);
  });

  test("waits for a reader that is slow, and none of it is lost", async () => {
    const { model, count } = babbler(20_000);
    const { session } = await running(model);
    let heard = "";
    let first = true;
    for await (const event of session.run("Go.")) {
      if (event.type !== "text_delta") continue;
      heard += event.data.text;
      if (first) expect(await atRest(count)).toBeLessThan(HELD + ON_THE_WAY);
      first = false;
    }
    expect(heard).toBe("x".repeat(20_000));
  });

  test("goes on when its reader leaves", async () => {
    const { session } = await running(babbler(20_000).model);
    const run = session.run("Go.");
    for await (const event of run) if (event.type === "text_delta") break;
    expect(await run.result).toMatchObject({ status: "done" });
  });

  test("goes on after a minute when its reader waits for the result", async () => {
    const clock = handClock();
    const { model, count } = babbler(20_000);
    const { session } = await running(model, { clock });
    const run = session.run("Go.");
    const events = run[Symbol.asyncIterator]();
    await events.next();
    expect(await atRest(count)).toBeLessThan(HELD + ON_THE_WAY);
    let end: TurnResult | null = null;
    void run.result.then((result) => {
      end = result;
    });
    while (end === null) {
      await clock.advance(60_001);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(end).toMatchObject({ status: "done" });
  });

  test("ends at once when it is interrupted, though its reader is slow", async () => {
    const { model, count } = babbler(Number.POSITIVE_INFINITY);
    const { session } = await running(model, { clock: handClock() });
    const stop = new AbortController();
    const run = session.run("Go.", { signal: stop.signal });
    await run[Symbol.asyncIterator]().next();
    await atRest(count);
    stop.abort();
    expect(await run.result).toMatchObject({ status: "interrupted", error: { kind: "cancelled" } });
  });

  test("ends with the runtime that is closed, though its reader is slow", async () => {
    const { model, count } = babbler(Number.POSITIVE_INFINITY);
    const { runtime } = await open(makePlace(), { model, clock: handClock() });
    const run = (await runtime.session()).run("Go.");
    await run[Symbol.asyncIterator]().next();
    await atRest(count);
    await runtime.close();
    expect(await run.result).toMatchObject({ status: "interrupted" });
  });
});

test("a run has one reader: a second is refused at once, and the first goes on", async () => {
  const { session } = await running(scripted([{ text: "Hello." }]));
  const run = session.run("Go.");
  const types: string[] = [];
  for await (const event of run) {
    types.push(event.type);
    expect(() => run[Symbol.asyncIterator]()).toThrow(expect.objectContaining({ kind: "invalid_args" }));
  }
  expect(types.at(-1)).toBe("turn_ended");
});

test("a reader that comes when a short run is over gets all of it", async () => {
  const { session, events } = await running(scripted([{ text: "Hello there." }]));
  const run = session.run("Go.");
  await run.result;
  const late = [];
  for await (const event of run) late.push(event);
  expect(late).toEqual(events.slice(1));
});

test("a session has one turn at a time", async () => {
  const { session } = await running(scripted([{ text: "One." }, { text: "Two." }]));
  const first = session.run("Go.");
  expect(() => session.run("Go on.")).toThrow(
    expect.objectContaining({ kind: "invalid_args", details: { reason: "turn_running", session_id: session.id } }),
  );
  expect(await first.result).toMatchObject({ status: "done", text: "One." });
  expect(await session.run("Go on.").result).toMatchObject({ text: "Two." });
});

describe("an answer without end", () => {
  const endless = (part: ModelPart): Model => ({
    name: "test/endless",
    async *stream() {
      for (;;) yield part;
    },
  });
  const long = "long ".repeat(10_000);

  test.each<[string, ModelPart]>([
    ["text", { type: "text_delta", text: long }],
    ["thoughts", { type: "reasoning_delta", text: long }],
    ["reasoning", { type: "reasoning", item: { text: long } }],
    ["calls", { type: "tool_call", provider_call_id: "c", name: "read", args_text: JSON.stringify({ path: long }) }],
    ["names", { type: "tool_call", provider_call_id: "c", name: long, args_text: "{}" }],
  ])("of %s is cut at a limit, recorded as far as it came, and none of its calls runs", async (_what, part) => {
    const { session, events } = await running(endless(part));
    const end = await session.run("Go.").result;
    expect(end).toMatchObject({ status: "over_budget", error: { kind: "budget_exceeded", details: { reason: "answer_too_long" } } });
    if (part.type !== "reasoning_delta") expect(dataOf(events, "assistant_message")).toMatchObject([{ partial: true, call_ids: [] }]);
    expect(typesOf(events)).not.toContain("tool_call");
    expect(typesOf(events).at(-1)).toBe("turn_ended");
  });

  test("that says what JSON escapes still fits into a line of the log", async () => {
    const { session, events } = await running(endless({ type: "text_delta", text: "\u0001".repeat(50_000) }));
    expect((await session.run("Go.").result).error?.kind).toBe("budget_exceeded");
    expect(dataOf(events, "assistant_message")[0]?.text.length).toBeGreaterThan(2_000_000);
  });
});

describe("a prompt", () => {
  test.each([
    ["of letters", "x", 15_999_000],
    ["of what JSON escapes", "\u0001", 2_660_000],
  ])("%s is taken up to the limit, and refused above it before anything is recorded or sent", async (_what, unit, fits) => {
    const { session, events } = await running(scripted([{ text: "Long." }]));
    const details = { reason: "prompt_too_large", size_bytes: expect.any(Number), limit_bytes: 16_000_000 };
    expect(() => session.run(unit.repeat(fits + 10_000))).toThrow(expect.objectContaining({ kind: "invalid_args", details }));
    expect(() => session.run(unit.repeat(fits + 10_000))).toThrow(/16,000,000/);
    expect(typesOf(events)).toEqual(["session_started"]);
    expect(await session.run(unit.repeat(fits)).result).toMatchObject({ status: "done", text: "Long." });
  });

  test("that is no text is refused", async () => {
    const { session } = await running(scripted([{ text: "x" }]));
    // as plain JavaScript calls it
    const run = session.run as (prompt: unknown) => unknown;
    expect(() => run({ text: "hi" })).toThrow(
      expect.objectContaining({ kind: "invalid_args", details: { reason: "prompt_no_text", type: "object" } }),
    );
  });
});

test("a broken answer that cannot be recorded either tells of both", async () => {
  const place = makePlace();
  const model: Model = {
    name: "test/broken",
    async *stream() {
      yield { type: "text_delta", text: "half an ans" };
      for (const path of readdirSync(place.stateDir, { recursive: true, encoding: "utf8" })) {
        if (path.endsWith("log.ndjson")) rmSync(join(place.stateDir, path));
      }
      throw fail("network", "the cable was pulled", { reason: "stream_cut" });
    },
  };
  const runtime = await createRuntime({ ...place, permissions: { mode: "auto" }, model });
  const end = await (await runtime.session()).run("Go.").result;
  await expect(runtime.close()).rejects.toMatchObject({ kind: "log_write_failed" });
  expect(end).toMatchObject({
    status: "failed",
    error: { kind: "log_write_failed", details: { reason: "gone", model_error: { kind: "network", details: { reason: "stream_cut" } } } },
  });
  expect(end.error?.message).toContain("the cable was pulled");
});
