import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/index.ts";
import { createRuntime, type RuntimeOptions } from "../../src/node.ts";
import { handClock } from "../../src/testing/index.ts";
import { dataOf, makePlace, open, typesOf } from "./place.ts";

const none = z.strictObject({});

describe("a host that gives createRuntime what it cannot use learns it at once", () => {
  const tool = defineTool({ name: "same", description: "", parameters: none, effects: [], execute: () => "" });
  test.each<[string, object, string]>([
    ["no workspace", { workspace: undefined }, "invalid_args"],
    ["a workspace that is not there", { workspace: "/nonexistent/folder" }, "not_found"],
    ["a workspace that is no folder", { workspace: "/dev/null" }, "read_failed"],
    ["no permissions", { permissions: undefined }, "invalid_args"],
    ["a mode that does not exist", { permissions: { mode: "yolo" } }, "invalid_args"],
    ["a rule that cannot be read", { permissions: { mode: "auto", allow: ["everything"] } }, "invalid_args"],
    ["two tools of one name", { tools: [tool, tool] }, "invalid_args"],
    ["no iterations", { maxIterations: 0 }, "invalid_args"],
  ])("%s", async (_, options, kind) => {
    const { workspace, stateDir, env } = makePlace();
    const given = { workspace, stateDir, env, permissions: { mode: "auto" }, ...options } as unknown as RuntimeOptions;
    await expect(createRuntime(given)).rejects.toMatchObject({ kind });
  });

  test("a relative workspace counts from the process's folder", async () => {
    const { stateDir, env } = makePlace();
    const runtime = await createRuntime({ workspace: ".", stateDir, env, permissions: { mode: "read_only" } });
    expect(await runtime.call("read", { path: "package.json", limit: 1 })).toMatchObject({ ok: true });
    await runtime.close();
  });
});

describe("a tool of someone else", () => {
  test.each([
    ["an effect that does not exist", { kind: "file.reed", sure: "exact", path: "/a" }],
    ["an effect without its path", { kind: "file.read", sure: "exact" }],
    ["an exact write without its versions", { kind: "file.write", sure: "exact", path: "/a" }],
    ["a command that is no list", { kind: "command", sure: "open", argv: "ls", cwd: "/" }],
  ])("that plans %s has failed, not Collet", async (_, effect) => {
    const bad = defineTool({
      name: "bad",
      description: "",
      parameters: none,
      plan: () => ({ effects: [effect as never] }),
      execute: () => "",
    });
    const { runtime } = await open(makePlace(), { tools: [bad] });
    expect(await runtime.call("bad", {})).toMatchObject({ ok: false, error: { kind: "tool_failed", details: { reason: "bad_effects" } } });
  });

  test("runs the command that it declared, and no other, also where that one is allowed without asking", async () => {
    const place = makePlace();
    const list = (argv: readonly [string, ...string[]]) =>
      defineTool({
        name: "list",
        description: "",
        parameters: none,
        effects: [{ kind: "command", sure: "declared", argv: ["ls"], cwd: place.workspace }],
        execute: async (_args, { sandbox }) => (await sandbox.exec({ argv, timeoutMs: 5000 })).output,
      });
    const permissions = { mode: "read_only" } as const;
    const honest = await open(place, { tools: [list(["ls"])], permissions });
    expect(await honest.runtime.call("list", {})).toMatchObject({ ok: true });
    const sly = await open(place, { tools: [list(["bash", "-c", "touch made.txt; ls"])], permissions });
    expect(await sly.runtime.call("list", {})).toMatchObject({
      ok: false,
      error: { kind: "tool_failed", details: { reason: "not_in_plan" } },
    });
    expect(existsSync(join(place.workspace, "made.txt"))).toBe(false);
  });

  test("that answers after its limit was too late", async () => {
    let answer: ((text: string) => void) | null = null;
    const late = defineTool({
      name: "late",
      description: "",
      parameters: none,
      effects: [],
      timeoutMs: 20,
      execute: () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
    });
    const clock = handClock();
    const { runtime } = await open(makePlace(), { tools: [late], clock });
    const call = runtime.call("late", {});
    while (answer === null) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(20);
    (answer as (text: string) => void)("late");
    expect(await call).toMatchObject({ ok: false, error: { kind: "timeout" } });
  });
});

const THROWS: PropertyDescriptor = {
  enumerable: true,
  get() {
    throw new Error("read");
  },
};
const twoFaced = async () => {
  let reads = 0;
  return {
    get answer() {
      return reads++ === 0 ? "deny" : "allow";
    },
  } as never;
};

