import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Clock, systemClock } from "../base/clock.ts";
import { createLocalExec, type LocalExec } from "./local-exec.ts";
import { HELD_MS, heldClock, isAlive, runForTest } from "./run-for-test.ts";

type Run = ReturnType<typeof runForTest>;

/** A hundred times as slow: what it waits for comes first on any machine. */
const slowClock: Clock = {
  ...systemClock,
  monotonic: () => performance.now() / 100,
  timer: (ms, callback) => systemClock.timer(ms * 100, callback),
};

let folder: string;
let local: LocalExec;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "collet-end-")));
  local = createLocalExec({ hostEnv: { PATH: "/usr/bin:/bin", TMPDIR: folder }, workspace: folder, clock: systemClock });
});
afterAll(async () => {
  await local.endAll();
  rmSync(folder, { recursive: true });
});
const bash: Run["bash"] = (command, more) => runForTest(local, { cwd: folder }).bash(command, more);

/** Lets the time limit run out when the command has printed `word`. */
async function bashUntil(word: string, command: string) {
  const clock = heldClock();
  const held = createLocalExec({ hostEnv: { PATH: "/usr/bin:/bin", TMPDIR: folder }, workspace: folder, clock });
  let output = "";
  const onOutput = (bytes: Uint8Array) => {
    output += Buffer.from(bytes).toString();
    if (output.includes(word)) clock.release();
  };
  const end = await runForTest(held, { cwd: folder }).bash(command, { timeoutMs: HELD_MS, onOutput });
  await held.endAll();
  return { ...end, output };
}

/** The command writes the numbers of its processes there, one a line. */
function stillAlive(file: string): number[] {
  const pids = readFileSync(join(folder, file), "utf8").trim().split("\n").map(Number);
  expect(pids.every((pid) => pid > 1)).toBe(true);
  return pids.filter(isAlive);
}

/** Descendants of every kind, each of which writes its number and then lasts for a minute. */
const FAMILY = `
  note() { echo $BASHPID >> "$1"; exec sleep 60; }
  export -f note
  (note "$F") &
  setsid bash -c 'note "$F"' &
  nohup bash -c 'note "$F"' >/dev/null 2>&1 &
  (setsid bash -c '(while [ -e /proc/$$ ]; do sleep 0.01; done; note "$F") & exit' >/dev/null 2>&1 </dev/null &)
  (trap "" TERM HUP INT; note "$F") &
  (echo $BASHPID >> "$F"; kill -STOP $BASHPID; exec sleep 60) &
  until [ "$(wc -l < "$F" 2>/dev/null || echo 0)" -ge 6 ]; do sleep 0.01; done
`;

