import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/index.ts";
import { createRuntime, type RuntimeOptions } from "../../src/node.ts";
import { makePlace, open } from "./place.ts";

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
    const late = defineTool({
      name: "late",
      description: "",
      parameters: none,
      effects: [],
      timeoutMs: 20,
      execute: () => new Promise((resolve) => setTimeout(() => resolve("late"), 60)),
    });
    const { runtime } = await open(makePlace(), { tools: [late] });
    expect(await runtime.call("late", {})).toMatchObject({ ok: false, error: { kind: "timeout" } });
  });
});

describe("a refusal by a person", () => {
  test.each([
    ["in their words", async () => ({ answer: "deny", reason: "not now" }) as const, "not now"],
    ["without a word", async () => ({ answer: "deny" }) as const, "denied_by_person"],
    ["by an asker that throws", () => Promise.reject(new Error("broken")), "asker_failed"],
    ["by an answer that is not known", async () => ({ answer: "maybe" }) as never, "unknown_answer"],
  ])("%s is told as that, and no rule is offered that gets round it", async (_, asker, reason) => {
    const { runtime } = await open(makePlace(), { permissions: { mode: "ask", asker } });
    const envelope = await runtime.call("bash", { command: "echo hi" });
    expect(envelope).toMatchObject({ ok: false, error: { kind: "permission_denied", details: { reason, source: { from: "person" } } } });
    expect(envelope.ok ? {} : envelope.error?.details).not.toHaveProperty("would_allow");
  });
});
