import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildRoom } from "../testing/build-room.ts";

/** The room as a module that a bare Node can load: what a process is started with, only its starter can say. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), "collet-exec-process-")));
const runner = join(folder, "runner.mjs");

beforeAll(async () => {
  const room = await buildRoom("sandbox", folder);
  writeFileSync(
    runner,
    `import { closeSync, openSync } from "node:fs";
    import { localSandbox } from "./${room}";
    const [workspace, tmp, command, spare] = process.argv.slice(2);
    const clock = {
      now: Date.now,
      monotonic: () => performance.now(),
      timer: (ms, callback) => { const timer = setTimeout(callback, ms); return () => clearTimeout(timer); },
    };
    const sandbox = await localSandbox({ workspace, home: null, hostEnv: { PATH: process.env.PATH, TMPDIR: tmp }, clock });
    const held = [];
    if (spare !== undefined) {
      try { for (;;) held.push(openSync("/dev/null")); } catch {}
      for (const fd of held.splice(0, Number(spare))) closeSync(fd);
    }
    const parts = [];
    const request = { argv: ["bash", "-c", command], cwd: workspace, env: {}, timeoutMs: 20_000, maxOutputBytes: 1e6 };
    const onOutput = (bytes) => { parts.push(Buffer.from(bytes).toString()); };
    let told;
    try {
      told = await sandbox.exec({ ...request, signal: new AbortController().signal, onOutput });
    } catch ({ kind, details, message }) {
      told = { kind, details, message };
    }
    for (const fd of held) closeSync(fd);
    await sandbox.endAll();
    console.log(JSON.stringify({ told, output: parts.join("") }));`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the one who runs the tests has left open. */
const CLOSE = 'for fd in $(ls /proc/$$/fd); do [ $fd -gt 2 ] && eval "exec $fd>&-"; done';

function run(before: string, args: readonly string[]) {
  const { stdout, stderr } = spawnSync("bash", ["-c", `${CLOSE}; ${before}; exec "$@"`, "bash", process.execPath, runner, ...args], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("what Collet was started with open does not reach a command", () => {
  writeFileSync(join(folder, "private"), "private");
  const opened = `exec 3<${folder}/private 9<${folder}/private 63<${folder}/private 200>>${folder}/private`;
  const { output } = run(opened, [folder, folder, "for fd in /proc/$$/fd/*; do echo $(basename $fd) $(readlink $fd); done"]);
  expect(output).not.toContain("private");
  const found = Object.fromEntries(
    output
      .trim()
      .split("\n")
      .map((line: string) => line.split(" ")),
  );
  expect(found).toMatchObject({ 0: "/dev/null", 63: "/dev/null", 200: "/dev/null" });
});

test("where descriptors run out, a command fails as it should or runs, and leaves no folder", () => {
  const kinds = new Set<string>();
  for (const spare of [0, 1, 2, 4, 7, 10, 30]) {
    const tmp = join(folder, `tmp-${spare}`);
    mkdirSync(tmp);
    const { told, output } = run("ulimit -n 120", [folder, tmp, "echo hi", String(spare)]);
    expect(readdirSync(tmp)).toEqual([]);
    kinds.add(told.kind ?? "ran");
    if (told.kind === undefined) expect(output).toBe("hi\n");
    else expect(told).toMatchObject({ kind: "command_failed", details: { program: "bash", reason: "no_resources", code: "EMFILE" } });
  }
  expect([...kinds].sort()).toEqual(["command_failed", "ran"]);
});
