import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collet, jsonLines, makePlace, type Place, start } from "./harness.ts";

let place: Place;
beforeEach(() => {
  place = makePlace({ "a.txt": "one\n" });
});
afterEach(() => place.remove());

const READ = JSON.stringify({ path: "a.txt" });
const bash = (command: string) => JSON.stringify({ command });
const edit = JSON.stringify({ path: "a.txt", old_string: "one", new_string: "two" });
const text = () => readFileSync(path.join(place.workspace, "a.txt"), "utf8");

/** Runs `collet call` and gives its status and its one envelope; standard error must be empty. */
async function call(args: readonly string[], stdin?: string) {
  const { status, stdout, stderr } = await collet(["call", ...args], { place, stdin });
  expect(stderr).toBe("");
  const [envelope, ...more] = jsonLines(stdout);
  expect(more).toEqual([]);
  return { status, envelope, line: stdout };
}

describe("call", () => {
  test("prints the envelope as one line, ok first, with --json and without", async () => {
    const { status, envelope, line } = await call(["read", "--args", READ]);
    expect(status).toBe(0);
    expect(line.startsWith('{"ok":true,"call_id":')).toBe(true);
    expect(envelope).toMatchObject({ output: "one\n", lines_total: 1, next_offset: null });
    expect((await call(["read", "--json", "--args", READ])).envelope).toEqual(envelope);
  });

  test("takes its arguments from a flag, a file or standard input", async () => {
    const file = path.join(place.root, "args.json");
    writeFileSync(file, READ);
    for (const ended of [await call(["read", "--args-file", file]), await call(["read"], READ)]) {
      expect(ended).toMatchObject({ status: 0, envelope: { output: "one\n" } });
    }
  });

  test.each<[string, number, readonly string[], string | undefined]>([
    ["unknown_tool", 2, ["raed", "--args", READ], undefined],
    ["invalid_args", 2, ["read", "--args", '{"path": "a.txt"'], undefined],
    ["invalid_args", 2, ["read", "--args", "[]"], undefined],
    ["invalid_args", 2, ["read", "--args", '{"pth": "a.txt"}'], undefined],
    ["invalid_args", 2, ["read"], ""],
    ["invalid_args", 2, ["read", "--args-file", "nowhere.json"], undefined],
    ["invalid_args", 2, ["read", "--args", READ, "--args-file", "x"], undefined],
    ["invalid_args", 2, ["read", "--bogus", "--args", READ], undefined],
    ["invalid_args", 2, [], undefined],
    ["invalid_args", 2, ["--batch", "read"], undefined],
    ["outside_workspace", 3, ["read", "--args", '{"path":"../x"}'], undefined],
    ["not_found", 6, ["read", "--args", '{"path":"b.txt"}'], undefined],
    ["no_match", 6, ["edit", "--args", '{"path":"a.txt","old_string":"x","new_string":"y"}'], undefined],
    ["timeout", 124, ["bash", "--args", '{"command":"sleep 9","timeout":0.2}'], undefined],
  ])("%s is in the envelope, and exit status %i", async (kind, status, args, stdin) => {
    const { envelope, ...end } = await call(args, stdin);
    expect(end).toMatchObject({ status });
    // null where it did not come to a call
    expect(envelope).toEqual({
      ok: false,
      call_id: envelope.call_id,
      error: { kind, message: expect.any(String), details: expect.any(Object) },
    });
    expect([null, "c1"]).toContain(envelope.call_id);
  });

  test.each<[readonly string[], string | undefined, string]>([
    [["read", "README.md"], undefined, `collet call read --args '{"path":"README.md"}'`],
    [["bash", "npm", "test"], undefined, `collet call bash --args '{"command":"npm test"}'`],
    [["raed", "README.md"], undefined, "collet tools"],
    [["read"], "", "collet call read --args "],
  ])("%j with %j on standard input is told where arguments go", async (args, stdin, line) => {
    const { status, envelope } = await call(args, stdin);
    expect(status).toBe(2);
    expect(envelope.error).toMatchObject({ kind: "invalid_args", message: expect.stringContaining("--args") });
    expect(envelope.error.details.next_actions[0].startsWith(line)).toBe(true);
  });

  test("a command that ran is exit status 0, whatever its own", async () => {
    const { status, envelope } = await call(["bash", "--args", bash("echo out; exit 3")]);
    expect(status).toBe(0);
    expect(envelope).toMatchObject({ ok: false, exit_code: 3, output: expect.stringContaining("out") });
    expect(envelope).not.toHaveProperty("error");
  });

  test("a dry run plans, decides and does nothing", async () => {
    const { status, envelope } = await call(["edit", "--dry-run", "--args", edit]);
    expect(status).toBe(0);
    expect(envelope).toMatchObject({
      ok: true,
      dry_run: true,
      tool: "edit",
      decision: { outcome: "allow" },
      effects: [{ kind: "file.write" }],
    });
    expect(text()).toBe("one\n");
  });
});

