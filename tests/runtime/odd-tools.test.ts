import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, result } from "../../src/index.ts";
import { codingTools, scripted } from "../../src/node.ts";
import { dataOf, makePlace, open } from "./place.ts";

const none = z.strictObject({});
const base = { name: "odd", description: "", parameters: none } as const;
const turn = () => scripted([{ calls: [{ name: "odd", args: {} }] }, { text: "Went on." }]);

describe("a tool whose effects could not be logged", () => {
  const version = { sha256: "abc", size_bytes: 1, mode: 0o644 };
  test.each<[string, object, string]>([
    ["an exact connection", { kind: "network", sure: "exact", host: "h", port: 1 }, "/0/sure"],
    ["a port below 0", { kind: "network", sure: "declared", host: "h", port: -1 }, "/0/port"],
    ["an exact command", { kind: "command", sure: "exact", argv: ["ls"], cwd: "/" }, "/0/sure"],
    ["an exact unknown", { kind: "unknown", sure: "exact", reason: "r" }, "/0/sure"],
    ["a tree that is text", { kind: "file.read", sure: "declared", path: "/a", tree: "yes" }, "/0/tree"],
    ["a hash that is none", { kind: "file.delete", sure: "exact", path: "/a", before: version }, "/0/before/sha256"],
    ["other names that are no list", { kind: "file.read", sure: "declared", path: "/a", also: 5 }, "/0/also"],
    ["a kind that cannot be text", { kind: { toString: 1 }, sure: "open" }, "/0/kind"],
    ["a nest as deep as JSON may be", { kind: "agent", sure: "open", name: "n", x: JSON.parse("[".repeat(190) + "]".repeat(190)) }, "/0/x"],
    ["more than a line holds", { kind: "agent", sure: "open", name: "n".repeat(17 * 2 ** 20) }, ""],
  ])("(%s) has failed, is told where, and the turn goes on", async (_, effect, pointer) => {
    const odd = defineTool({ ...base, plan: () => ({ effects: [effect as never] }), execute: () => "" });
    const { runtime, events } = await open(makePlace(), { tools: [odd], model: turn() });
    const session = await runtime.session();
    expect(await session.run("x").result).toMatchObject({ status: "done", text: "Went on." });
    expect(dataOf(events, "tool_result")).toMatchObject([
      { ok: false, error: { kind: "tool_failed", details: { reason: "bad_effects", pointer } } },
    ]);
  });
});

describe("a dry run of a read", () => {
  test("records by what it would be let through, as the call itself does", async () => {
    const { runtime, events } = await open(makePlace({ "a.txt": "x" }));
    await runtime.call("read", { path: "a.txt" });
    await runtime.call("read", { path: "a.txt" }, { dryRun: true });
    expect(dataOf(events, "permission_decision")).toEqual([]);
    expect(dataOf(events, "tool_result").map(({ decision }) => decision)).toEqual(["mode", "mode"]);
  });

  test("has its decision once, where that is an event of its own", async () => {
    const { runtime, events } = await open(makePlace({ "a.txt": "x" }), { permissions: { mode: "auto", deny: ["read(*.txt)"] } });
    await runtime.call("write", { path: "b.txt", content: "" }, { dryRun: true });
    expect(dataOf(events, "permission_decision")).toHaveLength(1);
    expect(dataOf(events, "tool_result")[0]).not.toHaveProperty("decision");
  });
});

describe("the exit code of a tool's result", () => {
  const odd = (exit_code: unknown) => defineTool({ ...base, effects: [], execute: () => result({ output: "", exit_code }) });
  test.each([["0"], [0.5], [true], [[0]], [{}]])("that is %j makes the tool have failed", async (code) => {
    const { runtime } = await open(makePlace(), { tools: [odd(code)] });
    const error = { kind: "tool_failed", details: { reason: "bad_exit_code", pointer: "/exit_code" } };
    expect(await runtime.call("odd", {})).toMatchObject({ ok: false, error });
  });

  test.each([
    [0, true],
    [3, false],
    [-1, false],
    [null, false],
    [undefined, true],
  ])("that is %j says whether it is ok (%j)", async (code, ok) => {
    const { runtime } = await open(makePlace(), { tools: [odd(code)] });
    const called = await runtime.call("odd", {});
    expect(called).toMatchObject({ ok });
    expect(called).not.toHaveProperty("error");
  });
});

describe("a command in a folder that is none", () => {
  const run = (cwd: string) =>
    defineTool({ ...base, execute: async (_args, { sandbox }) => (await sandbox.exec({ argv: ["true"], cwd, timeoutMs: 5000 })).output });
  test.each([
    ["a.txt", { kind: "invalid_args", details: { reason: "cwd_is_no_folder" } }],
    ["none", { kind: "not_found", details: { reason: "cwd" } }],
  ])("(%s) fails alike in bash and in any other tool", async (name, error) => {
    const place = makePlace({ "a.txt": "x" });
    const cwd = join(place.workspace, name);
    const { runtime } = await open(place, { tools: [...codingTools(), run(cwd)] });
    expect(await runtime.call("odd", {})).toMatchObject({ ok: false, error });
    expect(await runtime.call("bash", { command: "true", cwd })).toMatchObject({ ok: false, error });
  });
});
