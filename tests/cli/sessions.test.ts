import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModelServer } from "../../src/testing/model-server.ts";
import { collet, environment, jsonLines, makePlace, type Place } from "./harness.ts";

let place: Place;
beforeEach(() => {
  place = makePlace({ "a.txt": "one\n" });
});
afterEach(() => place.remove());

async function turn(prompt: string, text = "The end."): Promise<string> {
  const server = await createModelServer({ steps: [{ calls: [{ name: "read", args: { path: "a.txt" } }] }, { text }] });
  const args = ["run", "--json", "--model", "openai-compatible/x", "--base-url", server.baseUrl, prompt];
  const { stdout } = await collet(args, { place });
  await server.close();
  return jsonLines(stdout)[0].session_id;
}

function logOf(id: string): string {
  const workspaces = path.join(place.state, "workspaces");
  const [key = ""] = readdirSync(workspaces);
  return path.join(workspaces, key, "sessions", id, "log.ndjson");
}

const sessions = (...args: string[]) => collet(["sessions", ...args], { place });

describe("sessions", () => {
  test("lists conversations newest first, and single calls only with --all", async () => {
    const first = await turn("The first\u001b[31m");
    const second = await turn("The second\n");
    await collet(["call", "read", "--args", '{"path":"a.txt"}'], { place });
    const { status, stdout } = await sessions();
    expect(status).toBe(0);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      [second, expect.any(String), "done", "The second"],
      [first, expect.any(String), "done", "The first\\x1b[31m"],
      [""],
    ]);
    const [{ ok, sessions: all }] = jsonLines((await sessions("--all", "--json")).stdout);
    expect({ ok, all }).toMatchObject({ ok: true, all: [{ content: "calls" }, { id: second }, { id: first }] });
  });

  test("of single calls say with --all what was called, and how it ended", async () => {
    const call = (tool: string, args: object) => collet(["call", tool, "--args", JSON.stringify(args)], { place });
    await call("read", { offset: 1, path: "a.txt" });
    await call("read", { path: "b\u001b[2J" });
    await call("bash", { command: `exit 3 # ${"x".repeat(500)}` });
    await collet(["call", "--batch"], { place, stdin: '{"tool":"read","args":{"path":"a.txt"}}\n'.repeat(2) });
    const { stdout } = await sessions("--all");
    const rows = stdout.split("\n").slice(0, -1);
    expect(rows.map((row) => row.slice(row.indexOf("calls") + 5).trim())).toEqual([
      "read a.txt  ok (first of 2)",
      expect.stringMatching(/^bash exit 3 # x+… {2}exit 3$/),
      "read b\\x1b[2J  not_found",
      "read a.txt  ok",
    ]);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(120);
  });

  test("are those of this workspace", async () => {
    await turn("Here");
    const elsewhere = await collet(["sessions", "-C", place.home], { place });
    expect(elsewhere).toMatchObject({ status: 0, stdout: "", stderr: expect.stringContaining("no sessions") });
  });
});

test("a mistyped subcommand is told as that", async () => {
  const { status, stderr } = await sessions("shwo", "last");
  expect(status).toBe(2);
  expect(stderr).toMatch(/no subcommand "shwo".*\bshow\b/);
});

describe("sessions show", () => {
  test("shows a session as a person reads it: by id, by the start of it, or the last", async () => {
    const id = await turn("What is in a.txt?", "One.\u202e");
    const { status, stdout, stderr } = await sessions("show", id);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const part of ["> What is in a.txt?", "● read path=a.txt", "allowed by the mode", "One.\\u{202e}", "done"])
      expect(stdout).toContain(part);
    for (const which of [id.slice(0, -2), "last"]) expect((await sessions("show", which)).stdout).toBe(stdout);
  });

  test("prints the events as they were logged with --json", async () => {
    const id = await turn("Hi");
    for (const args of [
      ["show", id, "--json"],
      ["--json", "show", id],
    ]) {
      expect((await sessions(...args)).stdout).toBe(readFileSync(logOf(id), "utf8"));
    }
  });

  test.each([
    ["nothing", "not_found", 6],
    ["../../etc", "invalid_args", 2],
    ["last", "not_found", 6],
  ])("%s is %s", async (id, kind, exit) => {
    const { status, stdout, stderr } = await sessions("show", id, "--json");
    expect({ status, stdout }).toEqual({ status: exit, stdout: "" });
    expect(jsonLines(stderr)).toMatchObject([{ ok: false, error: { kind } }]);
  });

  test("names this workspace's own sessions first to someone who named none, with the flags that lead there", async () => {
    const own = await turn("Mine");
    const stranger = path.join(place.root, "other ws");
    mkdirSync(stranger);
    await collet(["call", "bash", "--args", '{"command":":"}', "-C", stranger], { place });
    const { stderr } = await collet(["sessions", "show", "nothing", "-C", "ws", "--state-dir", "state"], { place, cwd: place.root });
    const tries = stderr.split("\n").slice(1, -1);
    expect(tries).toHaveLength(2);
    expect(tries[0]).toMatch(new RegExp(`sessions show ${own} -C ws --state-dir state$`));
    for (const line of tries) {
      const again = spawnSync("bash", ["-c", line.replace("  try: ", "")], { cwd: place.root, env: environment(place) });
      expect({ line, status: again.status }).toEqual({ line, status: 0 });
    }
    const ambiguous = await collet(["sessions", "show", own.slice(0, 1), "-C", place.workspace], { place });
    expect(ambiguous.stderr).toMatch(new RegExp(`^.*\\(invalid_args\\)\n {2}try: .* ${own} -C .*\n`));
  });

  test("passes a damaged line over, shows the rest, and says so", async () => {
    const id = await turn("Hi");
    const lines = readFileSync(logOf(id), "utf8").split("\n");
    writeFileSync(logOf(id), [...lines.slice(0, 2), "{broken", ...lines.slice(3)].join("\n"));
    const { status, stdout, stderr } = await sessions("show", id);
    expect({ status, stderr }).toEqual({ status: 5, stderr: expect.stringContaining("(corrupt_log_line)") });
    expect(stdout).toContain("The end.");
  });

  test("tells of a log that was altered, of a turn and of single calls", async () => {
    await collet(["call", "bash", "--args", '{"command":"echo harmless"}'], { place });
    const [{ sessions: all }] = jsonLines((await sessions("--all", "--json")).stdout);
    for (const id of [await turn("harmless"), all[0].id]) {
      expect(await sessions("show", id)).toMatchObject({ status: 0, stderr: "" });
      writeFileSync(logOf(id), readFileSync(logOf(id), "utf8").replaceAll("harmless", "evilevil"));
      const { status, stderr } = await sessions("show", id);
      expect({ status, stderr }).toEqual({ status: 5, stderr: expect.stringMatching(/chain_broken.*\(corrupt_log_line\)/) });
    }
  });

  test("gives up a log that is damaged all over, and says so", async () => {
    const id = await turn("Hi");
    appendFileSync(logOf(id), '{"a":1}\n'.repeat(500_000));
    const { status, stdout, stderr } = await sessions("show", id);
    expect({ status, stderr }).toEqual({
      status: 5,
      stderr: expect.stringContaining("1000 parts of the log are damaged; what follows was not read"),
    });
    expect(stdout).toContain("The end.");
  });

  test("leaves a torn last line out, and says so", async () => {
    const id = await turn("Hi");
    appendFileSync(logOf(id), '{"v":1,"seq":99');
    const { status, stdout, stderr } = await sessions("show", id);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining("15 bytes") });
    expect(stdout).toContain("The end.");
  });
});
