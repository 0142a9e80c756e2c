import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LoggedData } from "./events.ts";
import { readBlob, transientLog } from "./index.ts";
import { type LogFixture, logFixture } from "./log-fixture.ts";
import type { SessionLog } from "./session-log.ts";

const SHA = "0".repeat(64);
const LARGE = "é".repeat(4097);
const END = { status: "done", error: null } as const;

let fixture: LogFixture;
let log: SessionLog;
beforeEach(async () => {
  fixture = logFixture();
  log = await fixture.open({ sessionId: "s1" });
});
afterEach(async () => {
  await log.close().catch(() => {});
  rmSync(fixture.root, { recursive: true, force: true });
});

const lines = () => readFileSync(log.path, "utf8").split("\n").slice(0, -1);
const result = (more: Partial<LoggedData["tool_result"]>): LoggedData["tool_result"] => ({ call_id: "c1", ok: true, details: {}, ...more });

describe("append", () => {
  test("writes one line at once, its keys in their order, and gives the event", () => {
    const event = log.append("user_message", { text: 'say "hi"\n\u2028\ud800' });
    expect(readFileSync(log.path, "utf8")).toBe(
      '{"v":1,"seq":0,"epoch":1,"id":"e1","session_id":"s1","ts":"2026-11-30T00:00:00.001Z","type":"user_message","data":{"text":"say \\"hi\\"\\n\u2028\\ud800"}}\n',
    );
    expect(event).toEqual(JSON.parse(lines()[0] ?? ""));
    expect(log.append("user_message", { text: "" })).toMatchObject({ seq: 1, epoch: 1, session_id: "s1" });
  });

  test("numbers streamed events with null and keeps them out of the log", () => {
    expect(log.ephemeral("text_delta", { text: "a" })).toMatchObject({
      seq: null,
      type: "text_delta",
      session_id: "s1",
      data: { text: "a" },
    });
    expect(lines()).toEqual([]);
  });

  test.each<[string, LoggedData[keyof LoggedData], string, string]>([
    ["user_message", { text: 1 } as never, "unfit", "/text"],
    ["user_message", {} as never, "unfit", "/text"],
    ["provider_usage", { model: "m", usage: { a: Number.NaN } }, "not_json", "/usage/a"],
    ["tool_result", result({ value: [1, undefined] as never }), "not_json", "/value/1"],
    ["tool_result", result({ details: { when: new Date(0) as never } }), "not_json", "/details/when"],
    ["tool_result", result({ details: { big: 1n as never } }), "not_json", "/details/big"],
    ["tool_call", { call_id: "c", provider_call_id: null, name: "n" }, "unfit", ""],
    ["no_such_type", {} as never, "unknown_type", ""],
    ["user_message", { text: "x".repeat(16 * 1024 * 1024) }, "line_too_long", ""],
  ])("refuses %s with what is no such data (%#)", (type, data, reason, pointer) => {
    expect(() => log.append(type as "user_message", data as never)).toThrow(
      expect.objectContaining({ kind: "log_encode_failed", details: expect.objectContaining({ type, reason, pointer }) }),
    );
    expect(log.append("user_message", { text: "next" })).toMatchObject({ seq: 0 });
    expect(lines()).toHaveLength(1);
  });

  test("refuses what is in a circle or nested too deep", () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
    for (const item of [circle as never, deep]) {
      expect(() => log.append("reasoning", { model: "m", item })).toThrow(expect.objectContaining({ kind: "log_encode_failed" }));
    }
    expect(lines()).toEqual([]);
  });

  test("refuses what is only ever streamed", () => {
    expect(() => log.append("text_delta" as "user_message", { text: "" })).toThrow(
      expect.objectContaining({ kind: "ephemeral_not_loggable" }),
    );
  });

  test("gives an event that does not change with what it was made of", () => {
    const details = { list: [1] };
    const event = log.append("tool_result", result({ details }));
    details.list.push(2);
    expect(event).toMatchObject({ data: { details: { list: [1] } } });
  });
});

