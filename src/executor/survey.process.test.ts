import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { localSandbox } from "../sandbox/index.ts";
import { createSurvey } from "./survey.ts";

const HAS_GIT = spawnSync("git", ["--version"]).status === 0;

describe.skipIf(!HAS_GIT)("secrets that a repository tracks (skipped without git)", () => {
  const git = (cwd: string, ...args: string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, env: { PATH: process.env.PATH, HOME: root } });
  let root = "";
  let ws = "";
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "survey-git-")));
    ws = join(root, "ws");
    mkdirSync(join(ws, "src"), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function tracked(folder: string) {
    const sandbox = await localSandbox({ workspace: ws, home: root, hostEnv: { HOME: root }, clock: systemClock });
    const permits = {
      reads: () => true,
      guards: () => false,
      isSecret: (path: string) => path.endsWith("/.env"),
      isAsked: (path: string) => path.endsWith("/.env"),
      secretFiles: () => [],
      secretsBy: {},
    };
    return createSurvey(sandbox, permits).gitTracked(join(ws, folder));
  }

  test("are told with those of repositories inside, and whether they are as they were added", async () => {
    const lib = join(ws, "lib");
    mkdirSync(lib);
    for (const place of [lib, ws]) {
      git(place, "init", "-q");
      for (const name of [".env", "src.ts"]) writeFileSync(join(place, name), "x");
      const old = new Date(2020, 1, 1);
      utimesSync(join(place, ".env"), old, old);
      if (place === ws) git(ws, "add", "lib");
      git(place, "add", ".env", "src.ts");
      git(place, "commit", "-q", "-m", "x");
    }
    const files = (changed: boolean) => [
      { path: join(ws, ".env"), changed },
      { path: join(lib, ".env"), changed: true },
    ];
    expect(await tracked("src")).toEqual({ folder: join(ws, "src"), top: ws, files: files(false) });
    writeFileSync(join(ws, ".env"), "y");
    expect(await tracked("")).toEqual({ folder: ws, top: ws, files: files(true) });
    rmSync(join(ws, ".env"));
    expect((await tracked(""))?.files).toEqual(files(true));
    git(ws, "rm", "-q", "--cached", ".env");
    expect((await tracked(""))?.files).toEqual(files(true).slice(1));
  });

  test("cannot be told without a repository, nor with an index that is not understood", async () => {
    expect(await tracked("src")).toBeNull();
    git(ws, "init", "-q");
    expect((await tracked("src"))?.files).toEqual([]);
    writeFileSync(join(ws, ".git/index"), "DIRC");
    expect(await tracked("src")).toBeNull();
  });
});
