import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "../base/clock.ts";
import { localSandbox, memorySandbox, type SandboxPort } from "../sandbox/index.ts";
import { HELD_MS, heldClock } from "../sandbox/run-for-test.ts";
import { callOf, planOf } from "../testing/direct-call.ts";
import { bash } from "./bash.ts";

let base: string;
let workspace: string;
let sandbox: SandboxPort;

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "collet-bash-")));
  workspace = join(base, "ws");
  mkdirSync(join(workspace, "sub"), { recursive: true });
  mkdirSync(join(base, "ws-other"));
  writeFileSync(join(workspace, "a.txt"), "a\n");
  symlinkSync(join(base, "ws-other"), join(workspace, "away"));
  sandbox = await localSandbox({ workspace, home: base, hostEnv: { PATH: process.env.PATH }, clock: systemClock });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("the plan of bash", () => {
  test("is the commands and the real paths of the files, and nothing runs", async () => {
    const { effects } = await planOf(bash, { command: "echo hi > out.txt && cat < sub/../a.txt 2> away/err" }, sandbox);
    expect(effects).toMatchObject([
      { kind: "command", argv: ["echo", "hi"], cwd: workspace },
      { kind: "file.write", path: join(workspace, "out.txt") },
      { kind: "command", argv: ["cat"] },
      { kind: "file.read", path: join(workspace, "a.txt") },
      { kind: "file.write", path: join(base, "ws-other", "err") },
    ]);
    expect(existsSync(join(workspace, "out.txt"))).toBe(false);
  });

  test("has paths from the folder that it runs in", async () => {
    const { effects } = await planOf(bash, { command: "pwd > out", cwd: "sub" }, sandbox);
    expect(effects).toMatchObject([{ cwd: join(workspace, "sub") }, { path: join(workspace, "sub", "out") }]);
  });

  test.each([["> made.txt"], ["# nothing"], ["X=1"]])("has at least the shell for %j", async (command) => {
    const { effects } = await planOf(bash, { command }, sandbox);
    expect(effects.some(({ kind }) => kind === "command" || kind === "unknown")).toBe(true);
  });

  test("is one unknown effect for what is not understood", async () => {
    expect((await planOf(bash, { command: "echo @(a|b)" }, sandbox)).effects).toMatchObject([{ kind: "unknown", sure: "open" }]);
  });

  test.each([
    ["not_found", { cwd: "build/none" }, { path: "build/none", reason: "cwd" }],
    ["invalid_args", { cwd: "a.txt" }, { reason: "cwd_is_no_folder", pointer: "/cwd" }],
    ["outside_workspace", { cwd: "../ws-other" }, {}],
    ["outside_workspace", { cwd: "away" }, {}],
    ["outside_workspace", { cwd: "~" }, {}],
    ["invalid_args", { command: "echo \0" }, { reason: "nul" }],
    ["invalid_args", { command: "echo \ud83d" }, { reason: "lone_surrogate" }],
    ["invalid_args", { command: "" }, {}],
    ["invalid_args", { timeout: "soon" }, {}],
    ["invalid_args", { background: true }, {}],
  ])("fails with %s for %j", async (kind, args, details) => {
    await expect(planOf(bash, { command: "pwd", ...args }, sandbox)).rejects.toMatchObject({ kind, details });
  });

  test("fails where there are no processes", async () => {
    expect(await callOf(bash, { command: "ls" }, memorySandbox())).toMatchObject({
      error: { kind: "bash_disabled", details: { sandbox: "memory" } },
    });
  });
});

describe("bash", () => {
  test("gives what was printed on both streams, and how it ended", async () => {
    expect(await callOf(bash, { command: "echo out; echo err >&2" }, sandbox)).toEqual({
      ok: true,
      output: "out\nerr\n",
      exit_code: 0,
      signal: null,
      duration_ms: expect.any(Number),
      output_bytes: 8,
      output_lines: 2,
      spill: null,
      ended_by: "exit",
      left_running_ended: 0,
    });
  });

  test("tells a non-zero exit as a result that is not ok, with the code in the text", async () => {
    expect(await callOf(bash, { command: "printf no; exit 3" }, sandbox)).toMatchObject({
      ok: false,
      output: "no\n[exit code 3]",
      exit_code: 3,
    });
    expect(await callOf(bash, { command: "false" }, sandbox)).toMatchObject({ ok: false, output: "[exit code 1]" });
  });

  test("tells a signal", async () => {
    expect(await callOf(bash, { command: "kill -9 $$" }, sandbox)).toMatchObject({
      ok: false,
      exit_code: null,
      signal: "SIGKILL",
      output: "[ended by signal SIGKILL]",
    });
  });

  test("runs in the folder, reads no start files, and has no input", async () => {
    expect(await callOf(bash, { command: "pwd; cat; shopt -q login_shell || echo plain", cwd: "sub" }, sandbox)).toMatchObject({
      output: `${join(workspace, "sub")}\nplain\n`,
    });
  });

  test("takes any script, not only what its plan understands", async () => {
    expect(await callOf(bash, { command: 'for n in 1 2; do\n  echo "$n é"\ndone' }, sandbox)).toMatchObject({
      ok: true,
      output: "1 é\n2 é\n",
    });
  });

  test("fails with timeout and keeps what was printed", async () => {
    const clock = heldClock();
    const held = await localSandbox({ workspace, home: base, hostEnv: { PATH: process.env.PATH }, clock });
    const done = callOf(bash, { command: `echo PROGRESS; touch ${base}/up-1; sleep 300`, timeout: HELD_MS / 1000 }, held);
    await vi.waitUntil(() => existsSync(join(base, "up-1")), { timeout: 50_000 });
    clock.release();
    expect(await done).toMatchObject({ ok: false, error: { kind: "timeout", details: { output: "PROGRESS\n", ended_by: "timeout" } } });
  });

  test("says that a timeout was clamped", async () => {
    expect(await callOf(bash, { command: "echo done", timeout: 99_999_999 }, sandbox)).toMatchObject({
      ok: true,
      output: "done\n[timeout 99999999 s is clamped to 600 s]",
    });
    expect(await callOf(bash, { command: "sleep 300", timeout: -1 }, sandbox)).toMatchObject({ error: { kind: "timeout" } });
  });

  test("fails with cancelled and keeps what was printed", async () => {
    const abort = new AbortController();
    const done = callOf(bash, { command: `echo PROGRESS; touch ${base}/up-2; sleep 300` }, sandbox, { signal: abort.signal });
    await vi.waitUntil(() => existsSync(join(base, "up-2")), { timeout: 50_000 });
    abort.abort();
    expect(await done).toMatchObject({ ok: false, error: { kind: "cancelled", details: { output: "PROGRESS\n" } } });
  });

  test("says how many processes were left and ended", async () => {
    const done = await callOf(bash, { command: "sleep 300 & echo started" }, sandbox);
    expect(done).toMatchObject({
      ok: true,
      output: "started\n[1 process left running when the shell exited: ended]",
      left_running_ended: 1,
    });
  });
});
