import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { secret } from "../../src/base/secret.ts";
import type { Permissions } from "../../src/node.ts";
import { codingTools, command, readOnlyTools, scripted } from "../../src/node.ts";
import { dataOf, makePlace, open, type Place } from "./place.ts";

function repository(): Place {
  const place = makePlace({ "a.txt": "one\n", ".env": "KEY=1\n", "sub/b.txt": "b\n" });
  const git = (...args: string[]) => spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: place.workspace });
  git("init", "-q");
  git("add", "a.txt");
  git("commit", "-qm", "First");
  return place;
}

const hasGit = spawnSync("git", ["--version"]).status === 0;

/** All that a session left in its state folder, and what it told. */
function textsBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

describe.runIf(hasGit)("a granted git", () => {
  const git = command({ command: "git" });
  const nobody = (more: Partial<Permissions> = {}): Permissions => ({ mode: "ask", asker: null, ...more }) as Permissions;

  test.each([
    ["ask", ["status", "--short"], "ok"],
    ["ask", ["log", "--oneline"], "ok"],
    ["ask", ["diff", "--output=made.txt"], "permission_denied"],
    ["ask", ["commit", "-qam", "x"], "permission_denied"],
    ["ask", ["-c", "alias.x=!touch made.txt", "x"], "permission_denied"],
    ["read_only", ["status"], "ok"],
    ["read_only", ["diff", "--no-index", "--output=made.txt", "a.txt", "sub/b.txt"], "permission_denied"],
    ["read_only", ["branch", "-D", "x"], "permission_denied"],
    ["auto", ["diff", "--output=made.txt"], "ok"],
  ] as const)("is decided by what its arguments do: in %s %j is %s", async (mode, args, expected) => {
    const place = repository();
    const { runtime } = await open(place, { tools: [git], permissions: nobody({ mode }) });
    const result = await runtime.call("git", { args });
    expect(result.ok ? "ok" : result.error?.kind).toBe(expected);
    if (mode !== "auto") expect(readdirSync(place.workspace)).not.toContain("made.txt");
  });

  test("is spoken of by rules as in a script, and no rule adds to what it was granted", async () => {
    const place = repository();
    const some = command({ command: "git", name: "some_git", allow: ["status", "add"] });
    const permissions = nobody({ allow: ["command(git add)", "command(git commit)", "write(**)"], deny: ["command(git status)"] });
    const { runtime } = await open(place, { tools: [git, some], permissions });
    expect(await runtime.call("git", { args: ["status"] })).toMatchObject({
      error: { kind: "permission_denied", details: { rule: "command(git status)" } },
    });
    expect(await runtime.call("git", { args: ["-C", "sub", "status"] })).toMatchObject({ error: { kind: "permission_denied" } });
    expect(await runtime.call("some_git", { args: ["commit", "-m", "x"] })).toMatchObject({
      error: { details: { reason: "not_in_grant" } },
    });
    const dry = await runtime.call("git", { args: ["commit", "-m", "x"] }, { dryRun: true });
    expect(dry).toMatchObject({ ok: true, effects: [{ kind: "command", argv: ["git", "commit", "-m", "x"], alone: true }] });
  });

  test("does not run what its repository's configuration names while it only reads", async () => {
    const place = repository();
    spawnSync("git", ["config", "core.fsmonitor", `touch ${join(place.workspace, "made.txt")}; true`], { cwd: place.workspace });
    const { runtime } = await open(place, { tools: [git], permissions: nobody() });
    expect(await runtime.call("git", { args: ["status"] })).toMatchObject({ ok: true });
    expect(readdirSync(place.workspace)).not.toContain("made.txt");
  });
});

describe("the secrets of a grant", () => {
  const env = { API_TOKEN: secret("STORED_TOKEN"), PLAIN: "plain" };
  const value = "very-secret-value-0123";

  test("reach the program, and neither result, error, progress nor log", async () => {
    const place = makePlace();
    const tools = [command({ command: "sh", env, timeout: 0.5 })];
    const { runtime, events } = await open(place, { tools, secrets: { STORED_TOKEN: value } });
    const shown = await runtime.call("sh", {
      args: ["-c", 'test "$API_TOKEN" = very-"secret"-value-0123 && echo "$PLAIN $API_TOKEN"; exit 3'],
    });
    expect(shown).toMatchObject({ ok: false, exit_code: 3, output: "plain [secret:STORED_TOKEN]\n[exit code 3]" });
    const late = await runtime.call("sh", { args: ["-c", 'echo "$API_TOKEN"; sleep 60'] });
    expect(late).toMatchObject({ error: { kind: "timeout", details: { output: "[secret:STORED_TOKEN]\n" } } });
    await runtime.close();
    for (const text of [JSON.stringify([shown, late, events]), textsBelow(place.stateDir)]) expect(text).not.toContain(value);
  });

  test("are asked for when the program is to run, and what is missing is told by its name", async () => {
    const { runtime } = await open(makePlace(), { tools: [command({ command: "sh", env })] });
    expect(await runtime.call("sh", { args: ["-c", "true"] }, { dryRun: true })).toMatchObject({ ok: true });
    expect(await runtime.call("sh", { args: ["-c", "true"] })).toMatchObject({
      error: { kind: "invalid_config", details: { reason: "secret_missing", names: ["STORED_TOKEN"] } },
    });
  });

  test("are no other tool's", async () => {
    const { runtime } = await open(makePlace(), {
      tools: [...codingTools(), command({ command: "sh", env })],
      secrets: { STORED_TOKEN: value },
    });
    expect(await runtime.call("bash", { command: 'echo "<$API_TOKEN$STORED_TOKEN>"' })).toMatchObject({ output: "<>\n" });
  });
});

