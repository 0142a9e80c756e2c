import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { createLocalExec, type LocalExec } from "./local-exec.ts";
import type { ExecRequest } from "./port.ts";
import { runForTest } from "./run-for-test.ts";

type Run = ReturnType<typeof runForTest>;

let folder: string;
let local: LocalExec;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "collet-exec-")));
  local = createLocalExec({ hostEnv: { PATH: "/usr/local/bin:/usr/bin:/bin", TMPDIR: folder }, workspace: folder, clock: systemClock });
});
afterAll(async () => {
  await local.endAll();
  rmSync(folder, { recursive: true });
});

const run: Run["run"] = (argv, more) => runForTest(local, { cwd: folder }).run(argv, more);
const bash: Run["bash"] = (command, more) => runForTest(local, { cwd: folder }).bash(command, more);

describe.concurrent("running a command", () => {
  test("gives arguments as they are, without a shell, and an empty standard input", async () => {
    const end = await run(["printf", "%s|", "a b", "$HOME", "*", "", "ü"]);
    expect(end).toMatchObject({ exit_code: 0, signal: null, ended_by: "exit", left_running_ended: 0 });
    expect(Buffer.from(end.output, "latin1").toString()).toBe("a b|$HOME|*||ü|");
    expect(await run(["cat"])).toMatchObject({ exit_code: 0, output: "" });
  });

  test("keeps both streams in the exact order in which they were written", async () => {
    const { output } = await bash("for i in {1..300}; do echo o$i; echo e$i >&2; done");
    expect(output).toBe(Array.from({ length: 300 }, (_, at) => `o${at + 1}\ne${at + 1}\n`).join(""));
  });

  test("gives a real pipe, so that programs can open their output by name", async () => {
    expect(await bash("echo a >/dev/stderr; echo b >/dev/stdout; echo c | tee /dev/stderr >/dev/null")).toMatchObject({
      exit_code: 0,
      output: "a\nb\nc\n",
    });
  });

  test("gives back every byte", async () => {
    const { output } = await bash(`printf '\\0\\377\\r\\n\\033[1m'; head -c 300000 /dev/zero`);
    expect(output).toBe(`\0\xff\r\n\x1b[1m${"\0".repeat(300_000)}`);
  });

  test.each([
    ["exit 3", { exit_code: 3, signal: null }],
    ["exit 127", { exit_code: 127, signal: null }],
    ["no-such-program-here", { exit_code: 127, signal: null }],
    ["kill -SEGV $$", { exit_code: null, signal: "SIGSEGV" }],
    ["kill -KILL $$", { exit_code: null, signal: "SIGKILL" }],
  ])("tells how it ended: %s", async (command, expected) => {
    expect(await bash(command)).toMatchObject({ ...expected, ended_by: "exit" });
  });

  test("runs it in a session of its own, without a terminal", async () => {
    const { output } = await bash("read -r pid name state parent group session rest < /proc/self/stat; echo $pid $group $session");
    const [pid, group, session] = output.trim().split(" ");
    expect({ group, session }).toEqual({ group: pid, session: pid });
    expect(Number(pid)).toBeGreaterThan(1);
    expect(await bash(": < /dev/tty")).toMatchObject({ exit_code: 1, output: expect.stringContaining("/dev/tty") });
  });

  test("hands on only what the table and the grant say, and marks the call", async () => {
    const { output } = await run(["env"], { env: { GRANTED: "yes", PAGER: "less" } });
    const env = Object.fromEntries(output.split("\n").map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(env).toMatchObject({ GRANTED: "yes", PAGER: "less", TERM: "dumb", COLLET: "1", PATH: "/usr/local/bin:/usr/bin:/bin" });
    expect(env.COLLET_CALL).toMatch(/^[0-9a-f]{32}$/);
    expect(env.VITEST).toBeUndefined();
  });
});

describe.concurrent("a command that cannot be started", () => {
  const cases: readonly (readonly [string, Partial<ExecRequest> & Pick<ExecRequest, "argv">])[] = [
    ["not_found", { argv: ["no-such-program"] }],
    ["not_found", { argv: [""] }],
    ["not_found", { argv: ["./nothing"] }],
    ["not_found", { argv: ["bash\0x"] }],
    ["not_executable", { argv: ["./data"] }],
    ["no_interpreter", { argv: ["./orphan"] }],
    ["too_long", { argv: ["echo", "x".repeat(200_000)] }],
    ["invalid_argument", { argv: ["echo", "a\0b"] }],
    ["invalid_argument", { argv: ["env"], env: { A: "a\0b" } }],
    ["no_such_folder", { argv: ["true"], cwd: "gone" }],
    ["not_a_folder", { argv: ["true"], cwd: "data" }],
  ];
  test.each(cases)("fails with %s", async (reason, { argv, cwd, ...more }) => {
    writeFileSync(join(folder, "data"), "echo hi\n", { mode: 0o644 });
    writeFileSync(join(folder, "orphan"), "#!/no/such/interpreter\n", { mode: 0o755 });
    const request = { ...more, ...(cwd ? { cwd: join(folder, cwd) } : {}) };
    await expect(run(argv, request)).rejects.toMatchObject({ kind: "command_failed", details: { program: argv[0], reason } });
  });

  test("does not start one whose signal was aborted before", async () => {
    const end = await bash(`touch ${folder}/started`, { signal: AbortSignal.abort() });
    expect(end).toMatchObject({ exit_code: null, signal: null, ended_by: "cancel", output: "" });
    expect(await run(["ls", folder])).not.toMatchObject({ output: expect.stringContaining("started") });
  });
});

describe.concurrent("finding the program", () => {
  test("takes one with a slash from the working folder, and a link to one", async () => {
    mkdirSync(join(folder, "sub"), { recursive: true });
    writeFileSync(join(folder, "sub/hello"), "#!/bin/sh\necho hello $0\n", { mode: 0o755 });
    symlinkSync("hello", join(folder, "sub/link"));
    expect(await run(["sub/hello"])).toMatchObject({ output: `hello ${folder}/sub/hello\n` });
    expect(await run(["./link"], { cwd: join(folder, "sub") })).toMatchObject({ exit_code: 0 });
  });

  test("finds the shell where every system has it, whatever the PATH", async () => {
    const exec = createLocalExec({ hostEnv: { PATH: "relative:/no/such/folder" }, workspace: folder, clock: systemClock });
    expect(await runForTest(exec, { cwd: folder }).bash("echo [$PATH]")).toMatchObject({ exit_code: 0, output: "[]\n" });
    await exec.endAll();
  });
});

test("output comes over two sockets where named pipes cannot be made", async () => {
  const exec = createLocalExec({ hostEnv: { TMPDIR: "/no/such/folder" }, workspace: folder, clock: systemClock });
  const { output, ...end } = await runForTest(exec, { cwd: folder }).bash("echo out; echo err >&2; head -c 1000000 /dev/zero");
  expect(end).toMatchObject({ exit_code: 0, ended_by: "exit", left_running_ended: 0 });
  expect(output.replaceAll("\0", "").split("\n").sort()).toEqual(["", "err", "out"]);
  expect(output.length).toBe(1_000_008);
  await exec.endAll();
});
