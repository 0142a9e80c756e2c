import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, fail, result, secret } from "../../src/index.ts";
import { handClock } from "../../src/testing/index.ts";
import { codingTools } from "../../src/tools/index.ts";
import { dataOf, makePlace, open, typesOf } from "./place.ts";

const none = z.strictObject({});

describe("one call", () => {
  test("leaves one line for each step, in order", async () => {
    const { runtime, events } = await open(makePlace({ "a.txt": "one\n" }));
    expect(await runtime.call("edit", { path: "a.txt", old_string: "one", new_string: "two" })).toMatchObject({
      ok: true,
      replacements: 1,
    });
    expect(typesOf(events)).toEqual(["session_started", "tool_call", "permission_decision", "tool_started", "tool_result"]);
    const [started] = dataOf(events, "tool_started");
    expect(started).toMatchObject({ recovery: "reconcile", before_images: [{ size_bytes: 4 }] });
    expect(dataOf(events, "permission_decision")[0]?.plan_sha256).toBe(started?.plan_sha256);
  });

  test("that only reads has its decision in the result", async () => {
    const { runtime, events } = await open(makePlace({ "a.txt": "one\n" }));
    await runtime.call("read", { path: "a.txt" });
    expect(typesOf(events)).toEqual(["session_started", "tool_call", "tool_started", "tool_result"]);
    expect(dataOf(events, "tool_result")).toMatchObject([{ ok: true, decision: "mode" }]);
    expect(dataOf(events, "tool_started")).toMatchObject([{ recovery: "repeat", before_images: [] }]);
  });

  test("with dry_run stops after its plan, which is the plan of the real call", async () => {
    const place = makePlace({ "a.txt": "one\n" });
    const { runtime, events } = await open(place);
    const args = { path: "a.txt", old_string: "one", new_string: "two" };
    const dry = await runtime.call("edit", args, { dryRun: true });
    expect(dry).toMatchObject({ ok: true, dry_run: true, tool: "edit", args, decision: { outcome: "allow" } });
    expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe("one\n");
    expect(typesOf(events)).toEqual(["session_started", "tool_call", "permission_decision", "tool_result"]);
    await runtime.call("edit", args);
    expect(dataOf(events, "tool_started")[0]?.plan_sha256).toBe(dry.ok && dry.plan_sha256);
  });

  test("that nobody can allow is denied with the rules that would allow it", async () => {
    const place = makePlace();
    const { runtime } = await open(place, { permissions: { mode: "ask", asker: null } });
    expect(await runtime.call("write", { path: "a.txt", content: "x" })).toMatchObject({
      ok: false,
      error: { kind: "permission_denied", details: { reason: "nobody_to_ask", would_allow: expect.arrayContaining(["write(a.txt)"]) } },
    });
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(false);
  });
});

test.each<[string, object, readonly string[]]>([
  ["write", { path: ".env", content: "x" }, ["read(.env)", "write(.env)"]],
  ["edit", { path: ".env", old_string: "a", new_string: "b" }, ["read(.env)", "write(.env)"]],
  ["read", { path: ".env" }, ["read(.env)"]],
])("%s on a guarded file names every rule that it needs", async (tool, args, rules) => {
  const place = makePlace({ ".env": "a\n" });
  const refused = await open(place);
  expect(await refused.runtime.call(tool, { ...args, overwrite: tool === "write" ? true : undefined } as never)).toMatchObject({
    ok: false,
    error: { kind: "protected_path", details: { would_allow: rules, narrowest: rules.length } },
  });
  const allowed = await open(place, { permissions: { mode: "auto", allow: rules } });
  expect(await allowed.runtime.call(tool, { ...args, overwrite: tool === "write" ? true : undefined } as never)).toMatchObject({
    ok: true,
  });
});

