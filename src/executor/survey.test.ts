import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { localSandbox } from "../sandbox/index.ts";
import type { Survey } from "../sandbox/port.ts";
import { createSurvey } from "./survey.ts";

const HAS_GIT = spawnSync("git", ["--version"]).status === 0;
let root = "";
let ws = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "survey-")));
  ws = join(root, "ws");
  for (const folder of ["ws/src", "ws/closed", "outside", "ws/bin"]) mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["ws/src/a.ts", "ws/src/.hidden", "ws/.env", "ws/closed/secret", "outside/b", "ws/bin/own"])
    writeFileSync(join(root, file), "x");
  symlinkSync("../outside", join(ws, "out"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Nothing below `closed` may be read, and `.env` is guarded. */
async function survey(path = process.env.PATH ?? ""): Promise<Survey> {
  const sandbox = await localSandbox({ workspace: ws, home: root, hostEnv: { PATH: path, HOME: root }, clock: systemClock });
  return createSurvey(sandbox, {
    reads: ({ path }) => !path.includes("/closed"),
    guards: (path) => /\/\.(?:env|collet)$/.test(path),
    isSecret: (path) => path.endsWith("/.env"),
    isAsked: (path) => path.endsWith("/.env"),
    secretFiles: () => [],
    secretsBy: {},
  });
}

test("what a path leads to is told, but for what may not be read", async () => {
  const { kind } = await survey();
  const rows: Record<string, string> = {
    src: "folder",
    "src/a.ts": "file",
    "src/none": "none",
    ".env": "file",
    closed: "unknown",
    "closed/none": "unknown",
    out: "unknown",
    "src/../src": "folder",
  };
  for (const [path, expected] of Object.entries(rows)) expect([path, await kind(join(ws, "x", "..", path))]).toEqual([path, expected]);
  expect(await kind("/etc")).toBe("unknown");
});

test("a guarded name is a file whether it is there or not", async () => {
  rmSync(join(ws, ".env"));
  expect(await (await survey()).kind(join(ws, ".env"))).toBe("file");
});

test("the names in a folder are told, but for one that may not be read", async () => {
  const { names } = await survey();
  expect(await names(join(ws, "src"))).toEqual([".hidden", "a.ts"]);
  expect(await names(join(ws, "closed"))).toBeNull();
  expect(await names(join(ws, "nothing"))).toBeNull();
  expect(await names(join(root, "outside"))).toBeNull();
});

test("the text of a small file is told, but for one that may not be read", async () => {
  const { text } = await survey();
  writeFileSync(join(ws, "src/large"), "x".repeat(16 * 1024 + 1));
  writeFileSync(join(ws, "src/bytes"), Buffer.from([0x61, 0xff]));
  expect(await text(join(ws, "src/a.ts"))).toBe("x");
  for (const path of ["src/large", "src/bytes", "src/none", "src", ".env", "closed/secret", "out/b"])
    expect([path, await text(join(ws, path))]).toEqual([path, null]);
});

describe("a tree", () => {
  test("holds what links in a guarded folder without secrets lead to, and is not all that may be changed", async () => {
    const { tree } = await survey();
    rmSync(join(ws, "closed"), { recursive: true });
    mkdirSync(join(ws, ".collet"));
    symlinkSync(join(root, "outside"), join(ws, ".collet/x.ts"));
    rmSync(join(ws, "out"));
    expect(await tree(ws)).toMatchObject({ complete: false, readComplete: true, linked: [{ name: "x.ts", to: join(root, "outside") }] });
  });

  test("tells guarded files and links that lead out", async () => {
    rmSync(join(ws, "closed"), { recursive: true });
    symlinkSync("src/a.ts", join(ws, "inner"));
    const { tree } = await survey();
    const nothing = { complete: true, readComplete: true, ownComplete: true, guarded: [], linked: [], oddNames: false };
    const linked = [{ name: "out", to: join(root, "outside") }];
    expect(await tree(ws)).toEqual({ ...nothing, guarded: [{ path: join(ws, ".env"), folder: false }], linked });
    expect(await tree(join(ws, "src"))).toEqual(nothing);
    expect(await tree(join(ws, "src/a.ts"))).toEqual(nothing);
  });

  test("holds settings that are guarded and no secret without a word", async () => {
    mkdirSync(join(ws, "src/.collet"));
    const { tree } = await survey();
    expect(await tree(join(ws, "src"))).toMatchObject({ ownComplete: true, guarded: [] });
  });

  test("is not complete where a folder may not be read, nor when it is not there", async () => {
    const { tree } = await survey();
    expect(await tree(ws)).toMatchObject({ complete: false });
    expect(await tree(join(ws, "nothing"))).toMatchObject({ complete: false });
    expect(await tree("/usr")).toMatchObject({ complete: false });
  });

  test.each(["a b", Buffer.from([0x61, 0xff]), "a\nb", "a'b", "a\\b", "a*", "a?", "[a]", 'a"b', "a\tb", "a\u00a0b"])(
    "tells that a name is odd: %j",
    async (name) => {
      writeFileSync(Buffer.concat([Buffer.from(join(ws, "src/")), Buffer.from(name)]), "");
      expect(await (await survey()).tree(join(ws, "src"))).toMatchObject({ complete: true, oddNames: true });
    },
  );
});

test("programs are known by where they lie", async () => {
  const system = join(root, "system");
  mkdirSync(system);
  for (const name of ["tool", "other"]) writeFileSync(join(system, name), "#!/bin/sh\n");
  symlinkSync(join(ws, "bin/own"), join(system, "led"));
  symlinkSync(join(system, "tool"), join(ws, "bin/link"));
  writeFileSync(join(root, "outside/tool"), "#!/bin/sh\n");
  for (const file of ["system/tool", "system/other", "ws/bin/own", "outside/tool"]) chmodSync(join(root, file), 0o755);
  const { program } = await survey(`${join(ws, "bin")}:${system}:/usr/bin`);
  const rows: Record<string, string> = {
    tool: "trusted",
    led: "workspace",
    own: "workspace",
    "no-such-program-anywhere": "absent",
    [join(system, "tool")]: "trusted",
    [join(system, "../system/tool")]: "trusted",
    [join(root, "outside/tool")]: "other",
    "./bin/own": "workspace",
    "./bin/link": "workspace",
    "bin/none": "workspace",
    "/no/such/program": "other",
  };
  for (const [spelled, expected] of Object.entries(rows))
    expect([spelled, (await program(spelled, ws)).standing]).toEqual([spelled, expected]);
});

test("the settings of the repository above are told, and that there is none", async () => {
  const { gitSettings } = await survey();
  const below = () => gitSettings(join(ws, "src"));
  expect(await below()).toBe("no_repository");
  mkdirSync(join(ws, ".git"));
  expect(await below()).toEqual([]);
  writeFileSync(join(ws, ".git/config"), "[core]\n\tfsmonitor = evil\n");
  expect(await below()).toEqual([{ text: "[core]\n\tfsmonitor = evil\n", of: "repository" }]);
  mkdirSync(join(ws, ".git/modules/lib/x"), { recursive: true });
  writeFileSync(join(ws, ".git/modules/lib/x/config"), "[core]\n");
  expect(await below()).toContainEqual({ text: "[core]\n", of: "inner_repository" });
  symlinkSync(".env", join(ws, ".git-blame-ignore-revs"));
  expect(await below()).toBe("unknown");
  rmSync(join(ws, ".git-blame-ignore-revs"));
  symlinkSync("../.env", join(ws, ".git/packed-refs"));
  expect(await below()).toBe("unknown");
  rmSync(join(ws, ".git/packed-refs"));
  mkdirSync(join(ws, ".git/worktrees/w"), { recursive: true });
  symlinkSync("/etc/passwd", join(ws, ".git/worktrees/w/locked"));
  expect(await below()).toBe("unknown");
  mkdirSync(join(ws, "src/.git"));
  expect(await below()).toEqual([]);
  rmSync(join(ws, ".git"), { recursive: true });
  writeFileSync(join(ws, ".git"), "gitdir: nowhere\n");
  expect(await gitSettings(ws)).toBe("unknown");
  rmSync(join(ws, ".git"));
  symlinkSync("nowhere", join(ws, ".git"));
  expect(await gitSettings(ws)).toBe("unknown");
});

test.skipIf(!HAS_GIT)("the settings of repositories in the index are told as well (skipped without git)", async () => {
  const git = (cwd: string, ...args: string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: root },
      encoding: "utf8",
    });
  git(ws, "init", "-q");
  mkdirSync(join(ws, "lib"));
  git(join(ws, "lib"), "init", "-q");
  git(join(ws, "lib"), "commit", "-q", "--allow-empty", "-m", "x");
  git(join(ws, "lib"), "config", "filter.x.clean", "evil");
  git(ws, "add", "lib");
  const settings = await (await survey()).gitSettings(ws);
  expect(settings).toContainEqual({ text: expect.stringContaining("evil"), of: "inner_repository" });
});
