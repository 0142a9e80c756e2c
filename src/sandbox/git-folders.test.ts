import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gitFoldersOf } from "./git-folders.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "git-folders-")));
  mkdirSync(join(root, "main/.git/worktrees/w"), { recursive: true });
  mkdirSync(join(root, "w"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a worktree leads to its own git folder and to the common one", () => {
  writeFileSync(join(root, "w/.git"), `gitdir: ${root}/main/.git/worktrees/w\n`);
  writeFileSync(join(root, "main/.git/worktrees/w/commondir"), "../..\n");
  expect(gitFoldersOf(join(root, "w"))).toEqual([`${root}/main/.git/worktrees/w`, `${root}/main/.git`]);
});

test("a relative pointer counts from the workspace", () => {
  writeFileSync(join(root, "w/.git"), "gitdir: ../main/.git\n");
  expect(gitFoldersOf(join(root, "w"))).toEqual([`${root}/main/.git`]);
});

test.each(["gitdir: ../nowhere\n", "something else\n", ""])("a pointer %j that leads nowhere is none", (text) => {
  writeFileSync(join(root, "w/.git"), text);
  expect(gitFoldersOf(join(root, "w"))).toEqual([]);
});

test("a pipe, a device and a link in place of the pointer are none, at once", () => {
  const git = join(root, "w/.git");
  spawnSync("mkfifo", [git]);
  expect(gitFoldersOf(join(root, "w"))).toEqual([]);
  rmSync(git);
  symlinkSync("/dev/zero", git);
  expect(gitFoldersOf(join(root, "w"))).toEqual([]);
});

test("a folder named .git is no pointer", () => {
  expect(gitFoldersOf(join(root, "main"))).toEqual([]);
});
