import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildRoom } from "../testing/build-room.ts";
import { readSessionLog } from "./index.ts";

/** The room as a module that a bare Node can load: only a process of its own can be killed or have its disk filled. */
const folder = mkdtempSync(join(tmpdir(), "collet-log-process-"));
const writer = join(folder, "writer.mjs");

beforeAll(async () => {
  const room = await buildRoom("log", folder);
  writeFileSync(
    writer,
    `import { createSessionLog } from "./${room}";
    const [stateDir, workspace, sessionId, count, size] = process.argv.slice(2);
    let events = 0;
    const log = await createSessionLog({ stateDir, workspace, sessionId, ids: { event: () => "e" + events++ }, clock: { now: Date.now } });
    process.stdout.write("ready\\n");
    const failures = [];
    for (let n = 0; n < Number(count); n++) {
      try {
        log.append("user_message", { text: "x".repeat((n * 37) % Number(size)) });
      } catch ({ kind, details }) {
        failures.push({ kind, reason: details.reason, code: details.code });
        if (failures.length === 3) break;
      }
    }
    try {
      log.append("user_message", { text: "" });
    } catch ({ kind, details }) {
      failures.push({ kind, reason: details.reason, code: details.code });
    }
    console.log(JSON.stringify(failures));`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function place(name: string): { readonly args: string[]; readonly dir: () => string } {
  const workspace = join(folder, name);
  const stateDir = join(folder, `${name}-state`);
  mkdirSync(workspace);
  const dir = () => join(stateDir, "workspaces", readdirSync(join(stateDir, "workspaces"))[0] ?? "", "sessions", "s1");
  return { args: [writer, stateDir, workspace, "s1"], dir };
}

async function eventsOf(dir: string) {
  const seqs: (number | null)[] = [];
  const reading = readSessionLog(dir);
  let step = await reading.next();
  for (; !step.done; step = await reading.next()) seqs.push(step.value.seq);
  return { seqs, end: step.value };
}

const ready = (child: ChildProcess) => new Promise<void>((resolve) => child.stdout?.once("data", () => resolve()));
const exit = (child: ChildProcess) => new Promise<void>((resolve) => child.once("exit", () => resolve()));

describe("a writer that is killed in the middle of appending", () => {
  // five at a time, as each mostly waits for its process to start
  test.each([0, 1, 2, 3])("leaves every whole line and at most one torn one (%i)", async (round) => {
    await Promise.all(
      Array.from({ length: 5 }, async (_, index) => {
        const { args, dir } = place(`kill-${round}-${index}`);
        const child = spawn(process.execPath, [...args, "1e9", "2000"], { stdio: ["ignore", "pipe", "inherit"] });
        await ready(child);
        await new Promise((resolve) => setTimeout(resolve, round * 5 + index));
        child.kill("SIGKILL");
        await exit(child);
        const text = readFileSync(join(dir(), "log.ndjson"), "utf8");
        const whole = text.split("\n").slice(0, -1);
        const { seqs, end } = await eventsOf(dir());
        expect(seqs).toEqual(whole.map((_line, seq) => seq));
        const torn = text.length - (text.lastIndexOf("\n") + 1);
        expect(end.torn).toEqual(torn === 0 ? null : { dropped_bytes: torn, after_seq: seqs.length - 1 });
      }),
    );
  });
});

describe("a disk that is full", () => {
  // the limit on a file's size fails a write in the middle, as a full disk does, and needs no rights
  test("fails each append, leaves no torn line, and a smaller event still fits", async () => {
    const { args, dir } = place("full");
    const { stdout } = spawnSync("bash", ["-c", 'ulimit -f 16; exec "$@"', "bash", process.execPath, ...args, "1000", "4000"], {
      encoding: "utf8",
    });
    const failure = { kind: "log_write_failed", reason: "file_too_large", code: "EFBIG" };
    expect(JSON.parse(stdout.split("\n")[1] ?? "")).toEqual([failure, failure, failure]);
    const { seqs, end } = await eventsOf(dir());
    expect(seqs).toEqual(seqs.map((_, seq) => seq));
    expect(seqs.length).toBeGreaterThan(3);
    expect(end.torn).toBeNull();
  });
});

describe("a process that is over at once", () => {
  const short = join(folder, "short.mjs");
  beforeAll(() => {
    writeFileSync(
      short,
      `import { createSessionLog } from "./log.mjs";
      const [stateDir, workspace, sessionId, end] = process.argv.slice(2);
      const log = await createSessionLog({
        stateDir,
        workspace,
        sessionId,
        ids: { event: () => "e" },
        // however slow this machine is, a second is not over
        clock: { now: Date.now, timer: () => () => {} },
      });
      log.append("user_message", { text: "" });
      if (end === "close") await log.close();
      process.exit(0);`,
    );
  });

  test("prunes old spills before it ends, also where one before it was ended in the middle of that", () => {
    const { args, dir } = place("prune");
    const [, stateDir = "", workspace = ""] = args;
    const run = (sessionId: string, end: string) =>
      spawnSync(process.execPath, [short, stateDir, workspace, sessionId, end], { stdio: ["ignore", "ignore", "inherit"] }).status;
    expect(run("s1", "close")).toBe(0);
    const longAgo = Date.now() / 1000 - 400 * 24 * 3600;
    utimesSync(join(stateDir, "spills-pruned"), longAgo, longAgo);
    const spills = Array.from({ length: 30 }, (_, index) => {
      const session = join(dir(), "..", `old-${index}`);
      mkdirSync(join(session, "spill"), { recursive: true, mode: 0o700 });
      const spill = join(session, "spill", "c1.txt");
      writeFileSync(spill, "x");
      utimesSync(spill, longAgo, longAgo);
      return spill;
    });
    const left = () => spills.filter((path) => existsSync(path)).length;
    expect(run("s2", "no close")).toBe(0);
    expect(left()).toBe(30);
    expect(run("s3", "close")).toBe(0);
    expect(left()).toBe(0);
  });
});
