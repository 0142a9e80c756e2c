import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KINDS } from "../../src/base/kinds.ts";
import { BIN, collet, colletAsStranger, environment, jsonLines, makePlace, type Place } from "./harness.ts";

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const COMMANDS = ["demo", "run", "call", "tools", "kinds", "sessions"];

describe("help", () => {
  test("names every command, and the first things to try", async () => {
    const { status, stdout, stderr } = await collet([], { place });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} `, "m"));
    expect(await collet(["--help"], { place })).toMatchObject({ status: 0, stdout });
    expect(stdout).toContain("npx --no-install collet");
  });

  test.each(COMMANDS)("of %s has the common flags, and examples", async (command) => {
    const { status, stdout } = await collet([command, "--help"], { place });
    expect(status).toBe(0);
    for (const flag of ["--json", "--quiet", "--state-dir"]) expect(stdout).toContain(flag);
    if (command !== "demo") expect(stdout).toContain("Examples:");
  });

  test.each([[[]], ...COMMANDS.map((command) => [[command, "--help"]]), [["sessions", "show", "--help"]], [["tools", "edit"]]])(
    "%j fits 80 columns where the width is not known",
    async (args) => {
      const { stdout } = await collet(args, { place });
      // the example of a tool is one line of JSON, however long it is
      const wide = stdout.split("\n").filter((line) => line.length > 80 && !/^ {6}--args /.test(line));
      expect(wide).toEqual([]);
    },
  );

  test("names every place where sessions may be kept", async () => {
    const { stdout } = await collet(["run", "--help"], { place });
    expect(stdout).toContain("$XDG_STATE_HOME");
  });

  test("of call says what --allow does in each mode", async () => {
    const { stdout } = await collet(["call", "--help"], { place });
    for (const part of [/guarded\s+paths/, /lifts\s+the\s+guard/, /--read-only\s+is\s+a\s+ceiling/]) expect(stdout).toMatch(part);
  });

  test("of run says what a last $ in a rule means", async () => {
    expect((await collet(["run", "--help"], { place })).stdout).toContain("'command(npm test $)'");
  });
});

test("--version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync(path.join(path.dirname(BIN), "../package.json"), "utf8"));
  expect(await collet(["--version"], { place })).toEqual({ status: 0, signal: null, stdout: `${version}\n`, stderr: "" });
});

describe("a mistake on the command line", () => {
  test.each([
    [["rnu"], "run"],
    [["kinds", "--jsn"], "--json"],
    [["run", "--modle", "x", "y"], "--model"],
    [["kinds", "not_uniqe"], "not_unique"],
    [["sessions", "--al"], "--all"],
  ])("%j is told with what was likely meant", async (args, nearest) => {
    const { status, stdout, stderr } = await collet(args, { place });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^collet: .*\(invalid_args\)\n {2}try: node \S+collet\.js /);
    expect(stderr).toContain(nearest);
  });

  test.each([
    ["two modes", ["kinds", "--auto", "--read-only"]],
    ["a mode and another one in short", ["kinds", "--permission", "ask", "--auto"]],
    ["an unknown mode", ["kinds", "--permission", "yes"]],
    ["too many arguments", ["kinds", "a", "b"]],
    ["a flag without its value", ["kinds", "-C"]],
    ["no whole number", ["run", "--max-iterations", "0", "x"]],
    ["the demo with a mode", ["demo", "--auto"]],
  ])("%s is invalid_args, as JSON too", async (_, args) => {
    const { status, stdout, stderr } = await collet([args[0] ?? "", "--json", ...args.slice(1)], { place });
    expect(status).toBe(2);
    expect(jsonLines(stdout + stderr)).toEqual([{ ok: false, error: expect.objectContaining({ kind: "invalid_args" }) }]);
  });

  test.each([
    [["help", "foo"], []],
    [["help", "sesions"], ["sessions"]],
  ])("%j is told as an unknown command", async (args, nearest) => {
    const { status, stdout, stderr } = await collet([...args, "--json"], { place });
    expect(status).toBe(2);
    const next_actions = [...nearest.map((name) => `collet ${name} --help`), "collet --help"];
    expect(jsonLines(stdout + stderr)).toMatchObject([
      { error: { kind: "invalid_args", message: expect.stringContaining(`'${args.at(-1)}'`), details: { nearest, next_actions } } },
    ]);
  });

  test.each([
    [["run", "--permission", "foo", "hi"]],
    [["run", "--auto", "--ask", "hi"]],
    [["run", "--model", "foo/bar", "hi"]],
    [["run", "--model", "gpt", "hi"]],
    [["run", "--state-dir", "", "hi"]],
    [["run", "-C", "nowhere", "hi"]],
    [["run", "-C", "", "hi"]],
    [["call", "--permission", "foo"]],
    [["kinds", "a", "b"]],
  ])("%j is told with a next step", async (args) => {
    const { stdout, stderr } = await collet([...args, "--json"], { place });
    const [{ error }] = jsonLines(stdout + stderr);
    expect(error.details.next_actions).toEqual(expect.arrayContaining([expect.any(String)]));
  });

  test.each([
    [["run", "--allow", "hi"], "--allow"],
    [["call", "read", "--deny", "hi"], "--deny"],
  ])("%j is told as a rule that is none, before anything else", async (args, flag) => {
    const { status, stdout, stderr } = await collet([...args, "--json"], { place });
    expect(status).toBe(2);
    const details = { rule: "hi", flag, next_actions: [expect.stringContaining(`${flag} 'command(`)] };
    expect(jsonLines(stdout + stderr)).toMatchObject([{ error: { kind: "invalid_args", details } }]);
  });

  test("a command that is like none is told without a guess", async () => {
    const { status, stderr } = await collet(["version"], { place });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.not.stringContaining("did you mean") });
  });

  test("what is to be tried runs as it stands, with the name where that is on the PATH", async () => {
    const bin = path.join(place.root, "bin");
    mkdirSync(bin);
    symlinkSync(BIN, path.join(bin, "collet"));
    const named = await collet(["rnu"], { place, env: { PATH: `${bin}:${process.env.PATH}` } });
    expect(named.stderr).toContain("\n  try: collet --help\n");
    const [, command = ""] = /try: (.*)/.exec((await collet(["rnu"], { place })).stderr) ?? [];
    expect(spawnSync("bash", ["-c", command], { cwd: place.workspace, env: environment(place) }).status).toBe(0);
  });

  test("the same mode twice is none", async () => {
    expect(await collet(["kinds", "--ask", "--permission", "ask"], { place })).toMatchObject({ status: 0 });
  });
});