describe("the mode of a call", () => {
  test.each<[string, readonly string[], boolean]>([
    ["auto by default", [], true],
    ["ask: nobody to ask", ["--ask"], false],
    ["ask, and a rule", ["--permission", "ask", "--allow", "write(a.txt)"], true],
    ["ask, and a rule for something else", ["--ask", "--allow", "write(b.txt)"], false],
    ["read_only", ["--read-only"], false],
    ["read_only, a ceiling for rules", ["--read-only", "--allow", "write(a.txt)"], false],
    ["auto, and a deny rule", ["--deny", "write(*.txt)"], false],
    ["auto, and a deny rule that beats an allow", ["--allow", "write(a.txt)", "--deny", "write(*.txt)"], false],
  ])("%s", async (_, flags, allows) => {
    const { status, envelope } = await call(["edit", ...flags, "--args", edit]);
    expect({ status, ok: envelope.ok }).toEqual(allows ? { status: 0, ok: true } : { status: 3, ok: false });
    expect(text()).toBe(allows ? "two\n" : "one\n");
    if (!allows) expect(envelope.error).toMatchObject({ kind: "permission_denied", details: { rule: expect.any(String) } });
  });

  test("names the flag as the rule's source", async () => {
    const { envelope } = await call(["edit", "--dry-run", "--ask", "--allow", "write(a.txt)", "--args", edit]);
    expect(envelope.decision).toEqual({ outcome: "allow", rule: "write(a.txt)", source: { from: "flag" }, effect: 0 });
  });
});

describe("the record of a call", () => {
  test("is a session of its own, which the list shows with --all only", async () => {
    await call(["read", "--args", READ]);
    const { stdout, stderr } = await collet(["sessions"], { place });
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: expect.stringContaining("--all") });
    expect((await collet(["sessions", "--all"], { place })).stdout).toMatch(/calls/);
  });

  test("has cut output whole, where the notice says", async () => {
    const { envelope } = await call(["bash", "--args", bash("seq 1 100000")]);
    const [, command = ""] = /^\[cut: .*? bytes\. (tail .*)\]$/m.exec(envelope.output) ?? [];
    const { stdout } = spawnSync("bash", ["-c", command], { encoding: "utf8" });
    expect(stdout).toBe(readFileSync(envelope.spill, "utf8").slice(-stdout.length));
    const [next = 0] = /\d+/.exec(stdout)?.map(Number) ?? [];
    expect(envelope.output).toContain(`\n${next - 1}\n[cut: `);
  });

  test("has cut output of a command that ran out of time whole too", async () => {
    const { envelope } = await call(["bash", "--args", JSON.stringify({ command: "seq 1 100000; sleep 60", timeout: 2 })]);
    expect(envelope.error).toMatchObject({ kind: "timeout", details: { output: expect.stringMatching(/\[cut: .*\. tail -n \+\d+ /) } });
  });

  test("is not kept with --no-log, however large the call is", async () => {
    const content = "x".repeat(17 * 2 ** 20);
    const { envelope } = await call(["write", "--no-log"], JSON.stringify({ path: "large.txt", content }));
    expect(envelope).toMatchObject({ ok: true });
    expect(statSync(path.join(place.workspace, "large.txt")).size).toBe(content.length);
    expect(existsSync(place.state)).toBe(false);
  });

  test("is not kept with --no-log", async () => {
    await call(["read", "--no-log", "--args", READ]);
    expect(existsSync(place.state)).toBe(false);
  });
});

test("an interrupt of a call is in its envelope, and exit status 130", async () => {
  const { child, ended } = start(["call", "bash", "--args", bash("touch started; sleep 300")], { place });
  await expect.poll(() => existsSync(path.join(place.workspace, "started")), { timeout: 20_000 }).toBe(true);
  child.kill("SIGINT");
  const { status, stdout } = await ended;
  expect(status).toBe(130);
  expect(jsonLines(stdout)).toMatchObject([{ ok: false, error: { kind: "cancelled" } }]);
});
