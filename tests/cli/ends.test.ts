import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModelServer, type ModelServer, type ModelServerStep } from "../../src/testing/model-server.ts";
import { BIN, environment, jsonLines, makePlace, type Place, start } from "./harness.ts";
import { hasPty, openPty } from "./pty.ts";

let place: Place;
let server: ModelServer;
beforeEach(() => {
  place = makePlace({ "a.txt": "one\n" });
});
afterEach(async () => {
  await server?.close();
  place.remove();
});

async function run(steps: readonly ModelServerStep[]): Promise<readonly string[]> {
  server = await createModelServer({ steps });
  return ["run", "--model", "openai-compatible/scripted", "--base-url", server.baseUrl];
}

/** All logs of the place, each as its events. */
function logs() {
  const files = existsSync(place.state) ? readdirSync(place.state, { recursive: true, encoding: "utf8" }) : [];
  return files.filter((file) => file.endsWith("log.ndjson")).map((file) => jsonLines(readFileSync(path.join(place.state, file), "utf8")));
}

const proc = (pid: number | undefined, file: string) => readFileSync(`/proc/${pid}/${file}`, "utf8");
const memoryKb = (pid: number | undefined) => Number(/VmHWM:\s+(\d+)/.exec(proc(pid, "status"))?.[1]);
/** User and system time, fields 14 and 15, counted behind the name. */
const workOf = (pid: number | undefined) =>
  proc(pid, "stat")
    .replace(/^.*\) /, "")
    .split(" ")
    .slice(11, 13)
    .join(" ");

/** Waits until a process has done nothing for a second. */
async function rests(pid: number | undefined): Promise<void> {
  for (let before = "", now = workOf(pid); before !== now; now = workOf(pid)) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

describe("a reader that sleeps", () => {
  const text = "abcdefgh".repeat(30_000);

  test("holds up a flood of events, which takes no memory meanwhile, and gets all of it then", async () => {
    const { child, ended, said } = start([...(await run([{ text }])), "--json", "Go"], { place });
    await said('"text_delta"');
    child.stdout?.pause();
    const before = memoryKb(child.pid);
    await rests(child.pid);
    expect(memoryKb(child.pid) - before).toBeLessThan(60_000);
    expect(logs().flat().at(-1)).toMatchObject({ type: "model_request" });
    child.stdout?.resume();
    const { status, stdout } = await ended;
    const deltas = [...stdout.matchAll(/"type":"text_delta","data":\{"text":"(\w*)"/g)].map(([, piece]) => piece);
    expect({ status, isWhole: deltas.join("") === text }).toEqual({ status: 0, isWhole: true });
    expect(stdout.trimEnd().split("\n").at(-1)).toContain('"turn_ended"');
  });

  test("is not waited for after an interrupt", async () => {
    const { child, ended, said } = start([...(await run([{ text }])), "--json", "Go"], { place });
    await said('"text_delta"');
    child.stdout?.pause();
    await rests(child.pid);
    const isOver = new Promise((resolve) => child.on("exit", resolve));
    child.kill("SIGTERM");
    expect(await isOver).toBe(143);
    child.stdout?.resume();
    await ended;
    expect(logs().flat().at(-1)).toMatchObject({ type: "turn_ended", data: { status: "interrupted" } });
  });
});

describe("output that cannot be written", () => {
  test.each([
    ["the events", "--json Go > /dev/full", true],
    ["the answer", "Go > /dev/full", true],
    ["all of it", "Go > /dev/full 2>&1", false],
  ])("is a failure of its own: %s", async (_, line, isTold) => {
    const command = `"${process.execPath}" "${BIN}" ${(await run([{ text: "The end." }])).join(" ")} ${line}`;
    const { status, stderr } = await shell(command);
    expect(status).toBe(6);
    expect(stderr.match(/^collet: standard output cannot be written: .*\(write_failed\)$/gm) ?? []).toHaveLength(isTold ? 1 : 0);
  });

  test("is told beside the failure of a call", async () => {
    const command = `"${process.execPath}" "${BIN}" call read --args '{"path":"nowhere"}' > /dev/full`;
    expect(await shell(command)).toMatchObject({ status: 6, stderr: expect.stringContaining("(write_failed)") });
  });

  test("where nobody reads is no failure", async () => {
    const command = `"${process.execPath}" "${BIN}" ${(await run([{ text: "The end." }])).join(" ")} --json Go | true; exit \${PIPESTATUS[0]}`;
    expect(await shell(command)).toEqual({ status: 141, stdout: "", stderr: "" });
  });
});

describe("a log that breaks", () => {
  // a file may have 8 KiB, as on a disk that is full
  const small = (line: string) => shell(`trap '' XFSZ; ulimit -f 8; "${process.execPath}" "${BIN}" ${line}`);
  const calls = Array.from({ length: 40 }, (_, index) => `{"id":${index},"tool":"bash","args":{"command":"echo ${index}"}}`).join("\n");

  test("is told once by a turn, with the exit status of its kind", async () => {
    const steps = Array.from({ length: 40 }, () => ({ calls: [{ name: "bash", args: { command: "true" } }] }));
    const { status, stderr } = await small(`${(await run(steps)).join(" ")} --auto --quiet Go`);
    expect({ status, told: stderr.match(/^collet: /gm)?.length }).toEqual({ status: 5, told: 1 });
    expect(stderr).toContain("(log_write_failed)");
  });

  test("leaves one answer to each line of a batch", async () => {
    writeFileSync(path.join(place.root, "calls"), calls);
    const { stdout, stderr } = await small("call --batch < ../calls");
    const answers = jsonLines(stdout);
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    expect(answers.at(-1)).toMatchObject({ ok: false, error: { kind: "log_write_failed" } });
    expect(stderr).toBe("");
  });
});

/** The model server lives in this process, which goes on meanwhile. */
async function shell(line: string) {
  const child = spawn("bash", ["-c", line], { cwd: place.workspace, env: environment(place), stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text) => {
      said[name] += text;
    });
  }
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { status, ...said };
}

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s while standard input is read is exit status %i", async (signal, status) => {
  for (const command of [
    ["run", "Review", "-"],
    ["call", "read"],
  ]) {
    const { child, ended } = start(command, { place, stdin: { open: true } });
    // the lowest bit of the mask is SIGHUP, which nobody but the command catches
    await expect
      .poll(() => Number(`0x${/SigCgt:\s+[0-9a-f]*([0-9a-f])\n/.exec(proc(child.pid, "status"))?.[1]}`) & 1, { timeout: 30_000 })
      .toBe(1);
    child.kill(signal);
    const { status: given, stdout, stderr } = await ended;
    expect(given).toBe(status);
    expect(stdout + stderr).toContain("cancelled");
  }
});