describe("what is above 8 KiB", () => {
  const blobText = (ref: unknown) => readBlob(log.dir, ref as never).toString();

  test("stands as a blob under the same name with _blob", () => {
    const args = { content: LARGE };
    const call = log.append("tool_call", { call_id: "c1", provider_call_id: null, name: "write", args });
    expect(call.data).toEqual({
      call_id: "c1",
      provider_call_id: null,
      name: "write",
      args_blob: { sha256: expect.any(String), size_bytes: 8208, mime_type: "application/json" },
    });
    expect(JSON.parse(blobText((call.data as LoggedData["tool_call"]).args_blob))).toEqual(args);
    const { data } = log.append("tool_result", result({ output: LARGE, value: [LARGE], details: { diff: LARGE, path: "/a" } }));
    expect(data).toMatchObject({
      output_blob: { size_bytes: 8194, mime_type: "text/plain" },
      value_blob: {},
      details: { diff: "", diff_blob: {}, path: "/a" },
    });
    expect(data).not.toHaveProperty("output");
    expect(blobText((data as LoggedData["tool_result"]).output_blob)).toBe(LARGE);
    expect(Math.max(...lines().map((line) => line.length))).toBeLessThan(1500);
  });

  test("leaves an effect's diff and an error's output empty, as they are not optional", () => {
    const version = { sha256: SHA, size_bytes: 0, mode: 0o644 };
    const effect = { kind: "file.write", sure: "exact", path: "/a", before: null, after: version, diff: LARGE } as const;
    const started = log.append("tool_started", {
      call_id: "c1",
      plan_sha256: SHA,
      effects: [effect, { ...effect, diff: "small" }],
      recovery: "reconcile",
      before_images: [],
    });
    expect(started.data).toMatchObject({ effects: [{ diff: "", diff_blob: { size_bytes: 8194 } }, { diff: "small" }] });
    const failed = log.append(
      "tool_result",
      result({ ok: false, error: { kind: "timeout", message: "", details: { output: LARGE, other: 1 } } }),
    );
    expect(failed.data).toMatchObject({ error: { details: { output: "", output_blob: { size_bytes: 8194 }, other: 1 } } });
  });

  test("is measured in bytes, stays when it is 8 KiB, and is stored once", () => {
    const exact = "x".repeat(8192);
    expect(log.append("tool_result", result({ output: exact })).data).toMatchObject({ output: exact });
    log.append("tool_result", result({ output: `${exact}y` }));
    log.append("tool_result", result({ output: `${exact}y` }));
    expect(readdirSync(log.blobs.dir)).toEqual([createHash("sha256").update(`${exact}y`).digest("hex")]);
  });

  test("comes back whole when it is a text that no UTF-8 can hold, or arguments that are a text", () => {
    const odd = `${"x".repeat(9000)}\ud800`;
    const { data } = log.append("tool_result", result({ output: odd }));
    expect(data).toMatchObject({ output_blob: { mime_type: "application/json" } });
    expect(JSON.parse(blobText((data as LoggedData["tool_result"]).output_blob))).toBe(odd);
    const call = log.append("tool_call", { call_id: "c2", provider_call_id: null, name: "n", args: LARGE });
    expect(JSON.parse(blobText((call.data as LoggedData["tool_call"]).args_blob))).toBe(LARGE);
  });
});

test("the chain goes through every line, from 32 zero bytes on, without line feeds", () => {
  const h = (previous: Buffer, line: string) => createHash("sha256").update(previous).update(line).digest();
  expect(log.head()).toBe(SHA);
  log.append("user_message", { text: "é" });
  log.append("turn_ended", { ...END, head: log.head() });
  const [first = "", second = ""] = lines();
  const h0 = h(Buffer.alloc(32), first);
  expect(JSON.parse(second).data.head).toBe(h0.toString("hex"));
  expect(log.head()).toBe(h(h0, second).toString("hex"));
});

describe("blobs", () => {
  test("are named by their content, for the user alone, and put once", async () => {
    const bytes = Buffer.from("content");
    const ref = await log.blobs.put(bytes, "text/plain");
    expect(ref).toEqual({ sha256: createHash("sha256").update(bytes).digest("hex"), size_bytes: 7, mime_type: "text/plain" });
    const { ino, mode } = statSync(join(log.blobs.dir, ref.sha256));
    expect(mode & 0o777).toBe(0o600);
    expect(log.blobs.putSync(bytes, "other/type")).toEqual({ ...ref, mime_type: "other/type" });
    expect(statSync(join(log.blobs.dir, ref.sha256)).ino).toBe(ino);
    expect(await log.blobs.put(new Uint8Array(0), "x")).toMatchObject({ size_bytes: 0 });
  });

  test("are put by many at once without a trace of it", async () => {
    const bytes = Buffer.alloc(300_000, "x");
    const refs = await Promise.all(Array.from({ length: 8 }, () => log.blobs.put(bytes, "x")));
    await log.sync();
    expect(new Set(refs.map(({ sha256 }) => sha256)).size).toBe(1);
    expect(readdirSync(log.blobs.dir)).toHaveLength(1);
    expect(readBlob(log.dir, { sha256: refs[0]?.sha256 ?? "", size_bytes: 300_000, mime_type: "x" }).equals(bytes)).toBe(true);
  });
});

describe("the end", () => {
  test("may be called twice and at once with syncs, and nothing can be recorded after it", async () => {
    log.append("user_message", { text: "a" });
    await Promise.all([log.sync(), log.sync(), log.close(), log.close()]);
    await log.close();
    expect(() => log.append("user_message", { text: "b" })).toThrow(expect.objectContaining({ kind: "session_record_unavailable" }));
    await expect(log.sync()).rejects.toMatchObject({ kind: "session_record_unavailable" });
    expect(lines()).toHaveLength(2);
  });

  test("seals what no end of a turn seals, and nothing else", async () => {
    log.append("user_message", { text: "a" });
    const head = log.head();
    await log.close();
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([{ type: "user_message" }, { type: "log_closed", data: { head } }]);
    const ended = await fixture.open();
    ended.append("turn_ended", { status: "done", error: null, head: ended.head() });
    await ended.close();
    expect(readFileSync(ended.path, "utf8").trim().split("\n")).toHaveLength(1);
  });
});

test("a log that keeps nothing makes the same events, whole", async () => {
  const transient = transientLog({ sessionId: "s2", epoch: 1, ids: fixture.ids, clock: fixture.clock });
  expect(transient.append("tool_result", result({ output: LARGE }))).toMatchObject({ seq: 0, session_id: "s2", data: { output: LARGE } });
  expect(transient.append("tool_result", result({}))).toMatchObject({ seq: 1 });
  expect(() => transient.append("user_message", {} as never)).toThrow(expect.objectContaining({ kind: "log_encode_failed" }));
  expect(await transient.putBlob(Buffer.from("a"), "x")).toMatchObject({ size_bytes: 1 });
  expect(existsSync(join(log.dir, "..", "s2"))).toBe(false);
});
