import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, fail, result } from "../../src/index.ts";
import { scripted } from "../../src/node.ts";
import { createModelServer } from "../../src/testing/index.ts";
import { type AnyRunEvent, dataOf, makePlace, open, typesOf } from "./place.ts";

const none = z.strictObject({});
const tool = (execute: () => unknown) => defineTool({ name: "odd", description: "", parameters: none, effects: [], execute });

function deep(depth: number): string {
  return `{"path":${"[".repeat(depth)}${"]".repeat(depth)}}`;
}

describe("arguments that a log cannot hold", () => {
  test("are invalid_args, with one result, and the other calls of the batch run", async () => {
    const { runtime, events } = await open(makePlace({ "a.txt": "x" }));
    expect(await runtime.call("read", deep(300))).toMatchObject({ ok: false, error: { kind: "invalid_args" } });
    expect(await runtime.call("read", { path: "a.txt" })).toMatchObject({ ok: true });
    expect(typesOf(events).filter((type) => type === "tool_result")).toHaveLength(2);
  });
});

describe("a tool that fails with details that are no JSON, or are too much", () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  test.each<[string, () => unknown]>([
    ["NaN", () => fail("tool_failed", "x", { n: Number.NaN })],
    ["a date", () => fail("tool_failed", "x", { at: new Date() as never })],
    ["a bigint", () => fail("tool_failed", "x", { n: 1n as never })],
    ["a circle", () => fail("tool_failed", "x", circle as never)],
    ["20 MiB of details", () => fail("tool_failed", "x", { text: "x".repeat(20 * 2 ** 20) })],
    ["20 MiB of message", () => fail("tool_failed", "x".repeat(20 * 2 ** 20))],
    ["the log's own kind", () => fail("log_write_failed", "not really")],
  ])("%s has failed, and the turn goes on", async (_, make) => {
    const model = scripted([{ calls: [{ name: "odd", args: {} }] }, { text: "Went on." }]);
    const { runtime, events } = await open(makePlace(), { tools: [tool(make)], model });
    const session = await runtime.session();
    expect(await session.run("x").result).toMatchObject({ status: "done", text: "Went on." });
    expect(dataOf(events, "tool_result")).toMatchObject([
      { ok: false, error: { kind: expect.stringMatching(/^(tool_failed|log_write_failed)$/) } },
    ]);
    expect(JSON.stringify(events).length).toBeLessThan(200_000);
  });

  test("text parts and details are bounded as output is", async () => {
    const big = "line\n".repeat(600_000);
    const { runtime } = await open(makePlace(), {
      tools: [tool(() => result({ output: "x", content: [{ type: "text", text: big }], big }))],
    });
    expect(JSON.stringify(await runtime.call("odd", {})).length).toBeLessThan(200_000);
  });
});

describe("a listener that throws", () => {
  test("changes nothing of what happened", async () => {
    const seen: AnyRunEvent[] = [];
    const onEvent = (event: AnyRunEvent) => {
      seen.push(event);
      throw new RangeError("a listener's own fault");
    };
    const { runtime } = await open(makePlace({ "a.txt": "x" }), { onEvent });
    expect(await runtime.call("read", { path: "a.txt" })).toMatchObject({ ok: true });
    expect(typesOf(seen)).toEqual(["session_started", "tool_call", "tool_started", "tool_result"]);
  });
});

describe("a home folder that is reached through a link", () => {
  test("is guarded, and denied by its rules, under its real path", async () => {
    const place = makePlace();
    const real = join(place.root, "real");
    mkdirSync(join(real, ".config/collet"), { recursive: true });
    mkdirSync(join(real, "secret"));
    writeFileSync(join(real, ".config/collet/credentials.json"), "{}");
    writeFileSync(join(real, "secret/a.txt"), "x");
    symlinkSync(real, join(place.root, "link"));
    const env = { ...place.env, HOME: `${join(place.root, "link")}/` };
    const { runtime } = await open({ ...place, workspace: real, env }, { permissions: { mode: "auto", deny: ["read(~/secret/**)"] } });
    expect(await runtime.call("read", { path: ".config/collet/credentials.json" })).toMatchObject({
      ok: false,
      error: { kind: "protected_path" },
    });
    expect(await runtime.call("read", { path: "secret/a.txt" })).toMatchObject({ ok: false, error: { kind: "permission_denied" } });
  });
});

describe("a user's words that hold a key", () => {
  test("reach the model without it", async () => {
    const key = "sk-0123456789abcdefghij";
    const place = makePlace();
    const server = await createModelServer({ steps: [{ text: "Fine." }] });
    const { runtime } = await open(
      { ...place, env: { ...place.env, COLLET_API_KEY: key } },
      { model: "openai-compatible/m", baseUrl: server.baseUrl },
    );
    const session = await runtime.session();
    await session.run(`My key is ${key}.`).result;
    await server.close();
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain(key);
  });
});

describe("a provider that repeats the key in its error", () => {
  test("is told without it, in every form and case", async () => {
    const key = 'sk-live-"0123456789AbCdEf';
    const body = JSON.stringify({
      error: { type: key, message: `${key} ${Buffer.from(key).toString("base64")} ${encodeURIComponent(key)}` },
    });
    const headers = { "request-id": key };
    const place = makePlace();
    const server = await createModelServer({ steps: [{ text: "x", fault: { kind: "status", status: 401, body, headers, times: 9 } }] });
    const { runtime, events } = await open(
      { ...place, env: { ...place.env, COLLET_API_KEY: key } },
      { model: "openai-compatible/m", baseUrl: server.baseUrl },
    );
    const end = await (await runtime.session()).run("x").result;
    await server.close();
    expect(end.error?.kind).toBe("not_authenticated");
    const seen = JSON.stringify([end, events]).toLowerCase();
    for (const form of ["0123456789abcdef", Buffer.from(key).toString("base64").slice(4, -4).toLowerCase()])
      expect(seen).not.toContain(form);
  });
});

describe("a secret on the place where a long line is cut", () => {
  test.each([1980, 1990, 1999])("at byte %i is not seen in part", async (pad) => {
    const value = "Zq8-SECRET-value/7+hidden";
    const place = makePlace({ "a.txt": `${"x".repeat(pad)}${value}${"y".repeat(100)}\n` });
    const { runtime } = await open(place, { secrets: { DB_PASS: value } });
    expect(JSON.stringify(await runtime.call("read", { path: "a.txt" }))).not.toContain("Zq8");
  });
});
