import { describe, expect, test } from "vitest";
import { short, smallLook } from "./plan-for-test.ts";
import { GIT } from "./programs/git.ts";
import { rowsOf } from "./programs/table.ts";
import { scriptPlan } from "./script-plan.ts";

const SECRETS = [".env", "sub/.env.local", "src/key.pem"];
const TABLE = { row: rowsOf(GIT), gitQuiet: { always: {}, withoutHooks: {} } };

interface Case {
  readonly cwd?: string;
  readonly tracks?: readonly string[] | null;
  /** Of these the files are as they were added. */
  readonly unchanged?: readonly string[];
}

/** What counts as read of a repository at `/ws` that tracks secrets; places below it in short. */
async function reads(script: string, { cwd = "/ws", tracks = SECRETS, unchanged = [] }: Case = {}): Promise<readonly string[]> {
  const look = smallLook({
    gitTracked: async (folder) =>
      tracks && { folder, top: "/ws", files: tracks.map((path) => ({ path: `/ws/${path}`, changed: !unchanged.includes(path) })) },
    gitRuns: async () => null,
    kind: async (path) =>
      /^\/ws(?:\/(?:sub|src))?$/.test(path) ? "folder" : /^\/ws\/(?:src\/a\.ts|README|.*\.env|deadbeef)$/.test(path) ? "file" : "none",
  });
  const { effects } = await scriptPlan(script, { cwd, home: "/home/u", look, table: TABLE });
  return effects.filter(({ kind }) => kind !== "command").map((effect) => short(effect).replace("r: /ws/", ""));
}

describe("secrets that a repository tracks are read", () => {
  test.each([
    "git diff",
    "git diff HEAD~1",
    "git diff --cached",
    "git diff --check",
    "git diff -U0 --stat",
    "git diff --stat -S key",
    "git diff main..other",
    "git diff -- :",
    "git diff -- ':(attr:x)'",
    "git diff -- ':(icase,glob)**/X'",
    "git diff -- '*'",
    "git diff -- '[.]*' src",
    "git diff deadbee README",
    "git diff deadbeef -- README",
    "git diff HEAD:src",
    "git diff HEAD -- $(cat names)",
    'git diff --cached "main$(cat names)" -- README',
    "git diff-files -p",
    "git diff-index --cached -p HEAD",
    "git diff-tree --cc HEAD",
    "git diff-tree -p --stdin -- README < names",
    "git log -p",
    "git log -G password --oneline",
    "git log -p --full-diff -- README",
    "git log -p --stdin -- README",
    "git log -p -- ':!nothing'",
    "git log --diff-merges=on",
    'git log -L "$(cat names)"',
    "git show",
    "git show HEAD",
    "git show deadbee --stat",
    "git show -s deadbee -- README",
    "git show deadbeef --",
    "git show v1-2-gdeadbee -s",
    "git show 'HEAD^{}' -- README",
    "git show ':/fix: this'",
    "git show README HEAD -p --",
    "git status -v",
    "git status -svv",
    "git grep x",
    "git grep -c x HEAD",
    "git grep x deadbee -- README",
    "git grep -e x -- ':/' README",
    "git grep --no-such-option x",
    "git stash show",
    "git stash show -p",
    "git stash list -p",
    "git reflog -p",
    "git reflog show -p",
    "git range-diff main~1..main main~1..other",
    "git cat-file -p deadbee",
    "git cat-file blob deadbee",
    "git cat-file --batch < names",
    "git cat-file --batch --follow-symlinks < names",
    "git config --blob deadbee -l",
    "git -C src log -p",
    "git -C src diff",
    "cd src; git diff",
    "git archive HEAD",
    "git format-patch --stdout HEAD~1",
  ])("all of them with %s", async (script) => {
    expect(await reads(script)).toEqual(expect.arrayContaining(SECRETS));
  });

  test.each([
    ["git diff -- .env", [".env"]],
    ["git diff -- ':(top).env'", [".env"]],
    ["git diff -- ./sub", ["sub/.env.local"]],
    ["git diff -- /ws/SUB/", ["sub/.env.local"]],
    ["git diff HEAD sub", ["sub/.env.local"]],
    ["git diff -- '*.pem'", ["src/key.pem"]],
    ["git diff -- '?env'", [".env"]],
    ["git diff '*.env'", [".env"]],
    ["git log -p -- src/a.ts sub", ["sub/.env.local"]],
    ["git log -p -- . ':!.env' ':(exclude)src/'", ["sub/.env.local", "src/key.pem"]],
    ["git log -p -- ':!*.local' ':^.env'", ["src/key.pem"]],
    ["git show HEAD -- sub", ["sub/.env.local"]],
    ["git show main~3 -- ':/sub'", ["sub/.env.local"]],
    ["git show HEAD:.env", [".env"]],
    ["git show 'HEAD^{/a: b}:sub/.env.local'", ["sub/.env.local"]],
    ["git show HEAD:src", ["src/key.pem"]],
    ["git cat-file -p :0:.env", [".env"]],
    ["git cat-file blob HEAD:.env", [".env"]],
    ["git grep x HEAD:src", ["src/key.pem"]],
    ["git grep x -- sub", ["sub/.env.local"]],
    ["git -C sub grep x", ["sub/.env.local"]],
    ["cd sub && git grep x", ["sub/.env.local"]],
    ["cd sub && git show HEAD:.env", [".env"]],
    ["cd sub && git show HEAD:./.env.local", ["sub/.env.local"]],
    ["cd sub && git log -p -- ':!.env.local'", [".env", "src/key.pem"]],
    ["git diff HEAD:.env HEAD~1:README", [".env"]],
    ["git config --blob HEAD:.env -l", [".env"]],
    ["git log -L 1,5:.env", [".env"]],
    ["git log -L '/a: b/,+2:sub/.env.local'", ["sub/.env.local"]],
    ["git status -v sub", ["sub/.env.local"]],
  ])("those that it reaches with %s", async (script, expected) => {
    const found = await reads(script);
    expect(SECRETS.filter((secret) => found.includes(secret))).toEqual(expected);
  });

  test.each([
    "git diff --stat",
    "git diff --name-only HEAD",
    "git diff README",
    "git diff main README",
    "git diff -- README",
    "git diff -- '*.ts'",
    "git diff --no-index README src/a.ts",
    "git log",
    "git log --oneline --graph --all",
    "git log --stat -5",
    "git log -p README",
    "git log -p -- README",
    "git log -L 1,5:README",
    "git show --stat HEAD",
    "git show --name-only main",
    "git show HEAD:README",
    "git show HEAD~2 -- README",
    "git show -s --format=%an v1.2",
    "git status",
    "git status -sb",
    "git grep x -- README",
    "git grep x README",
    "git grep x -- '*.ts' 'src/*.js'",
    "git stash list",
    "git stash show --stat",
    "git reflog",
    "git cat-file -p HEAD",
    "git cat-file -t deadbee",
    "git cat-file tree deadbee",
    "git cat-file --batch-check < names",
    "git ls-files",
    "git blame README",
    "git rev-list --objects HEAD",
    "git branch -vv",
    "git config -l",
    "git rev-parse HEAD",
  ])("none of them with %s", async (script) => {
    const found = await reads(script);
    expect(SECRETS.filter((secret) => found.includes(secret))).toEqual([]);
    expect(found).not.toContain("?");
  });
});