describe("kinds", () => {
  test("shows the whole table", async () => {
    const { stdout } = await collet(["kinds", "--json"], { place });
    const [{ kinds }] = jsonLines(stdout);
    expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual(Object.keys(KINDS));
    const text = (await collet(["kinds"], { place })).stdout;
    const rows = text.split("\n").map((line) => line.split(/ +/));
    for (const [kind, { exit, means }] of Object.entries(KINDS)) {
      const row = rows.find(([name]) => name === kind);
      expect(row?.slice(1).join(" ")).toBe(`${exit} ${means}`);
    }
  });

  test("shows one kind", async () => {
    const { stdout } = await collet(["kinds", "timeout", "--json"], { place });
    expect(jsonLines(stdout)).toMatchObject([{ ok: true, kind: "timeout", exit: 124, retryable: true, fixed_by: "model" }]);
  });
});

describe("output", () => {
  const shell = (script: string, env: Readonly<Record<string, string>> = {}) =>
    spawnSync("bash", ["-o", "pipefail", "-c", script], {
      cwd: place.workspace,
      env: { ...environment(place), NODE: process.execPath, BIN, ...env },
      encoding: "utf8",
    });

  test.each(["kinds | head -1", "kinds | true", "--version | true"])("into a pipe that nobody reads to the end is quiet: %s", (command) => {
    const { status, stderr } = shell(`"$NODE" "$BIN" ${command}`);
    expect(stderr).toBe("");
    // the reader leaves before or after all was written
    expect([0, 141]).toContain(status);
  });

  test("that cannot be written is write_failed", () => {
    expect(shell(`"$NODE" "$BIN" kinds > /dev/full`)).toMatchObject({ status: 6, stderr: expect.stringContaining("(write_failed)") });
  });

  test("has colour where it is forced, and never with NO_COLOR", () => {
    expect(shell(`"$NODE" "$BIN" kinds`).stdout).not.toContain("\u001b");
    expect(shell(`"$NODE" "$BIN" kinds`, { FORCE_COLOR: "1" }).stdout).toContain("\u001b[");
    expect(shell(`"$NODE" "$BIN" kinds`, { FORCE_COLOR: "1", NO_COLOR: "1" }).stdout).not.toContain("\u001b");
  });
});

