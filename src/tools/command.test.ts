import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import type { JsonObject } from "../base/json.ts";
import { secret } from "../base/secret.ts";
import { localSandbox, memorySandbox, type SandboxPort } from "../sandbox/index.ts";
import { callOf, type DirectOptions, planOf } from "../testing/direct-call.ts";
import { command } from "./command.ts";
import type { CommandOptions } from "./command-options.ts";
import { type Tool, toolInternals } from "./contract.ts";

let base: string;
let ws: string;
let sandbox: SandboxPort;

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "collet-command-")));
  ws = join(base, "ws");
  for (const folder of ["ws/sub/deep", "ws/node_modules/.bin", "outside", "bin"]) mkdirSync(join(base, folder), { recursive: true });
  script("ws/own.sh", 'echo own "$@"');
  script("ws/node_modules/.bin/tool", "echo from the workspace");
  script("bin/said", 'printf "%s|" "$@"; printf "%s" "$(basename "$0")"');
  symlinkSync(join(base, "bin/said"), join(base, "bin/alias"));
  sandbox = await at([join(ws, "node_modules/.bin"), join(base, "bin"), "/usr/bin", "/bin"]);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function script(path: string, text: string): void {
  writeFileSync(join(base, path), `#!/bin/sh\n${text}\n`);
  chmodSync(join(base, path), 0o755);
}

function at(folders: readonly string[]): Promise<SandboxPort> {
  return localSandbox({ workspace: ws, home: base, hostEnv: { PATH: folders.join(":"), HOST_KEY: "host" }, clock: systemClock });
}

function run(grant: CommandOptions | Tool, args: JsonObject, options?: DirectOptions) {
  return callOf("command" in grant ? command(grant) : grant, args, sandbox, options);
}

describe("a granted program", () => {
  test("gets its arguments as they are, whatever they would mean to a shell", async () => {
    const args = ["a; touch made", "$(touch made)", "`touch made`", "| tee made", "*", "", "-n", "ü\n"];
    const { output, ...rest } = (await run({ command: "said" }, { args })) as { output: string };
    expect(output).toBe(`${args.map((arg) => `${arg}|`).join("")}said`);
    expect(rest).toMatchObject({ ok: true, exit_code: 0, signal: null, ended_by: "exit", left_running_ended: 0, spill: null });
  });

  test("is planned as its words in its real folder, and nothing runs", async () => {
    const { effects } = await planOf(command({ command: "said" }), { args: ["a b"], cwd: "sub/../sub" }, sandbox);
    expect(effects).toMatchObject([
      { kind: "command", sure: "open", argv: ["said", "a b"], cwd: join(ws, "sub"), program: [join(base, "bin/said")] },
    ]);
  });

  test.each([
    [{ command: "alias" }, "|alias"],
    [{ command: "/usr/bin/printf" }, "x"],
    [{ command: "./own.sh" }, "own x\n"],
    [{ command: "~/bin/said" }, "x|said"],
  ] as const)("is found by %j", async (grant, output) => {
    const result = await run(grant, { args: ["x"] });
    expect(result).toMatchObject({ ok: true, output: expect.stringContaining(output) });
  });

  test.each([
    [{ command: "no-such-program" }, { reason: "not_found", program: "no-such-program" }],
    [{ command: "./no-such.sh" }, { reason: "not_found" }],
    [{ command: "tool" }, { reason: "in_workspace", path: join("/", "node_modules") }],
    [{ command: "/dev/stdin", name: "magic" }, { reason: "not_found" }],
    [{ command: "./sub" }, { reason: expect.any(String) }],
  ])("fails where it cannot be started: %j", async (grant, details) => {
    const { path: _, ...expected } = details as Record<string, unknown>;
    const { error } = (await run(grant, { args: [] })) as { error: { kind: string; details: object } };
    expect(["command_failed", "read_failed"]).toContain(error.kind);
    expect(error.details).toMatchObject(expected);
  });

  test("in the workspace is taken by its path, not by its name", async () => {
    expect(await run({ command: "./node_modules/.bin/tool" }, { args: [] })).toMatchObject({ ok: true, output: "from the workspace\n" });
  });

  test("is the same all through a session: what takes its place later is refused", async () => {
    script("ws/edited.sh", "echo first");
    symlinkSync(join(base, "bin/said"), join(ws, "link"));
    const [edited, link, fresh] = [
      command({ command: "./edited.sh" }),
      command({ command: "./link" }),
      command({ command: "./edited.sh" }),
    ];
    expect(await run(edited, { args: [] })).toMatchObject({ ok: true, output: "first\n" });
    expect(await run(link, { args: [] })).toMatchObject({ ok: true });
    script("ws/edited.sh", "echo second");
    rmSync(join(ws, "link"));
    symlinkSync("/bin/echo", join(ws, "link"));
    const changed = { ok: false, error: { kind: "command_failed", details: { reason: "program_changed" } } };
    expect(await run(edited, { args: [] })).toMatchObject(changed);
    expect(await run(link, { args: [] })).toMatchObject(changed);
    expect(await run(fresh, { args: [] })).toMatchObject({ ok: true, output: "second\n" });
  });

  test("stays the one that its name meant first when a folder of the PATH gets another", async () => {
    const later = await at([join(base, "outside"), join(base, "bin"), "/usr/bin"]);
    const tool = command({ command: "said" });
    expect(await callOf(tool, { args: [] }, later)).toMatchObject({ ok: true });
    script("outside/said", "echo another");
    expect(await callOf(tool, { args: [] }, later)).toMatchObject({ ok: false, error: { details: { reason: "program_changed" } } });
    rmSync(join(base, "outside/said"));
  });

  test("has an empty standard input, and no variable of the host's but those of the table", async () => {
    expect(await run({ command: "cat" }, { args: [], timeout: 5 })).toMatchObject({ ok: true, output: "" });
    expect((await run({ command: "env" }, { args: [] })) as { output: string }).not.toMatchObject({
      output: expect.stringContaining("HOST_KEY"),
    });
  });

  test("tells its exit status, its end by a signal, and what it left running", async () => {
    const sh = { command: "sh" };
    expect(await run(sh, { args: ["-c", "echo out; echo err >&2; exit 3"] })).toMatchObject({
      ok: false,
      exit_code: 3,
      output: "out\nerr\n[exit code 3]",
    });
    expect(await run(sh, { args: ["-c", "kill -KILL $$"] })).toMatchObject({ ok: false, exit_code: null, signal: "SIGKILL" });
    expect(await run(sh, { args: ["-c", "sleep 77 & echo a"] })).toMatchObject({ ok: true, left_running_ended: 1 });
  });

  test("is ended by its time limit, and what it printed is kept", async () => {
    const args = { args: ["-c", "echo begun; sleep 60"] };
    const { error } = (await run({ command: "sh", timeout: 0.3 }, args)) as { error: object };
    expect(error).toMatchObject({ kind: "timeout", details: { output: "begun\n", ended_by: "timeout" } });
    expect(await run({ command: "true" }, { args: [], timeout: 5000 })).toMatchObject({ output: "[timeout 5000 s is clamped to 600 s]" });
  });

  test("cannot be run where there are no processes", async () => {
    const result = await callOf(command({ command: "git" }), { args: [] }, memorySandbox());
    expect(result).toMatchObject({ ok: false, error: { kind: "bash_disabled", details: { sandbox: "memory" } } });
  });
});

