import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makePlace, open, type Place } from "./place.ts";

const HAS_GIT = spawnSync("git", ["--version"]).status === 0;
let place: Place;
const git = (...args: string[]) =>
  execFileSync("git", args, {
    cwd: place.workspace,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: join(place.root, "home") },
  });
const at = (path: string) => join(place.workspace, path);
const text = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : null);

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(at(path), ".."), { recursive: true });
    writeFileSync(at(path), content);
  }
}

async function bash(command: string) {
  const { runtime } = await open(place);
  const result = await runtime.call("bash", { command });
  await runtime.close();
  return result;
}

/** A repository with a guarded file in two versions, on the branches `main` and `other`. */
beforeEach(() => {
  place = makePlace();
  writeFileSync(join(place.root, "home/.gitconfig"), "[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n");
  if (!HAS_GIT) return;
  git("init", "-q");
  write({ "a.txt": "a\n", ".vscode/settings.json": "{}\n" });
  git("add", "-A");
  git("commit", "-qm", "first");
  git("checkout", "-q", "-b", "other");
  write({ ".vscode/settings.json": '{"other":1}\n', "a.txt": "b\n" });
  git("commit", "-qam", "other");
  git("checkout", "-q", "main");
});

describe.skipIf(!HAS_GIT)("everyday git with a guarded file that is tracked (skipped without git):", () => {
  test.each([
    ["git checkout other", '{"other":1}\n'],
    ["git checkout -b new other", '{"other":1}\n'],
    ["git --no-pager merge --no-edit other", '{"other":1}\n'],
    ["git pull -q . other", '{"other":1}\n'],
    ["git rebase -q other", '{"other":1}\n'],
    ["git revert --no-edit HEAD", null],
    ["git fetch -q . && git reset --hard other 2>/dev/null", '{"other":1}\n'],
    ["git checkout other && git commit --allow-empty -qm x", '{"other":1}\n'],
  ])("%s", async (command, content) => {
    expect(await bash(command)).toMatchObject({ ok: true });
    expect(text(".vscode/settings.json")).toBe(content);
    expect(git("status", "--porcelain")).toBe("");
  });

  test("stash puts what was changed away, and pop brings it again", async () => {
    write({ ".vscode/settings.json": '{"mine":1}\n' });
    expect(await bash("git stash")).toMatchObject({ ok: true });
    expect(text(".vscode/settings.json")).toBe("{}\n");
    expect(await bash("git stash pop")).toMatchObject({ ok: true });
    expect(text(".vscode/settings.json")).toBe('{"mine":1}\n');
  });
});

describe.skipIf(!HAS_GIT)("git is no way to change a guarded file (skipped without git):", () => {
  const evil = "git update-index --add --cacheinfo 100644,$(git hash-object -w evil.json),.vs''code/settings.json";

  beforeEach(() => {
    write({
      "evil.json": '{"evil":1}\n',
      "vs/settings.json": '{"evil":1}\n',
      "p.diff": '--- a/.vscode/settings.json\n+++ b/.vscode/settings.json\n@@ -1 +1 @@\n-{}\n+{"evil":1}\n',
      "evil.sh": "cp evil.json .vscode/settings.json; git add .vscode/settings.json\n",
      "x/.vscode/settings.json": '{"evil":1}\n',
    });
    execFileSync("tar", ["-cf", at("e.tar"), "-C", at("x"), "."]);
  });

  test.each([
    ["the index and git's checkout of it", `${evil} && git checkout-index -f -a`],
    ["the index and a checkout of all paths", `${evil} && git checkout -- .`],
    ["a patch that goes into the index too", "git apply --index p.diff"],
    ["what is taken from an archive and added", "tar xf e.tar && git add -A"],
    ["what is copied and added, beside a checkout", "cp -r x/. . && git add -A && git checkout -q -b new"],
    ["a program that git is told to run", "git -c core.fsmonitor='sh evil.sh' status"],
    ["an alias", "git -c alias.x='!sh evil.sh' x"],
    ["a rebase that runs something", "git rebase -q --exec 'sh evil.sh' HEAD~0; git rebase -f -q -x 'sh evil.sh' --root"],
    ["a bisection", "git bisect start HEAD other; git bisect run sh evil.sh"],
    ["a checkout of paths of another version", "git checkout -q -b new && git checkout other -- ."],
    ["a checkout of a folder of another version", "git checkout other ."],
    ["an editor", "GIT_EDITOR='sh evil.sh' git commit --amend"],
    ["a variable that is exported", "export GIT_SSH_COMMAND='sh evil.sh'; git pull ssh://localhost/x main"],
    ["an uploader", "git pull -q --upload-pack='sh evil.sh #' . other"],
  ])("%s", async (_, command) => {
    await bash(command);
    expect(text(".vscode/settings.json")).toBe("{}\n");
  });

  test.each([
    ["of its own folder", ".git/hooks/post-checkout", null, "git checkout -q -b new"],
    ["of a folder in the workspace", "tools/hooks/post-checkout", "tools/hooks", "git checkout -q -b new"],
    ["beside it", ".git/hooks/pre-commit", null, "git checkout -q -b new && git commit -q --allow-empty -m x"],
  ])("a hook %s that runs at a checkout", async (_, path, hooksPath, command) => {
    write({ [path]: "#!/bin/sh\nsh evil.sh\n" });
    chmodSync(at(path), 0o755);
    if (hooksPath !== null) git("config", "core.hooksPath", hooksPath);
    expect(await bash(command)).toMatchObject({ error: { kind: "protected_path" } });
    expect(text(".vscode/settings.json")).toBe("{}\n");
  });

  test("an index that an earlier call prepared, with all that brings files from it", async () => {
    await bash(evil);
    for (const command of ["git checkout -- .", "git restore .", "git checkout-index -f -a", "git stash -k"]) {
      await bash(command);
      expect(text(".vscode/settings.json")).toBe("{}\n");
    }
  });
});
