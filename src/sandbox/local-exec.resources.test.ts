import { getEventListeners } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { createLocalExec } from "./local-exec.ts";
import type { ExecEnd } from "./port.ts";
import { isAlive, runForTest } from "./run-for-test.ts";

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "collet-resources-")));
});
afterAll(() => rmSync(folder, { recursive: true }));
const create = () => createLocalExec({ hostEnv: { PATH: "/usr/bin:/bin", TMPDIR: folder }, workspace: folder, clock: systemClock });

/** Processes of which we are the parent, zombies too. */
function children(): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === process.pid;
    } catch {
      return false;
    }
  });
}

test("two hundred commands leave no process, descriptor, listener or file", { timeout: 60_000 }, async () => {
  const { signal } = new AbortController();
  const eight = (command: () => Promise<unknown>) => Promise.all(Array.from({ length: 8 }, command));
  const held = () => ({
    descriptors: readdirSync("/proc/self/fd").length,
    children: children(),
    listeners: getEventListeners(signal, "abort").length,
    files: readdirSync(folder),
  });
  // what Node itself opens at the first start of a process stays
  const first = create();
  await runForTest(first, { cwd: folder }).run(["true"]);
  await first.endAll();
  const before = held();

  const local = create();
  const { run, bash } = runForTest(local, { cwd: folder });
  for (let round = 0; round < 22; round++) await eight(() => run(["echo", "x"], { signal }));
  await eight(() => bash("sleep 300 & exit 0", { signal }));
  await eight(() => run(["no-such-program"], { signal }).catch(() => {}));
  await eight(() => run(["yes"], { signal, maxOutputBytes: 10 }));
  await local.endAll();
  await new Promise(setImmediate);
  expect(held()).toEqual(before);
});

test("200 MB of output take no memory", { timeout: 30_000 }, async () => {
  const local = create();
  const { run } = runForTest(local, { cwd: folder });
  let bytes = 0;
  let peak = 0;
  const onOutput = (part: Uint8Array) => {
    bytes += part.length;
    if (bytes % (1 << 20) < 65_536) peak = Math.max(peak, process.memoryUsage.rss());
  };
  await run(["head", "-c", "20000000", "/dev/zero"], { onOutput });
  const idle = process.memoryUsage.rss();
  [bytes, peak] = [0, 0];
  expect(await run(["head", "-c", "200000000", "/dev/zero"], { onOutput })).toMatchObject({ exit_code: 0 });
  expect(bytes).toBe(200_000_000);
  expect(peak - idle).toBeLessThan(40 * 2 ** 20);
  await local.endAll();
});

test("the end of all ends every running command and starts no more", async () => {
  const local = create();
  const { bash } = runForTest(local, { cwd: folder });
  const started: Promise<ExecEnd>[] = [];
  for (const command of ["echo up; sleep 300", "setsid sleep 300 & echo up; sleep 300"]) {
    await new Promise<void>((resolve) => started.push(bash(command, { onOutput: () => resolve() })));
  }
  await local.endAll();
  expect(await Promise.all(started)).toMatchObject([{ ended_by: "cancel" }, { ended_by: "cancel" }]);
  expect(await bash("echo x")).toMatchObject({ ended_by: "cancel", exit_code: null, output: "" });
  expect(children()).toEqual([]);
});

test("when this process ends, KILL reaches all that a command has started", async () => {
  const local = create();
  const { bash } = runForTest(local, { cwd: folder });
  const parts: string[] = [];
  const end = await bash(`trap "" TERM; setsid sleep 300 & echo $!; sleep 300`, {
    onOutput(bytes) {
      parts.push(Buffer.from(bytes).toString());
      local.killNow();
    },
  });
  expect(end).toMatchObject({ exit_code: null, signal: "SIGKILL" });
  const sleeper = Number(parts.join(""));
  expect(sleeper).toBeGreaterThan(1);
  expect(isAlive(sleeper)).toBe(false);
});
