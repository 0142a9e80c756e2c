import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEMO_STEPS } from "../../src/cli/demo/script.ts";
import { collet, environment, jsonLines, makePlace, type Place, start } from "./harness.ts";

let place: Place;
let tmp: string;
beforeEach(() => {
  place = makePlace();
  tmp = path.join(place.root, "tmp");
  mkdirSync(tmp);
});
afterEach(() => place.remove());

const demo = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  collet(["demo", ...args], { place, env: { TMPDIR: tmp, ...env } });

function folder(): string {
  const [name = ""] = readdirSync(tmp).filter((entry) => entry.startsWith("collet-demo-"));
  return path.join(tmp, name);
}

describe("the demo", () => {
  test("fixes the test with real tools, shows each step, and ends within ten seconds", async () => {
    const started = performance.now();
    const { status, stdout, stderr } = await demo();
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(performance.now() - started).toBeLessThan(10_000);
    const order = ["The model is a script", "--allow 'command(node --test)'", "--allow 'write(src/**)'", "exit 1", "permission_denied"];
    const positions = [...order, "--allow 'write(test/price.test.js)'", "exit 0", "Try next:"].map((part) => stdout.indexOf(part));
    expect(positions).toEqual(positions.filter((at) => at >= 0).sort((a, b) => a - b));
    for (const { text } of DEMO_STEPS) expect(stdout).toContain(text);
    expect(stdout).not.toContain("\u001b");
    expect(spawnSync(process.execPath, ["--test"], { cwd: path.join(folder(), "project"), env: { PATH: process.env.PATH } }).status).toBe(
      0,
    );
  });

  test("has no sentence that is wider than 80 columns where the width is not known", async () => {
    const { stdout } = await demo();
    const own = stdout.split("\n").filter((line) => /^\S/.test(line) && !/^(?:project|session|┃|>|●)/.test(line));
    expect(own.filter((line) => line.length > 80)).toEqual([]);
  });

  test("says where its log lies, and touches only its folder and the state folder", async () => {
    const { stdout } = await demo();
    const log = /^ {2}(.*log\.ndjson)$/m.exec(stdout)?.[1] ?? "";
    expect(jsonLines(readFileSync(log, "utf8")).at(-1)).toMatchObject({ type: "turn_ended", data: { status: "done" } });
    expect({ tmp: readdirSync(tmp), home: readdirSync(place.home), workspace: readdirSync(place.workspace) }).toEqual({
      tmp: [path.basename(folder())],
      home: [],
      workspace: [],
    });
    expect(readdirSync(folder())).toEqual(["project"]);
  });

  test("prints commands that run as they stand", async () => {
    const { stdout } = await demo();
    const commands = stdout.slice(stdout.indexOf("Try next:")).match(/^ {2}(?!#).*collet.*$/gm) ?? [];
    expect(commands.length).toBeGreaterThan(3);
    for (const command of commands) {
      const { status, stdout: printed } = spawnSync("bash", ["-c", command], {
        cwd: place.home,
        env: environment(place),
        encoding: "utf8",
      });
      expect({ command, status }).toEqual({ command, status: 0 });
      expect(printed).not.toBe("");
    }
  });

  test("prints one event a line with --json, and nothing else", async () => {
    const { status, stdout, stderr } = await demo(["--json"]);
    const events = jsonLines(stdout);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(events.every((event) => event.v === 1 && typeof event.type === "string")).toBe(true);
    expect(events.filter(({ type }) => type === "tool_result")).toHaveLength(DEMO_STEPS.flatMap(({ calls }) => calls).length);
  });

  test("says nothing when it is to be quiet", async () => {
    expect(await demo(["--quiet"])).toEqual({ status: 0, signal: null, stdout: "", stderr: "" });
  });

  test("needs nothing but node on the PATH", async () => {
    const bin = path.join(place.root, "bin");
    mkdirSync(bin);
    symlinkSync(process.execPath, path.join(bin, "node"));
    expect(await demo([], { PATH: bin })).toMatchObject({ status: 0, stderr: "" });
  });

  test("keeps its session in its own folder when the state folder cannot be used, and says so", async () => {
    writeFileSync(place.state, "in the way");
    const { status, stdout, stderr } = await demo();
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining(path.join(folder(), "state")) });
    expect(readdirSync(folder()).sort()).toEqual(["project", "state"]);
    const show = /^ {2}(.* sessions show last .*)$/m.exec(stdout)?.[1] ?? "";
    const shown = spawnSync("bash", ["-c", show], { cwd: place.home, env: environment(place), encoding: "utf8" });
    expect(shown).toMatchObject({ status: 0, stdout: expect.stringContaining("● bash") });
  });

  test("works without a home", async () => {
    expect(await demo([], { HOME: "/dev/null/home", COLLET_STATE_DIR: "" })).toMatchObject({ status: 0 });
  });
});

test("an interrupted demo says where its project and its log lie", async () => {
  const { child, said, ended } = start(["demo"], { place, env: { TMPDIR: tmp } });
  await said("● bash");
  child.kill("SIGINT");
  const { status, stdout } = await ended;
  const [, project = "", log = ""] = /interrupted; the project: (.*)\n +the log: (.*)\n$/.exec(stdout) ?? [];
  expect({ status, project }).toEqual({ status: 130, project: path.join(folder(), "project") });
  expect(jsonLines(readFileSync(log, "utf8")).at(-1)).toMatchObject({ type: "turn_ended", data: { status: "interrupted" } });
});

describe("a demo that cannot be", () => {
  test.each([[[]], [["--json"]]])("is exit status 1 when a step differs, with %j too", async (args) => {
    const bin = path.join(place.root, "bin");
    mkdirSync(bin);
    writeFileSync(path.join(bin, "node"), "#!/bin/sh\nexit 0\n");
    chmodSync(path.join(bin, "node"), 0o755);
    const { status, stderr } = await demo(args, { PATH: bin });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^collet: the demo went wrong: bash/) });
  });

  test("tells a temporary folder that is not there in one line", async () => {
    const { status, stdout, stderr } = await demo([], { TMPDIR: path.join(place.root, "gone") });
    expect({ status, stdout }).toEqual({ status: 6, stdout: "" });
    expect(stderr).toMatch(/^collet: .*\(write_failed\)\n {2}try: TMPDIR=/);
    expect(existsSync(place.state)).toBe(false);
  });
});