describe("the start", () => {
  test("tells an old Node in one line", () => {
    const program = `Object.defineProperty(process.versions, "node", { value: "20.18.3" }); require(${JSON.stringify(BIN)});`;
    const { status, stderr, stdout } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
    expect({ status, stdout, lines: stderr.split("\n").length }).toEqual({ status: 2, stdout: "", lines: 2 });
    expect(stderr).toContain("needs Node >=20.19, and this is Node 20.18.3");
  });

  test.each([
    ["npm ci", false],
    ["npm run build", true],
  ])("says to run %s when dist is missing", (command, hasModules) => {
    const copy = path.join(place.root, "copy");
    mkdirSync(path.join(copy, hasModules ? "node_modules" : "src"), { recursive: true });
    cpSync(path.dirname(BIN), path.join(copy, "bin"), { recursive: true });
    cpSync(path.join(path.dirname(BIN), "../package.json"), path.join(copy, "package.json"));
    const { status, stderr } = spawnSync(process.execPath, [path.join(copy, "bin/collet.js"), "kinds"], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 2, stderr: `collet: is not built yet; run \`${command}\` in ${copy}\n` });
  });

  test("tells a current folder that was removed", () => {
    const script = `mkdir gone && cd gone && rmdir ../gone && exec "${process.execPath}" "${BIN}" sessions`;
    const result = spawnSync("bash", ["-c", script], { cwd: place.workspace, env: environment(place), encoding: "utf8" });
    expect(result).toMatchObject({ status: 6, stderr: expect.stringContaining("(not_found)") });
  });
});

describe("the workspace", () => {
  test("is never the home folder unasked", async () => {
    const refused = await collet(["sessions"], { place, cwd: place.home });
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("home folder") });
    expect(await collet(["sessions", "-C", "."], { place, cwd: place.home })).toMatchObject({ status: 0 });
  });

  test("is never a folder above the state folder unasked", async () => {
    expect(await collet(["sessions"], { place, cwd: place.root })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("state folder"),
    });
  });
});

test("standard input that is not wanted is not waited for", async () => {
  const child = spawn(process.execPath, [BIN, "kinds"], { env: environment(place), stdio: ["pipe", "ignore", "ignore"] });
  const status = await new Promise((resolve) => child.on("exit", resolve));
  child.stdin.destroy();
  expect(status).toBe(0);
});

test("a folder as standard input is stdin_error", () => {
  writeFileSync(path.join(place.workspace, "a"), "");
  const stdin = openSync(place.workspace, "r");
  const result = spawnSync(process.execPath, [BIN, "run"], {
    env: environment(place),
    cwd: place.workspace,
    stdio: [stdin, "pipe", "pipe"],
    encoding: "utf8",
  });
  expect(result).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("(stdin_error)") });
});

test.skipIf(process.getuid?.() !== 0)("a user without a home folder is told in one line what to set", ({ skip }) => {
  const ended = colletAsStranger(["sessions", "-C", "/"], {}) ?? skip("another user cannot reach node or the temporary folder");
  expect({ status: ended.status, lines: ended.stderr.split("\n") }).toEqual({
    status: 5,
    lines: [
      expect.stringMatching(/^collet: this user has no home folder .* \(unsafe_state_path\)$/),
      expect.stringContaining("COLLET_STATE_DIR"),
      expect.stringContaining("HOME"),
      "",
    ],
  });
});

test.for([
  [["sessions"], "text"],
  [["sessions", "--all", "--json"], "document"],
  [["sessions", "show", "last"], "text"],
  [["sessions", "show", "2026", "--json"], "document"],
] as const)("%j tells a state folder that cannot be reached, and what to do", ([command, form], { skip }) => {
  const closed = path.join(place.root, "closed");
  mkdirSync(closed, { mode: 0 });
  const env = { COLLET_STATE_DIR: path.join(closed, "state"), HOME: "/nonexistent" };
  const ended = colletAsStranger([...command, "-C", "/"], env) ?? skip("another user cannot reach node or the temporary folder");
  expect(ended.status).toBe(5);
  if (form === "text") expect(ended.stderr).toMatch(/^collet: .* \(log_read_failed\)\n {2}try: .*COLLET_STATE_DIR.*\n$/);
  else
    expect(jsonLines(ended.stdout + ended.stderr)).toMatchObject([
      {
        ok: false,
        error: { kind: "log_read_failed", details: { reason: "no_right", next_actions: [expect.stringContaining("--state-dir")] } },
      },
    ]);
});