test("git diff shows nothing of files that are as they were added, until a script may have changed them", async () => {
  const unchanged = [".env", "src/key.pem"];
  for (const script of ["git diff", "git diff-files -p", "git diff -- . :/", "git diff src sub .env"])
    expect(await reads(script, { unchanged })).toContain("sub/.env.local");
  expect(await reads("git diff", { unchanged })).toEqual(["sub/.env.local"]);
  expect(await reads("git diff --submodule=diff -R", { unchanged })).toEqual(["sub/.env.local"]);
  for (const script of ["git diff HEAD", "git diff --cached", "git diff-index -p HEAD", "unknown-program; git diff"])
    expect(await reads(script, { unchanged })).toEqual(expect.arrayContaining(SECRETS));
});

test("what is read counts once", async () => {
  expect(await reads("git show HEAD:.env")).toEqual([".env"]);
  expect(await reads("cd sub && git show HEAD:./.env.local")).toEqual(["sub/.env.local"]);
  expect(await reads("git cat-file --batch <<< HEAD:.env")).toEqual(SECRETS);
});

test("a path in a batch that is known counts as read though it is tracked no more", async () => {
  expect(await reads("git cat-file --batch <<< HEAD~9:old/.env", { tracks: [] })).toEqual(["old/.env"]);
  expect(await reads("git cat-file --batch-command <<< 'contents HEAD~9:old/.env'", { tracks: [] })).toEqual(["old/.env"]);
});

test("a path in a revision that is not known may be any", async () => {
  expect(await reads('git show HEAD:"$(cat names)"', { tracks: [] })).toContain("?");
});

test("files that need not be tracked are searched for where wildcards and magic lead", async () => {
  expect(await reads("git grep --untracked x -- '*env'")).toEqual(["**", ".env"]);
  expect(await reads("git grep --no-index x -- ':(top).env'")).toContain("?");
});

test("what it tracks cannot be told: nothing is known of what is shown", async () => {
  expect(await reads("git diff", { tracks: null })).toEqual(["?"]);
  expect(await reads("git diff --stat", { tracks: null })).toEqual([]);
});

test("nothing is read by the way where no secret is tracked", async () => {
  for (const script of ["git diff", "git show HEAD", "git log -p", "git grep x", "git stash show -p", "git show deadbee"])
    expect(await reads(script, { tracks: [] })).toEqual([]);
});