describe.concurrent("the end of a command", () => {
  test("by its time limit ends every descendant, also those that left the group, ignore TERM or are stopped", async () => {
    const end = await bashUntil("ready", `echo before; F=timeout; export F; ${FAMILY} echo ready; wait`);
    expect(end).toMatchObject({
      exit_code: null,
      signal: "SIGTERM",
      ended_by: "timeout",
      output: "before\nready\n",
      left_running_ended: 0,
    });
    expect(stillAlive("timeout")).toEqual([]);
  });

  test("by an abort does the same", async () => {
    const controller = new AbortController();
    const onOutput = () => controller.abort();
    const end = await bash(`F=abort; export F; ${FAMILY} echo ready; wait`, { signal: controller.signal, onOutput });
    expect(end).toMatchObject({ exit_code: null, ended_by: "cancel" });
    expect(stillAlive("abort")).toEqual([]);
  });

  test("lets no shell go on with its next command", async () => {
    const controller = new AbortController();
    let ready = 0;
    const onOutput = () => {
      if (++ready === 8) controller.abort();
    };
    const script = (at: number) => `echo up; sleep 300; touch went-on-${at}; sleep 300`;
    const ends = await Promise.all(Array.from({ length: 8 }, (_, at) => bash(script(at), { signal: controller.signal, onOutput })));
    expect(ends.every((end) => end.ended_by === "cancel")).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith("went-on"))).toEqual([]);
  });

  test("by itself ends what it left behind, and counts it", async () => {
    const end = await bash(`F=left; export F; ${FAMILY} echo done; exit 5`);
    expect(end).toMatchObject({ exit_code: 5, ended_by: "exit", output: "done\n" });
    expect(end.left_running_ended).toBe(6);
    expect(stillAlive("left")).toEqual([]);
  });

  test("does not wait for children that hold the pipe", async () => {
    const end = await bash("setsid sleep 300 & sleep 300 & echo started");
    expect(end).toMatchObject({ exit_code: 0, ended_by: "exit", left_running_ended: 2, output: "started\n" });
  });

  test("takes what comes soon after the first process has exited", async () => {
    // the clock of this one goes so slowly that the child is in time on any machine; it waits until its parent has been collected
    const slow = createLocalExec({ hostEnv: { PATH: "/usr/bin:/bin", TMPDIR: folder }, workspace: folder, clock: slowClock });
    const command = "(while [ -e /proc/$$ ]; do sleep 0.01; done; echo late) & echo early";
    expect(await runForTest(slow, { cwd: folder }).bash(command)).toMatchObject({
      exit_code: 0,
      output: "early\nlate\n",
      left_running_ended: 0,
    });
    await slow.endAll();
  });

  test("takes the last words of what it ends", async () => {
    const end = await bash(
      `
      (trap 'echo bye; exit' TERM; touch "$F"; while :; do sleep 0.01; done) &
      until [ -e "$F" ]; do sleep 0.01; done
      echo early`,
      { env: { F: join(folder, "last-words") } },
    );
    expect(end).toMatchObject({ exit_code: 0, ended_by: "exit", output: expect.stringMatching(/^early\n(.*Terminated.*\n)*bye\n/) });
    expect(end.left_running_ended).toBeGreaterThan(0);
  });

  test("does not wait for a child that never stops printing", async () => {
    const end = await bash("yes & exit 0", { onOutput: () => {}, maxOutputBytes: Number.MAX_SAFE_INTEGER });
    expect(end).toMatchObject({ exit_code: 0, ended_by: "exit", left_running_ended: 1 });
  });

  test("comes in time however much is printed", async () => {
    const end = await bash("yes", { timeoutMs: 400, onOutput: () => {}, maxOutputBytes: Number.MAX_SAFE_INTEGER });
    expect(end).toMatchObject({ ended_by: "timeout", signal: "SIGTERM" });
  });

  test("comes in time though nobody takes the output", async () => {
    const end = await bash("yes", { timeoutMs: 200, onOutput: () => new Promise(() => {}) });
    expect(end).toMatchObject({ ended_by: "timeout" });
  });

  test("comes when there is more output than allowed, and not a byte of it is handed on", async () => {
    const end = await bash("yes", { maxOutputBytes: 100_001 });
    expect(end.ended_by).toBe("limit");
    expect(end.output).toBe(`${"y\n".repeat(50_000)}y`);
    expect(await bash("printf 12345", { maxOutputBytes: 5 })).toMatchObject({ ended_by: "exit", output: "12345" });
    expect(await bash("printf 123456", { maxOutputBytes: 5 })).toMatchObject({ ended_by: "limit", output: "12345" });
  });

  test("keeps the exit status of one that ends by itself on TERM", async () => {
    const end = await bashUntil("up", "trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.01; done");
    expect(end).toMatchObject({
      exit_code: 7,
      signal: null,
      ended_by: "timeout",
      output: expect.stringMatching(/^up\n(Terminated\n)*bye\n$/),
    });
  });

  test("is not brought about by a time limit that no timer can hold", async () => {
    expect(await bash("sleep 0.05; echo ok", { timeoutMs: 99_999_999_999 })).toMatchObject({ ended_by: "exit", output: "ok\n" });
  });

  test("does not touch other commands that run at the same time", async () => {
    const go = join(folder, "other-goes-on");
    const other = bash(`until [ -e ${go} ]; do sleep 0.01; done; echo other`);
    await bash("sleep 300 & exit 0");
    writeFileSync(go, "");
    expect(await other).toMatchObject({ exit_code: 0, output: "other\n", left_running_ended: 0 });
  });
});

describe.concurrent("output", () => {
  test("waits until the last piece was taken", async () => {
    let isBusy = false;
    const sizes: number[] = [];
    const end = await bash("head -c 1000000 /dev/zero", {
      async onOutput(bytes) {
        expect(isBusy).toBe(false);
        isBusy = true;
        sizes.push(bytes.length);
        await new Promise(setImmediate);
        isBusy = false;
      },
    });
    expect(end).toMatchObject({ exit_code: 0, ended_by: "exit" });
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_000_000);
  });

  test.each([
    [
      "throws",
      () => () => {
        throw new Error("no");
      },
    ],
    [
      "rejects",
      () => async () => {
        throw new Error("no");
      },
    ],
  ])("ends the command when taking it %s", async (name, onOutput) => {
    const file = join(folder, `fault-${name}`);
    await expect(bash(`echo x; sleep 300; touch ${file}`, { onOutput: onOutput() })).rejects.toThrow("no");
    expect(existsSync(file)).toBe(false);
  });
});
