import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Effect } from "../../src/base/effect.ts";
import { sha256 } from "../../src/base/hash.ts";
import { type Asker, defineTool } from "../../src/index.ts";
import type { ReadSandbox, Sandbox } from "../../src/sandbox/port.ts";
import { codingTools } from "../../src/tools/index.ts";
import { dataOf, makePlace, open } from "./place.ts";

const none = z.strictObject({});
const NOT_IN_PLAN = { ok: false, error: { kind: "tool_failed", details: { reason: "not_in_plan" } } };
const CLOSED = { kind: "tool_failed", details: { reason: "sandbox_closed" } };

type Exec = Parameters<Sandbox["exec"]>[0];
const starter = (effects: readonly Effect[], request: Exec) =>
  defineTool({
    name: "starter",
    description: "",
    parameters: none,
    plan: () => ({ effects }),
    execute: async (_plan, { sandbox }) => (await sandbox.exec(request)).output,
  });

describe("a tool with an open command in its plan", () => {
  const open1 = (cwd: string, ...argv: string[]): Effect => ({ kind: "command", sure: "open", argv, cwd });

  test.each<[string, readonly string[], readonly [string, ...string[]]]>([
    ["another program", ["ls"], ["touch", "made.txt"]],
    ["more words", ["touch", "a"], ["touch", "a", "made.txt"]],
    ["fewer words", ["touch", "made.txt", "a"], ["touch", "made.txt"]],
    ["a script", ["ls"], ["bash", "-c", "touch made.txt"]],
    ["a script as bash runs it", ["ls"], ["bash", "--noprofile", "--norc", "-c", "touch made.txt"]],
    ["a script with one command more", ["ls"], ["bash", "--noprofile", "--norc", "-c", "ls; touch made.txt"]],
    ["a script with a redirection", ["ls"], ["bash", "--noprofile", "--norc", "-c", "ls > made.txt"]],
    ["a script that is not understood", ["ls"], ["bash", "--noprofile", "--norc", "-c", "(touch made.txt)"]],
  ])("cannot start %s", async (_, planned, argv) => {
    const place = makePlace();
    const { runtime } = await open(place, { tools: [starter([open1(place.workspace, ...planned)], { argv, timeoutMs: 5000 })] });
    expect(await runtime.call("starter", {})).toMatchObject(NOT_IN_PLAN);
    expect(existsSync(join(place.workspace, "made.txt"))).toBe(false);
  });

  test("cannot start it in another folder", async () => {
    const place = makePlace({ "sub/a.txt": "" });
    const request: Exec = { argv: ["touch", "made.txt"], cwd: "sub", timeoutMs: 5000 };
    const { runtime } = await open(place, { tools: [starter([open1(place.workspace, "touch", "made.txt")], request)] });
    expect(await runtime.call("starter", {})).toMatchObject(NOT_IN_PLAN);
    expect(existsSync(join(place.workspace, "sub/made.txt"))).toBe(false);
  });

  test.each<[string, readonly [string, ...string[]]]>([
    ["those words", ["./make"]],
    ["a script of that command", ["bash", "--noprofile", "--norc", "-c", "./make"]],
  ])("starts %s", async (_, argv) => {
    const place = makePlace({ make: "#!/bin/sh\n: > made.txt\n" });
    chmodSync(join(place.workspace, "make"), 0o755);
    const { runtime } = await open(place, { tools: [starter([open1(place.workspace, "./make")], { argv, timeoutMs: 5000 })] });
    expect(await runtime.call("starter", {})).toMatchObject({ ok: true });
    expect(existsSync(join(place.workspace, "made.txt"))).toBe(true);
  });
});

test.each(["./run", "./run > out.txt"])(
  "a script whose program leads elsewhere than when it was planned is asked about again: %s",
  async (command) => {
    const place = makePlace();
    const at = (name: string) => join(place.workspace, name);
    for (const name of ["one", "two"]) {
      writeFileSync(at(name), `#!/bin/sh\n: > ${at(`ran-${name}`)}\n`);
      chmodSync(at(name), 0o755);
    }
    symlinkSync("one", at("run"));
    const asked: boolean[] = [];
    const asker: Asker = async ({ again }) => {
      asked.push(again);
      if (again) return { answer: "deny" };
      unlinkSync(at("run"));
      symlinkSync("two", at("run"));
      return { answer: "allow" };
    };
    const { runtime, events } = await open(place, { permissions: { mode: "ask", asker } });
    expect(await runtime.call("bash", { command })).toMatchObject({ ok: false, error: { kind: "permission_denied" } });
    expect(asked).toEqual([false, true]);
    const plans = dataOf(events, "permission_decision").map(({ plan_sha256 }) => plan_sha256);
    expect(new Set(plans).size).toBe(2);
    expect(existsSync(at("ran-two"))).toBe(false);
  },
);

test.each([
  ["cd sub && ./run > ../out.txt < in.txt", "sub"],
  ["> out.txt", "."],
  ["echo a 2>&1 | cat >> out.txt; echo b", "."],
  ["for i in 1; do echo a > out.txt; done", "."],
  ["", "."],
])("bash runs the script that it planned: %j", async (command) => {
  const place = makePlace({ "sub/run": "#!/bin/sh\ncat\n", "sub/in.txt": "x" });
  chmodSync(join(place.workspace, "sub/run"), 0o755);
  const { runtime } = await open(place, { tools: codingTools() });
  expect(await runtime.call("bash", { command: command || "true" })).toMatchObject({ ok: true });
});

