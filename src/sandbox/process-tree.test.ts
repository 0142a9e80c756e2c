import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Clock, systemClock } from "../base/clock.ts";
import { findIn } from "./command-path.ts";
import { type ProcessRow, type ProcessTable, psTable, systemProcessTable } from "./process-table.ts";
import { createProcessTree, FIRST_LOOK_MS } from "./process-tree.ts";
import { isAlive } from "./run-for-test.ts";

/** Whatever carries it is killed: never a word that another process could have. */
const randomMark = () => randomBytes(16).toString("hex");

/** Twenty times as fast, for what takes two seconds. */
const fastClock: Clock = {
  ...systemClock,
  monotonic: () => performance.now() * 20,
  timer: (ms, callback) => systemClock.timer(ms / 20, callback),
};

async function start(script: string, mark = "unmarked") {
  const child = spawn("bash", ["-c", script], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: "/usr/bin:/bin", MARK: mark },
  });
  const exited = once(child, "exit");
  const [printed] = await once(child.stdout, "data");
  const first = child.pid ?? expect.unreachable();
  return { child, exited, first, pids: String(printed).trim().split(" ").map(Number) };
}

/** A table of rows as `pid parent group session`. */
function tableOf(rows: () => string[] | null, marked: readonly number[] = []): ProcessTable {
  const row = (text: string): ProcessRow => {
    const [pid = 0, parent = 0, group = 0, session = 0] = text.split(" ").map(Number);
    return { pid, parent, group, session, started: "1", isEnding: false };
  };
  return {
    isQuick: true,
    mayHaveDescendants: () => true,
    rows: () => rows()?.map(row) ?? null,
    carries: (pid) => (marked.includes(pid) ? "yes" : "no"),
  };
}

describe("a process tree", () => {
  test("looks at `ps` where there is no /proc, and ends the group and what still has its parents", async (context) => {
    if (findIn([], "ps") === null) return context.skip();
    const { exited, first, pids } = await start("setsid sleep 30 & a=$!; sleep 30 & echo $a $!; wait");
    const tree = createProcessTree({ first, mark: randomMark(), table: psTable(), clock: systemClock });
    const [left] = await Promise.all([tree.end(), exited]);
    expect(left).toBe(2);
    expect([first, ...pids].filter(isAlive)).toEqual([]);
  });

  test("ends the group when the table cannot be read", async () => {
    const { exited, first, pids } = await start("trap '' TERM; sleep 30 & echo $!; wait; sleep 30");
    const tree = createProcessTree({ first, mark: randomMark(), table: tableOf(() => null), clock: fastClock });
    await Promise.all([tree.end(), exited]);
    // who was killed dies when it is its turn, and this clock does not wait for long
    await expect.poll(() => [first, ...pids].filter(isAlive), { timeout: 50_000 }).toEqual([]);
  });

  test("finds by its mark what has left the session and lost its parents", async () => {
    const mark = randomMark();
    const { exited, first, pids } = await start("setsid --wait bash -c 'sleep 30 & echo $!'", mark);
    await exited;
    const tree = createProcessTree({ first, mark, table: systemProcessTable(), clock: systemClock });
    expect(await tree.end()).toBe(1);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("does not take one for dead whose first thread has ended", async (context) => {
    if (findIn([], "python3") === null) return context.skip();
    const thread =
      "import ctypes, os, threading, time; threading.Thread(target=time.sleep, args=(60,)).start(); print(os.getpid(), flush=True)";
    const { exited, first } = await start(`exec python3 -c '${thread}; ctypes.CDLL(None).pthread_exit(None)'`);
    await expect.poll(() => readFileSync(`/proc/${first}/stat`, "latin1"), { timeout: 50_000 }).toMatch(/\) Z /);
    const tree = createProcessTree({ first, mark: randomMark(), table: systemProcessTable(), clock: systemClock });
    await Promise.all([tree.end(), exited]);
    expect(existsSync(`/proc/${first}`)).toBe(false);
  });

  test("finds again what it saw once, though session, parents and environment are gone", async () => {
    const { exited, first, child, pids } = await start("env -i setsid sleep 60 & echo $!; sleep 60", randomMark());
    const [daemon = 0] = pids;
    await expect.poll(() => readFileSync(`/proc/${daemon}/comm`, "utf8"), { timeout: 50_000 }).toBe("sleep\n");
    const looks: (() => void)[] = [];
    const tree = createProcessTree({ first, mark: randomMark(), table: systemProcessTable(), clock: { ...systemClock, timer: collect } });
    function collect(ms: number, callback: () => void): () => void {
      if (ms !== FIRST_LOOK_MS) return systemClock.timer(ms, callback);
      looks.push(callback);
      return () => {};
    }
    const unwatch = tree.watch();
    looks[0]?.();
    unwatch();
    child.kill("SIGKILL");
    await exited;
    expect(isAlive(daemon)).toBe(true);
    expect(await tree.end()).toBeGreaterThan(0);
    expect(isAlive(daemon)).toBe(false);
  });

  test("never touches processes that are not of its family", async () => {
    const { exited, first } = await start("echo 1; sleep 30");
    const stranger = await start("echo 1; sleep 30");
    const tree = createProcessTree({ first, mark: randomMark(), table: systemProcessTable(), clock: systemClock });
    await Promise.all([tree.end(), exited]);
    expect(isAlive(stranger.first)).toBe(true);
    stranger.child.kill("SIGKILL");
    await stranger.exited;
  });

  test("refuses a mark that other processes could carry by chance", () => {
    const options = { first: 99_000_000, table: tableOf(() => []), clock: systemClock };
    for (const mark of ["", "m", "PATH", "/usr/bin:/bin:/usr/local/bin:/usr/sbin"]) {
      expect(() => createProcessTree({ ...options, mark })).toThrow(TypeError);
    }
  });

  test("does not take a whole session for its own because one marked process is in it", async () => {
    // the numbers are far beyond those that exist; 1 is alive and leads the group and session of the marked one
    let looks = 0;
    const rows = ["99000001 1 1 1", "99000002 1 1 1", "99000003 99000001 1 1"];
    const table = tableOf(() => (looks++ === 0 ? rows : []), [99_000_001]);
    expect(await createProcessTree({ first: 99_000_000, mark: randomMark(), table, clock: systemClock }).end()).toBe(2);
  });
});