test("a string for the arguments is split where that is certain, and the result says so", async () => {
  const { runtime } = await open(makePlace(), { tools: [command({ command: "printf" })] });
  expect(await runtime.call("printf", { args: "'%s|' 'a b' c" })).toMatchObject({
    ok: true,
    output: "a b|c|",
    repairs: [expect.stringContaining("/args")],
  });
  expect(await runtime.call("printf", { args: "%s $HOME" })).toMatchObject({
    error: { kind: "invalid_args", details: { reason: "not_literal" } },
  });
});

describe("tools that only read", () => {
  test.each(["echo x > made.txt", "rm a.txt", "node -e 0", "no-such-program", 'eval "$X"', "cat ../outside.txt"])(
    "refuse what may do more in every mode, whatever rule allows it: %s",
    async (script) => {
      for (const mode of ["auto", "ask", "read_only"] as const) {
        const place = makePlace({ "a.txt": "one\n" });
        const allow = ["command(*)", "command(rm)", "command(node)", "write(**)", "delete(**)", "read(/**)"];
        const permissions = { mode, asker: async () => ({ answer: "allow" as const }), allow };
        const { runtime } = await open(place, { tools: readOnlyTools(), permissions });
        expect(await runtime.call("bash", { command: script })).toMatchObject({
          error: { kind: "bash_disabled", details: { reason: "read_only_tool" } },
        });
        expect(readdirSync(place.workspace)).toEqual(["a.txt"]);
      }
    },
  );

  test("read, and leave the guard to itself", async () => {
    const { runtime } = await open(makePlace({ "a.txt": "one\n", ".env": "KEY=1\n" }), { tools: readOnlyTools() });
    expect(await runtime.call("bash", { command: "cat a.txt" })).toMatchObject({ ok: true, output: expect.stringMatching(/^one\n/) });
    expect(await runtime.call("bash", { command: "cat .env" })).toMatchObject({ error: { kind: "protected_path" } });
  });
});

describe("a session that plans", () => {
  const model = scripted([
    {
      text: "I look.",
      calls: [
        { name: "bash", args: { command: "cat a.txt" } },
        { name: "bash", args: { command: "rm a.txt" } },
      ],
    },
    { text: "The plan: …" },
  ]);

  test("reads, changes nothing, and says so in its log", async () => {
    const place = makePlace({ "a.txt": "one\n" });
    const { runtime, events } = await open(place, { plan: true, model, permissions: { mode: "read_only", asker: null } });
    const session = await runtime.session();
    expect(await session.run("Plan it").result).toMatchObject({ status: "done", text: "The plan: …" });
    const ended = dataOf(events, "tool_result").map(({ call_id, ok, error }) => [call_id, ok ? "ok" : error?.kind]);
    expect(Object.fromEntries(ended)).toEqual({ c1: "ok", c2: "bash_disabled" });
    expect(dataOf(events, "session_started")).toMatchObject([{ mode: "read_only", plan: true }]);
    expect(readdirSync(place.workspace)).toEqual(["a.txt"]);
    expect(await runtime.call("write", { path: "b.txt", content: "" })).toMatchObject({ error: { kind: "unknown_tool" } });
  });

  test.each(["auto", "ask"] as const)("cannot be had in the mode %s", async (mode) => {
    await expect(open(makePlace(), { plan: true, permissions: { mode, asker: null } })).rejects.toMatchObject({
      kind: "invalid_args",
      details: { option: "plan", mode },
    });
  });

  test("has no more than its mode allows with tools of the host's own", async () => {
    const place = makePlace();
    const permissions = { mode: "read_only", asker: null, allow: ["write(**)"] } as const;
    const { runtime } = await open(place, { plan: true, tools: codingTools(), permissions });
    expect(await runtime.call("write", { path: "b.txt", content: "" })).toMatchObject({ error: { kind: "permission_denied" } });
  });
});
