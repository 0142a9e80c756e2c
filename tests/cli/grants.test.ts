import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModelServer, type ModelServerStep } from "../../src/testing/model-server.ts";
import { collet, jsonLines, makePlace, type Place } from "./harness.ts";

let place: Place;
beforeEach(() => {
  place = makePlace({ "a.txt": "one\n" });
});
afterEach(() => place.remove());

async function call(words: readonly string[], args: object | string) {
  const { status, stdout } = await collet(["call", ...words, "--args", typeof args === "string" ? args : JSON.stringify(args)], { place });
  return { status, envelope: JSON.parse(stdout) };
}

describe("--grant", () => {
  test("adds a tool by the program's name, which gives words as they are", async () => {
    const { status, envelope } = await call(["echo", "--grant", "echo"], { args: ["$(touch made)", "a;b"] });
    expect({ status, envelope }).toMatchObject({ status: 0, envelope: { ok: true, exit_code: 0, output: "$(touch made) a;b\n" } });
    expect(readdirSync(place.workspace)).toEqual(["a.txt"]);
  });

  test.each([
    ["echo: a; b *", ["a", "x"], "ok"],
    ["echo: a; b *", ["b", "x"], "ok"],
    ["echo: a; b *", ["b"], "not_in_grant"],
    ["echo: 'a;b' $", ["a;b"], "ok"],
    ["echo: 'a;b' $", ["a;b", "c"], "not_in_grant"],
    ["echo: !a", ["b"], "ok"],
    ["echo: !a", ["-n", "a"], "denied_by_grant"],
    ["echo: a; !a b", ["a", "b"], "denied_by_grant"],
  ])("%j lets %j be %s", async (grant, args, expected) => {
    const { envelope } = await call(["echo", "--grant", grant, "--auto"], { args });
    expect(envelope.ok ? "ok" : envelope.error.details.reason).toBe(expected);
  });

  test.each([
    ["echo:", {}],
    ["echo: a | b", { reason: "not_literal" }],
    ["", { option: "command" }],
    ["[", { option: "name" }],
    ["bash", { reason: "same_name" }],
  ])("that cannot be used is told with its flag: %j", async (grant, details) => {
    const { status, envelope } = await call(["read", "--grant", grant], { path: "a.txt" });
    expect({ status, error: envelope.error }).toMatchObject({
      status: 2,
      error: { kind: "invalid_args", details: { flag: "--grant", ...details } },
    });
  });

  test("of one program twice is refused", async () => {
    const { status, envelope } = await call(["echo", "--grant", "echo", "--grant", "/bin/echo"], { args: [] });
    expect({ status, envelope }).toMatchObject({ status: 2, envelope: { error: { details: { reason: "same_name", name: "echo" } } } });
  });

  test("of what is not there fails at the call", async () => {
    const { status, envelope } = await call(["no-such-program", "--grant", "no-such-program"], { args: [] });
    expect({ status, envelope }).toMatchObject({
      status: 6,
      envelope: { error: { kind: "command_failed", details: { reason: "not_found" } } },
    });
  });

  test("of a path counts from the workspace, wherever it is called", async () => {
    writeFileSync(path.join(place.workspace, "own.sh"), "#!/bin/sh\necho own\n", { mode: 0o755 });
    mkdirSync(path.join(place.workspace, "sub"));
    const words = ["call", "own_sh", "-C", place.workspace, "--grant", "./own.sh", "--args", '{"args":[],"cwd":"sub"}'];
    const { stdout } = await collet(words, { place, cwd: path.join(place.workspace, "sub") });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, output: "own\n" });
  });

  test("holds for a batch", async () => {
    const stdin = `${JSON.stringify({ id: 1, tool: "echo", args: { args: ["a"] } })}\n`;
    const { stdout } = await collet(["call", "--batch", "--grant", "echo"], { place, stdin });
    expect(jsonLines(stdout)).toMatchObject([{ ok: true, id: 1, output: "a\n" }]);
  });

  test("is shown by tools, and words after the tool's name are told where they go", async () => {
    const { stdout } = await collet(["tools", "git", "--grant", "git: status", "--json"], { place });
    expect(JSON.parse(stdout)).toMatchObject({
      name: "git",
      description: expect.stringContaining("`status`"),
      examples: [{ args: ["status"] }],
    });
    const listed = await collet(["tools", "--grant", "git"], { place });
    expect(listed.stdout).toMatch(/^git +Run git/m);
    const { status, envelope } = await collet(["call", "git", "log", "-3", "--grant", "git", "--args", "{}"], { place }).then((ended) => ({
      status: ended.status,
      envelope: JSON.parse(ended.stdout || ended.stderr),
    }));
    expect({ status, envelope }).toMatchObject({ status: 2 });
  });
});

describe("run --plan", () => {
  async function plan(args: readonly string[], steps: readonly ModelServerStep[]) {
    const server = await createModelServer({ steps });
    try {
      const model = ["--model", "openai-compatible/scripted", "--base-url", server.baseUrl];
      return { ...(await collet(["run", ...model, ...args], { place })), requests: server.requests };
    } finally {
      await server.close();
    }
  }
  const LOOK = {
    calls: [
      { name: "bash", args: { command: "cat a.txt" } },
      { name: "bash", args: { command: "rm a.txt" } },
      { name: "edit", args: {} },
    ],
  };

  test("says so first, looks, changes nothing, and answers with the plan", async () => {
    const { status, stdout, stderr, requests } = await plan(
      ["--plan", "--allow", "delete(**)", "Move it"],
      [LOOK, { text: "1. Move it." }],
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: "1. Move it.\n" });
    expect(stderr).toMatch(/^Plan mode: nothing is changed; the answer is a plan\.\n/);
    for (const part of ["mode read_only, making a plan", "bash_disabled", "unknown_tool"]) expect(stderr).toContain(part);
    expect(readdirSync(place.workspace)).toEqual(["a.txt"]);
    const body = JSON.stringify(requests[0]?.body);
    expect(body).toContain("This session makes a plan.");
    expect(body).not.toContain('"name":"edit"');
  });

  test("judges granted programs by read_only", async () => {
    const calls = [
      { name: "touch", args: { args: ["made.txt"] } },
      { name: "wc", args: { args: ["-c", "a.txt"] } },
    ];
    const { stdout } = await plan(["--plan", "--json", "--grant", "touch", "--grant", "wc", "Go"], [{ calls }, { text: "Done." }]);
    const events = jsonLines(stdout);
    expect(events[0]).toMatchObject({ type: "session_started", data: { mode: "read_only", plan: true } });
    const results = events.filter(({ type }) => type === "tool_result").map(({ data }) => [data.ok, data.error?.kind, data.output]);
    expect(results).toEqual([
      [false, "permission_denied", undefined],
      [true, undefined, "4 a.txt\n"],
    ]);
  });

  test.each([["--auto"], ["--ask"], ["--permission", "auto"]])("cannot be lifted: %s", async (...more) => {
    const { status, stderr, requests } = await plan(["--plan", ...more, "Go"], []);
    expect(status).toBe(2);
    expect(stderr).toContain("--plan");
    expect(requests).toEqual([]);
  });

  test("goes with --read-only, which says the same", async () => {
    expect(await plan(["--plan", "--read-only", "--quiet", "Go"], [{ text: "A plan." }])).toMatchObject({
      status: 0,
      stdout: "A plan.\n",
      stderr: "",
    });
  });
});