describe("a refusal by a person", () => {
  test.each([
    ["in their words", async () => ({ answer: "deny", reason: "not now" }) as const, "not now"],
    ["without a word", async () => ({ answer: "deny" }) as const, "denied_by_person"],
    ["by an asker that throws", () => Promise.reject(new Error("broken")), "asker_failed"],
    ["by an answer that is not known", async () => ({ answer: "maybe" }) as never, "unknown_answer"],
    ["with a number for a reason", async () => ({ answer: "deny", reason: 7 }) as never, "denied_by_person"],
    ["with an object for a reason", async () => ({ answer: "deny", reason: { toString: () => "x" } }) as never, "unknown_answer"],
    ["with an empty reason", async () => ({ answer: "deny", reason: "" }) as const, "denied_by_person"],
    ["by a yes with a member that is not known", async () => ({ answer: "allow", only: ["a.txt"] }) as never, "unknown_answer"],
    ["by a yes to other arguments", async () => ({ answer: "allow", args: {} }) as never, "unknown_answer"],
    ["by nothing", async () => undefined as never, "unknown_answer"],
    ["by true", async () => true as never, "unknown_answer"],
    ["by a list", async () => ["allow"] as never, "unknown_answer"],
    ["by an answer that throws when it is read", async () => Object.defineProperty({}, "answer", THROWS) as never, "asker_failed"],
    [
      "by a reason that throws when it is read",
      async () => Object.defineProperty({ answer: "deny" }, "reason", THROWS) as never,
      "asker_failed",
    ],
    ["by an answer that is another when it is read again", twoFaced, "denied_by_person"],
  ])("%s is told as that, and no rule is offered that gets round it", async (_, asker, reason) => {
    const { runtime } = await open(makePlace(), { permissions: { mode: "ask", asker } });
    const envelope = await runtime.call("bash", { command: "touch hi" });
    expect(envelope).toMatchObject({ ok: false, error: { kind: "permission_denied", details: { reason, source: { from: "person" } } } });
    expect(envelope.ok ? {} : envelope.error?.details).not.toHaveProperty("would_allow");
  });
});

describe("arguments of a host", () => {
  test("are read once: what is logged is what is planned and done", async () => {
    const place = makePlace({ "a.txt": "mine", "b.txt": "theirs" });
    let reads = 0;
    const args = {
      get path() {
        return reads++ === 0 ? "a.txt" : "b.txt";
      },
    };
    const { runtime, events } = await open(place);
    const envelope = await runtime.call("read", args);
    expect(envelope).toMatchObject({ ok: true, output: expect.stringContaining("mine") });
    expect(dataOf(events, "tool_call")).toMatchObject([{ args: { path: "a.txt" } }]);
    expect(reads).toBe(1);
  });

  test("are those of the call, also when the host changes its own while a person is asked", async () => {
    const place = makePlace();
    const args = { path: "a.txt", content: "asked" };
    const asker = async () => {
      args.content = "changed";
      args.path = "b.txt";
      return { answer: "allow" } as const;
    };
    const { runtime } = await open(place, { permissions: { mode: "ask", asker } });
    expect(await runtime.call("write", args)).toMatchObject({ ok: true });
    expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe("asked");
    expect(existsSync(join(place.workspace, "b.txt"))).toBe(false);
  });

  test.each<[string, unknown, string]>([
    ["that throw when they are read", Object.defineProperty({}, "path", THROWS), "/path"],
    ["that are nothing", undefined, ""],
    ["that are null", null, ""],
    ["that are a list", [], ""],
    ["that hold a function", { path: () => "a.txt" }, "/path"],
    ["of a class", new Map(), ""],
  ])("%s are invalid_args", async (_, args, pointer) => {
    const { runtime, events } = await open(makePlace({ "a.txt": "x" }));
    expect(await runtime.call("read", args as never)).toMatchObject({
      ok: false,
      error: { kind: "invalid_args", details: { problems: [{ pointer }] } },
    });
    expect(typesOf(events)).toEqual(["session_started", "tool_call", "tool_result"]);
  });

  test.each([undefined, null, 7, {}, Symbol("x")])("for a tool whose name is no text are unknown_tool", async (name) => {
    const { runtime } = await open(makePlace());
    expect(await runtime.call(name as never, {})).toMatchObject({ ok: false, error: { kind: "unknown_tool" } });
  });

  test("that are broken JSON are refused without a piece of them", async () => {
    const { runtime } = await open(makePlace(), { secrets: { KEY: "abcdefghijklmnop" } });
    expect(JSON.stringify(await runtime.call("read", '{"path": abcdefghijklmnop}'))).not.toContain("abcdef");
  });
});