describe("a tool of someone else", () => {
  const thrower = defineTool({
    name: "thrower",
    description: "",
    parameters: z.strictObject({ how: z.string() }),
    effects: [],
    execute({ how }) {
      if (how === "throw") throw new TypeError("broken");
      if (how === "nothing") throw undefined;
      if (how === "return") return fail("not_found", "returned", { reason: "mine" });
      if (how === "circle") {
        const circle: { self?: unknown } = {};
        circle.self = circle;
        return circle;
      }
      return { output: "mine", n: 1 };
    },
  });

  test.each([
    ["throw", "tool_failed"],
    ["nothing", "tool_failed"],
    ["return", "not_found"],
    ["circle", "tool_failed"],
  ])("that ends by %s fails with %s, and the next call works", async (how, kind) => {
    const { runtime } = await open(makePlace(), { tools: [thrower] });
    expect(await runtime.call("thrower", { how })).toMatchObject({ ok: false, error: { kind } });
    expect(await runtime.call("thrower", { how: "fine" })).toMatchObject({
      ok: true,
      output: '{"output":"mine","n":1}',
      value: { output: "mine", n: 1 },
    });
  });

  test("that never ends is left behind after its time", async () => {
    let started = false;
    const hang = defineTool({
      name: "hang",
      description: "",
      parameters: none,
      effects: [],
      timeoutMs: 50,
      execute() {
        started = true;
        return new Promise(() => {});
      },
    });
    const clock = handClock();
    const { runtime } = await open(makePlace(), { tools: [hang], clock });
    const call = runtime.call("hang", {});
    while (!started) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(50 + 5000);
    expect(await call).toMatchObject({ ok: false, error: { kind: "timeout", details: { timeout_ms: 50 } } });
  });

  test.each([
    ["writes what it did not declare", [], "write"],
    ["reads what it did not declare", [], "read"],
    ["starts a process that it did not declare", [], "exec"],
  ] as const)("that %s is refused by its sandbox", async (_, effects, deed) => {
    const sneak = defineTool({
      name: "sneak",
      description: "",
      parameters: none,
      effects,
      async execute(_args, { sandbox }) {
        if (deed === "write") await sandbox.write("b.txt", new Uint8Array(), { before: null });
        else if (deed === "read") await sandbox.read("a.txt");
        else await sandbox.exec({ argv: ["touch", "b.txt"], timeoutMs: 1000 });
        return "done";
      },
    });
    const place = makePlace({ "a.txt": "x" });
    const { runtime } = await open(place, { tools: [sneak] });
    expect(await runtime.call("sneak", {})).toMatchObject({
      ok: false,
      error: { kind: "tool_failed", details: { reason: "not_in_plan" } },
    });
    expect(existsSync(join(place.workspace, "b.txt"))).toBe(false);
  });

  test("without declared effects is unknown: allowed by auto, and still held by the guard", async () => {
    const loose = defineTool({
      name: "loose",
      description: "",
      parameters: z.strictObject({ path: z.string() }),
      async execute({ path }, { sandbox }) {
        await sandbox.write(path, new TextEncoder().encode("x"), { before: null });
        return "done";
      },
    });
    const { runtime } = await open(makePlace(), { tools: [loose] });
    expect(await runtime.call("loose", { path: "b.txt" })).toMatchObject({ ok: true });
    expect(await runtime.call("loose", { path: ".git/hooks/pre-commit" })).toMatchObject({ ok: false, error: { kind: "protected_path" } });
    const asked = await open(makePlace(), { tools: [loose], permissions: { mode: "ask", asker: null } });
    expect(await asked.runtime.call("loose", { path: "b.txt" })).toMatchObject({ ok: false, error: { kind: "permission_denied" } });
  });

  test("gets the secrets that it names, and nobody sees their values", async () => {
    const token = "tok-0123456789abcdef";
    const caller = defineTool({
      name: "caller",
      description: "",
      parameters: none,
      effects: [],
      secrets: [secret("API_TOKEN")],
      execute: (_args, { secrets }) =>
        result({
          output: `sent ${secrets.API_TOKEN} as ${Buffer.from(`u:${secrets.API_TOKEN}`).toString("base64")}`,
          header: [secrets.API_TOKEN ?? ""],
        }),
    });
    const place = makePlace();
    const { runtime, events } = await open({ ...place, env: { ...place.env, API_TOKEN: token } }, { tools: [caller] });
    const envelope = await runtime.call("caller", {});
    expect(envelope).toMatchObject({ ok: true, header: ["[secret:API_TOKEN]"] });
    const seen = JSON.stringify([envelope, events]);
    expect(seen).not.toContain(token);
    expect(seen).not.toContain(Buffer.from(token).toString("base64").slice(2, 16));
  });

  test("has what it adds to the assigns seen by later calls", async () => {
    const counter = defineTool({
      name: "counter",
      description: "",
      parameters: none,
      effects: [],
      execute(_args, { assigns }) {
        const n = (typeof assigns.n === "number" ? assigns.n : 0) + 1;
        return result({ output: String(n), assigns: { n } });
      },
    });
    const { runtime, events } = await open(makePlace(), { tools: [counter] });
    await runtime.call("counter", {});
    expect(await runtime.call("counter", {})).toMatchObject({ output: "2" });
    expect(dataOf(events, "tool_result").map(({ assigns }) => assigns)).toEqual([{ n: 1 }, { n: 2 }]);
  });
});

describe("output", () => {
  test("above the bound is cut to head and tail, and the whole can be read", async () => {
    const long = defineTool({
      name: "long",
      description: "",
      parameters: none,
      effects: [],
      execute: () => `first\n${"middle\n".repeat(40_000)}last\n`,
    });
    const { runtime } = await open(makePlace(), { tools: [...codingTools(), long] });
    const envelope = await runtime.call("long", {});
    const output = String("output" in envelope && envelope.output);
    expect(output.length).toBeLessThan(70_000);
    expect(output).toMatch(/^first\n[\s\S]*last\n$/);
    const { spill, output_bytes } = (envelope as unknown as { bounded: { spill: string; output_bytes: number } }).bounded;
    expect(output_bytes).toBe(280_011);
    expect(await runtime.call("read", { path: spill, offset: 40_001 })).toMatchObject({
      ok: true,
      output: expect.stringContaining("last"),
    });
    expect(await runtime.call("write", { path: `${spill}.more`, content: "x" })).toMatchObject({
      ok: false,
      error: { kind: "outside_workspace" },
    });
  });
});