describe("the folder of a granted program", () => {
  test("is that of the grant, from which a call's own is taken", async () => {
    const grant = { command: "pwd", cwd: "sub" };
    expect(await run(grant, { args: [] })).toMatchObject({ output: `${join(ws, "sub")}\n` });
    expect(await run(grant, { args: [], cwd: "deep" })).toMatchObject({ output: `${join(ws, "sub/deep")}\n` });
    expect(await run(grant, { args: [], cwd: ".." })).toMatchObject({ output: `${ws}\n` });
    expect(await run(grant, { args: [], cwd: ws })).toMatchObject({ output: `${ws}\n` });
  });

  test.each([
    [{ cwd: "../.." }, "outside_workspace"],
    [{ cwd: "/" }, "outside_workspace"],
    [{ cwd: "~" }, "outside_workspace"],
    [{ cwd: "nowhere" }, "not_found"],
    [{ cwd: "../own.sh" }, "invalid_args"],
  ])("is confined: %j is %s", async (more, kind) => {
    expect(await run({ command: "pwd", cwd: "sub" }, { args: [], ...more })).toMatchObject({ ok: false, error: { kind } });
  });

  test("of a grant is confined too", async () => {
    expect(await run({ command: "pwd", cwd: "../outside" }, { args: [] })).toMatchObject({
      ok: false,
      error: { kind: "outside_workspace" },
    });
  });
});

describe("the environment of a granted program", () => {
  const env = { PLAIN: "plain value", API_TOKEN: secret("STORED_TOKEN") };
  const secrets = { STORED_TOKEN: "s3cret-value-here" };

  test("has the values, and the result does not show those of secrets", async () => {
    const result = await run(
      { command: "sh", env },
      { args: ["-c", 'echo "$PLAIN $API_TOKEN"; printf %s "$API_TOKEN" | base64 | tr -d ='] },
      { secrets },
    );
    expect(result).toMatchObject({ ok: true, output: "plain value [secret:STORED_TOKEN]\n[secret:STORED_TOKEN]\n" });
  });

  test("is named to the model without a value, and no value stands in the plan", async () => {
    const tool = command({ command: "sh", env });
    expect(tool.description).toContain("PLAIN, API_TOKEN");
    const { effects } = await planOf(tool, { args: ["-c", "true"] }, sandbox, { secrets });
    for (const text of [tool.description, JSON.stringify(effects)]) expect(text).not.toMatch(/s3cret|plain value/);
    expect(tool[toolInternals].secrets).toEqual([env.API_TOKEN]);
  });
});