describe("the sandbox of a plan", () => {
  test.each<[string, (sandbox: ReadSandbox) => Promise<unknown>]>([
    ["stat", (sandbox) => sandbox.stat("a.txt")],
    ["read", (sandbox) => sandbox.read("a.txt")],
    ["readText", (sandbox) => sandbox.readText("a.txt")],
    ["stream", (sandbox) => sandbox.stream("a.txt")],
    ["version", (sandbox) => sandbox.version("a.txt")],
    ["list", (sandbox) => sandbox.list(".")],
    ["resolve", (sandbox) => sandbox.resolve("a.txt")],
  ])("is closed when the plan is made: %s", async (_, use) => {
    let kept: ReadSandbox | null = null;
    const keeper = defineTool({
      name: "keeper",
      description: "",
      parameters: none,
      plan(_args, { sandbox }) {
        kept = sandbox;
        return { effects: [{ kind: "file.read", sure: "exact", path: join(place.workspace, "a.txt") }] as const, sandbox };
      },
      execute: async (plan) => String(await use(plan.sandbox)),
    });
    const place = makePlace({ "a.txt": "x" });
    const { runtime } = await open(place, { tools: [keeper] });
    expect(await runtime.call("keeper", {})).toMatchObject({ ok: false, error: CLOSED });
    await expect(use(kept as unknown as ReadSandbox)).rejects.toMatchObject(CLOSED);
  });

  test("is closed too when the planning was left behind", async () => {
    let late: Promise<unknown> | null = null;
    let go = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    const slow = defineTool({
      name: "slow",
      description: "",
      parameters: none,
      plan(_args, { sandbox, signal }) {
        late = waiting.then(() => sandbox.read("a.txt"));
        return new Promise<{ effects: [] }>((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
      },
      execute: (): string => "",
    });
    const { runtime } = await open(makePlace({ "a.txt": "x" }), { tools: [slow] });
    const stop = new AbortController();
    const call = runtime.call("slow", {}, { signal: stop.signal });
    while (late === null) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await call).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    go();
    await expect(late).rejects.toMatchObject(CLOSED);
  });
});

const WAIT: readonly [string, ...string[]] = ["sh", "-c", ": > started; exec sleep 600"];

describe("the sandbox of a call", () => {
  test("is closed when the call is over, with what it left open or running", async () => {
    const place = makePlace({ "a.txt": "x".repeat(300_000) });
    let kept: Sandbox | null = null;
    let chunks: AsyncIterator<Uint8Array> | null = null;
    let running: Promise<unknown> | null = null;
    const path = join(place.workspace, "a.txt");
    const keeper = defineTool({
      name: "keeper",
      description: "",
      parameters: none,
      effects: [
        { kind: "file.read", sure: "exact", path },
        { kind: "file.write", sure: "open", path },
        { kind: "command", sure: "open", argv: WAIT, cwd: place.workspace },
      ],
      async execute(_args, { sandbox }) {
        kept = sandbox;
        chunks = (await sandbox.stream("a.txt")).chunks[Symbol.asyncIterator]();
        await chunks.next();
        running = sandbox.exec({ argv: WAIT, timeoutMs: 600_000 });
        while (!existsSync(join(place.workspace, "started"))) await new Promise((resolve) => setImmediate(resolve));
        return "done";
      },
    });
    const { runtime } = await open(place, { tools: [keeper] });
    expect(await runtime.call("keeper", {})).toMatchObject({ ok: true });
    const late = kept as unknown as Sandbox;
    for (const use of [
      () => late.read("a.txt"),
      () => late.resolve("a.txt"),
      () => late.write("a.txt", new Uint8Array(), { before: null }),
      () => late.remove("a.txt", { before: "" }),
      () => late.exec({ argv: WAIT, timeoutMs: 1000 }),
      () => (chunks as unknown as AsyncIterator<Uint8Array>).next(),
    ]) {
      await expect(use()).rejects.toMatchObject(CLOSED);
    }
    expect(await running).toMatchObject({ ended_by: "cancel" });
    expect(readFileSync(path, "utf8")).toHaveLength(300_000);
  });
});

describe("an exact write", () => {
  const bytes = new TextEncoder().encode("x");
  const writer = (effects: readonly Effect[], writes: readonly (readonly [string, number | undefined])[]) =>
    defineTool({
      name: "writer",
      description: "",
      parameters: none,
      plan: () => ({ effects }),
      async execute(_plan, { sandbox }) {
        for (const [path, mode] of writes) await sandbox.write(path, bytes, { before: null, ...(mode === undefined ? {} : { mode }) });
        return "done";
      },
    });
  const effect = (path: string, mode: number): Effect => ({
    kind: "file.write",
    sure: "exact",
    path,
    before: null,
    after: { sha256: sha256(bytes), size_bytes: 1, mode },
    diff: "",
  });

  test("with other permission bits than planned is refused", async () => {
    const place = makePlace();
    const { runtime } = await open(place, { tools: [writer([effect(join(place.workspace, "a"), 0o600)], [["a", 0o777]])] });
    expect(await runtime.call("writer", {})).toMatchObject(NOT_IN_PLAN);
    expect(existsSync(join(place.workspace, "a"))).toBe(false);
  });

  test("has the bits that were planned for its own path", async () => {
    const place = makePlace();
    const [a, b] = [join(place.workspace, "a"), join(place.workspace, "b")];
    const writes = [
      ["b", undefined],
      ["a", undefined],
    ] as const;
    const { runtime } = await open(place, { tools: [writer([effect(a, 0o600), effect(b, 0o755)], writes)] });
    expect(await runtime.call("writer", {})).toMatchObject({ ok: true });
    expect([a, b].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o755]);
  });
});