describe.skipIf(!hasPty)("a terminal that is gone", () => {
  const BASH: readonly ModelServerStep[] = [
    { calls: [{ name: "bash", args: { command: "echo $$ > pid; sleep 300" } }] },
    { text: "The end." },
  ];

  test.each([
    ["at a question", [], "allow once"],
    ["while a command runs", ["--auto"], "… running"],
  ])("ends the turn in good order: %s", async (_, flags, sign) => {
    const { shows, hangUp, end } = openPty([process.execPath, BIN, ...(await run(BASH)), ...flags, "Go"], { place });
    await shows(sign);
    hangUp();
    expect((await end()).status).toBe(129);
    expect(logs()).toEqual([expect.arrayContaining([expect.objectContaining({ type: "turn_ended" })])]);
    expect(logs().flat().at(-1)).toMatchObject({ data: { status: "interrupted", error: { kind: "cancelled" } } });
  });

  test("ends it in good order also when a shell passes the news on", async () => {
    const collet = [process.execPath, BIN, ...(await run(BASH)), "--auto", "Go"].map((word) => `'${word}'`).join(" ");
    const script = `trap 'kill -HUP $child; kill -HUP $child' HUP; ${collet} < /dev/tty & child=$!; wait $child; wait $child; echo $? > status`;
    const { shows, hangUp, end } = openPty(["bash", "-c", script], { place });
    await shows("… running");
    hangUp();
    await end();
    expect(readFileSync(path.join(place.workspace, "status"), "utf8")).toBe("129\n");
    expect(logs().flat().at(-1)).toMatchObject({ type: "turn_ended", data: { status: "interrupted" } });
  });
});
