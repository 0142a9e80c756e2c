import { execFileSync, spawn } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModelServer } from "../../src/testing/index.ts";
import { collet, jsonLines, makePlace, type Place } from "./harness.ts";

const POLICY = { version: 1, metadata: { id: "docs-only" }, allow_writes: ["docs/**", "policy.json"], bash: { verify: ["true"] } };

let place: Place;
beforeEach(() => {
  place = makePlace({ "docs/a.md": "a\n", "policy.json": JSON.stringify(POLICY) });
});
afterEach(() => place.remove());

const call = (tool: string, args: object, ...flags: readonly string[]) =>
  collet(["call", tool, "--write-policy", "policy.json", ...flags, "--args", JSON.stringify(args)], { place });

describe("--write-policy", () => {
  test("bounds what a call may write", async () => {
    expect(await call("write", { path: "docs/b.md", content: "b\n" })).toMatchObject({ status: 0 });
    const { status, stdout } = await call("write", { path: "a.md", content: "" });
    expect(status).toBe(3);
    expect(jsonLines(stdout)).toMatchObject([
      { ok: false, error: { kind: "write_policy_denied", details: { reason: "no_allow_match", policy_id: "docs-only" } } },
    ]);
    expect(await call("bash", { command: "true" })).toMatchObject({ status: 0 });
    expect(await call("bash", { command: "touch docs/c" })).toMatchObject({ status: 3, stdout: expect.stringContaining("bash_disabled") });
  });

  test("protects its own file, also where a link leads to it", async () => {
    symlinkSync("../policy.json", path.join(place.workspace, "docs/p.json"));
    for (const file of ["policy.json", "docs/p.json"]) {
      const { status, stdout } = await call("write", { path: file, content: "{}", overwrite: true });
      expect({ status, error: jsonLines(stdout)[0].error }).toMatchObject({
        status: 3,
        error: { kind: "write_policy_denied", details: { reason: "deny_match", matched_rule: "policy.json" } },
      });
    }
    expect(JSON.parse(readFileSync(path.join(place.workspace, "policy.json"), "utf8"))).toEqual(POLICY);
  });

  test("ends a turn that a model takes beyond it, with status 3", async () => {
    const steps = [{ calls: [{ name: "write", args: { path: "a.md", content: "" } }] }, { text: "Done." }];
    const server = await createModelServer({ steps });
    const model = ["--model", "openai-compatible/m", "--base-url", server.baseUrl];
    const { status, stderr } = await collet(["run", ...model, "--auto", "--write-policy", "policy.json", "Go."], { place });
    await server.close();
    expect(status).toBe(3);
    expect(stderr).toContain("(write_policy_denied)");
  });

  test.each([
    ["no JSON", "{\n  nope\n", { line: 2, reason: "not_json" }],
    ["an unknown key", `{\n  "version": 1,\n  "allow": []\n}`, { line: 3, reason: "unknown_key" }],
    ["a bad rule", `{"version": 1,\n"allow_writes": [\n"a",\n"../b"]}`, { line: 4, reason: "parent_segment", matched_rule: "../b" }],
    ["a bad command", `{"version": 1, "allow_writes": [],\n"bash": {\n"verify": ["a; b"]}}`, { line: 3, reason: "not_literal" }],
    ["a key that stands twice", `{"version": 1,\n"allow_writes": [],\n"allow_writes": ["**/*"]}`, { line: 3, reason: "duplicate_key" }],
    ["nothing", "", { line: 1, reason: "not_json" }],
    ["no text", Buffer.from([0xff, 0xfe, 0x00]), { reason: "not_text" }],
  ])("with %s is a broken setting, told before anything runs", async (_, text, details) => {
    writeFileSync(path.join(place.workspace, "policy.json"), text);
    const { status, stdout } = await call("write", { path: "docs/b.md", content: "" });
    expect(status).toBe(2);
    expect(jsonLines(stdout)).toMatchObject([
      {
        ok: false,
        call_id: null,
        error: { kind: "invalid_config", details: { path: path.join(place.workspace, "policy.json"), ...details } },
      },
    ]);
  });

  test.each(["none.json", ".", "/dev/zero"])("refuses what is no file of text: %s", async (file) => {
    const run = await collet(["call", "read", "--write-policy", file, "--args", '{"path":"docs/a.md"}'], { place });
    expect(run).toMatchObject({ status: 2, stdout: expect.stringContaining("invalid_config") });
  });

  test("takes a policy from a pipe", async () => {
    const pipe = path.join(place.root, "pipe");
    execFileSync("mkfifo", [pipe]);
    const writer = spawn("sh", ["-c", 'cat policy.json > "$0"', pipe], { cwd: place.workspace });
    const flags = ["--write-policy", pipe, "--args", JSON.stringify({ path: "a.md", content: "" })];
    const run = await collet(["call", "write", ...flags], { place });
    writer.kill();
    expect(run).toMatchObject({ status: 3, stdout: expect.stringContaining("write_policy_denied") });
  });

  test("takes a relative file from the folder that it is typed in", async () => {
    const cwd = path.join(place.workspace, "docs");
    const flags = ["--write-policy", "../policy.json", "--args", JSON.stringify({ path: "a.md", content: "" })];
    // the call's own path is taken from the workspace
    expect(await collet(["call", "write", "-C", "..", ...flags], { place, cwd })).toMatchObject({ status: 3 });
  });
});
