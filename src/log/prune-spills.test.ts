import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { logFixture } from "./log-fixture.ts";
import { pruneSpills } from "./prune-spills.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
const NOW_MS = Date.UTC(2026, 5, 1);

let stateDir: string;
beforeEach(() => {
  stateDir = realpathSync(mkdtempSync(join(tmpdir(), "collet-prune-")));
});
afterEach(() => rmSync(stateDir, { recursive: true }));

const at = (path: string, daysAgo: number) => {
  const seconds = (NOW_MS - daysAgo * DAY_MS) / 1000;
  utimesSync(path, seconds, seconds);
};

/** A session with one spill of 100 bytes. Returns the spill's path. */
function session(name: string, { spillDays, logDays }: { spillDays: number; logDays: number }): string {
  const [key = "", id = ""] = name.split("/");
  const dir = join(stateDir, "workspaces", key.padEnd(16, "0"), "sessions", id);
  mkdirSync(join(dir, "spill"), { recursive: true, mode: 0o700 });
  writeFileSync(join(dir, "log.ndjson"), "");
  at(join(dir, "log.ndjson"), logDays);
  const spill = join(dir, "spill", "c1.txt");
  writeFileSync(spill, "x".repeat(100));
  at(spill, spillDays);
  return spill;
}

describe("spills", () => {
  test("that are older than 30 days go, in every workspace, and nothing else goes", async () => {
    const spills = [
      session("a/old", { spillDays: 31, logDays: 31 }),
      session("b/old", { spillDays: 300, logDays: 2 }),
      session("a/young", { spillDays: 29, logDays: 29 }),
      session("a/used", { spillDays: 60, logDays: 0.5 }),
    ];
    await pruneSpills(stateDir, { nowMs: NOW_MS });
    expect(spills.map((path) => existsSync(path))).toEqual([false, false, true, true]);
    expect(readdirSync(join(stateDir, "workspaces", "a".padEnd(16, "0"), "sessions", "old")).sort()).toEqual(["log.ndjson", "spill"]);
  });

  test("go, the oldest first, until they take no more than they may", async () => {
    const spills = [4, 2, 3].map((days) => session(`a/s${days}`, { spillDays: days, logDays: days }));
    const used = session("a/used", { spillDays: 9, logDays: 0 });
    await pruneSpills(stateDir, { nowMs: NOW_MS, maxTotalBytes: 250 });
    expect([...spills, used].map((path) => existsSync(path))).toEqual([false, true, false, true]);
  });

  test("are looked at once a day", async () => {
    await pruneSpills(stateDir, { nowMs: NOW_MS - DAY_MS / 2 });
    const spill = session("a/old", { spillDays: 40, logDays: 40 });
    await pruneSpills(stateDir, { nowMs: NOW_MS });
    expect(existsSync(spill)).toBe(true);
    await pruneSpills(stateDir, { nowMs: NOW_MS + DAY_MS });
    expect(existsSync(spill)).toBe(false);
  });

  test("are not looked for through links, and a state folder that is not there is left so", async () => {
    const elsewhere = join(stateDir, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o700 });
    writeFileSync(join(elsewhere, "c1.txt"), "mine");
    at(join(elsewhere, "c1.txt"), 99);
    const spill = session("a/s", { spillDays: 99, logDays: 99 });
    rmSync(join(spill, ".."), { recursive: true });
    symlinkSync(elsewhere, join(spill, ".."));
    await pruneSpills(stateDir, { nowMs: NOW_MS });
    expect(readdirSync(elsewhere)).toEqual(["c1.txt"]);
    await pruneSpills(join(stateDir, "gone"), { nowMs: NOW_MS });
    expect(existsSync(join(stateDir, "gone"))).toBe(false);
  });

  test("are left to a start an hour later where the first is over before they are pruned", async () => {
    const spills = [session("a/old", { spillDays: 40, logDays: 40 }), session("a/large", { spillDays: 2, logDays: 2 })];
    const over = new AbortController();
    const pruning = pruneSpills(stateDir, { nowMs: NOW_MS, maxTotalBytes: 0, signal: over.signal });
    over.abort();
    await pruning;
    await pruneSpills(stateDir, { nowMs: NOW_MS + HOUR_MS - 1, maxTotalBytes: 0 });
    expect(spills.map((path) => existsSync(path))).toEqual([true, true]);
    await pruneSpills(stateDir, { nowMs: NOW_MS + HOUR_MS, maxTotalBytes: 0 });
    expect(spills.map((path) => existsSync(path))).toEqual([false, false]);
  });

  test("are pruned beside a session that is not safe to go into", async () => {
    const odd = session("a/0", { spillDays: 40, logDays: 40 });
    const old = session("a/1", { spillDays: 40, logDays: 40 });
    chmodSync(join(odd, ".."), 0o777);
    await pruneSpills(stateDir, { nowMs: NOW_MS });
    expect([odd, old].map((path) => existsSync(path))).toEqual([true, false]);
  });

  test("are pruned when a session is over that was opened", async () => {
    const fixture = logFixture();
    mkdirSync(fixture.stateDir, { recursive: true, mode: 0o700 });
    stateDir = fixture.stateDir;
    const spill = session("a/old", { spillDays: 3650, logDays: 3650 });
    await (await fixture.open()).close();
    expect(existsSync(spill)).toBe(false);
  });
});
