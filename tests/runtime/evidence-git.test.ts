import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makePlace, open, type Place } from "./place.ts";

const HAS_GIT = spawnSync("git", ["--version"]).status === 0;
let place: Place;
/** A repository beside the workspace, to clone and fetch from. */
let origin: string;

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", args, { cwd, encoding: "utf8", env: { PATH: process.env.PATH, HOME: join(place.root, "home") } });

beforeEach(() => {
  place = makePlace({ "a.txt": "a\n" });
  writeFileSync(
    join(place.root, "home/.gitconfig"),
    '[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
  );
  origin = join(place.root, "origin");
  mkdirSync(origin);
  git(origin, "init", "-q");
  writeFileSync(join(origin, "b.txt"), "b\n");
  git(origin, "add", ".");
  git(origin, "commit", "-qm", "theirs");
  git(place.workspace, "init", "-q");
  git(place.workspace, "add", ".");
  git(place.workspace, "commit", "-qm", "first");
});

/** The script in the given folder, behind a program of which nothing is known. */
async function run(command: string, where: Place = place) {
  const program = join(where.root, "bin/open-ended");
  mkdirSync(join(where.root, "bin"), { recursive: true });
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  const { runtime } = await open(where);
  const result = await runtime.call("bash", { command: `${program} && ${command}` });
  await runtime.close();
  return result;
}

describe.skipIf(!HAS_GIT)("everyday git works beside the evidence guard (skipped without git):", () => {
  test.each([
    ["config user.email", "git config user.email b@example.org"],
    [
      "remote add, fetch, track, pull",
      "git remote add o ../origin && git fetch -q o && git checkout -q -b theirs --track o/main && git pull -q",
    ],
    [
      "remote set-url, rename, remove",
      "git remote add o ../origin && git remote set-url o https://example.org/x.git && git remote rename o p && git remote remove p",
    ],
    ["branch -u", "git remote add o ../origin && git fetch -q o && git branch -u o/main && git branch --unset-upstream"],
    ["push -u", "git init -q --bare bare && git remote add o ./bare && git push -q -u o main"],
    ["clone inside", "git clone -q ../origin sub && git -C sub config user.email c@example.org"],
    ["submodule add, update", "git submodule -q add ../origin sub && git commit -qm sub && git submodule -q update --init --recursive"],
    ["worktree add", "git worktree add -q ../tree -b side && git worktree list && git worktree remove ../tree"],
    ["sparse-checkout", "git sparse-checkout set src && git sparse-checkout disable"],
    [
      "stash, rebase, reset, gc",
      "echo x >> a.txt && git stash -q && git stash pop -q && git commit -qam x && git rebase -q HEAD~1 && git reset -q --hard HEAD~1 && git gc -q",
    ],
    [
      "tag, merge",
      "git tag v1 && git checkout -q -b side && git commit -q --allow-empty -m s && git checkout -q main && git merge -q side",
    ],
    ["pull.rebase", "git config pull.rebase true && git config push.autoSetupRemote true"],
    ["init again", "git init -q"],
  ])("%s", async (_, command) => {
    expect(await run(command)).toMatchObject({ ok: true, exit_code: 0 });
  });

  test("init where there was none", async () => {
    const bare = makePlace({ "a.txt": "a\n" });
    expect(
      await run("git init -q && git config user.email a@example.org && git config user.name A && git add . && git commit -qm a", bare),
    ).toMatchObject({
      ok: true,
    });
    expect(existsSync(join(bare.workspace, ".git/HEAD"))).toBe(true);
  });

  test("clone into the workspace itself", async () => {
    const empty = makePlace();
    expect(await run(`git clone -q ${origin} .`, empty)).toMatchObject({ ok: true });
    expect(readFileSync(join(empty.workspace, "b.txt"), "utf8")).toBe("b\n");
  });

  test("a hook of the user's own runs at a commit, and stays", async () => {
    const hook = join(place.workspace, ".git/hooks/pre-commit");
    writeFileSync(hook, "#!/bin/sh\necho ran > ran.txt\n");
    chmodSync(hook, 0o755);
    expect(await run("echo y >> a.txt && git commit -qam second")).toMatchObject({ ok: true });
    expect(readFileSync(join(place.workspace, "ran.txt"), "utf8")).toBe("ran\n");
    expect(existsSync(hook)).toBe(true);
  });

  test("a hook of the user's own that rewrites hooks is found out", async () => {
    const hook = join(place.workspace, ".git/hooks/pre-commit");
    writeFileSync(hook, "#!/bin/sh\necho evil > .git/hooks/post-commit\n");
    chmodSync(hook, 0o755);
    expect(await run("git commit -q --allow-empty -m second")).toMatchObject({ error: { kind: "protected_path" } });
    expect(existsSync(join(place.workspace, ".git/hooks/post-commit"))).toBe(false);
  });

  test("settings that ran something before may stay while others change", async () => {
    git(place.workspace, "config", "core.editor", "vi");
    expect(await run("git config user.email b@example.org")).toMatchObject({ ok: true });
    expect(await run("git config --unset core.editor")).toMatchObject({ error: { kind: "protected_path" } });
    expect(git(place.workspace, "config", "core.editor")).toBe("vi\n");
  });
});

describe.skipIf(!HAS_GIT)("a workspace whose .git is a file (skipped without git)", () => {
  let tree: Place;
  beforeEach(() => {
    const workspace = join(place.root, "tree");
    git(place.workspace, "worktree", "add", "-q", workspace, "-b", "side");
    tree = { ...place, workspace };
  });

  test("works as ever", async () => {
    expect(await run("echo y >> a.txt && git commit -qam second && git config user.email b@example.org", tree)).toMatchObject({ ok: true });
  });

  test.each([
    ["hooks of the common folder", "../ws/.git/hooks/pre-commit"],
    ["settings of the common folder", "../ws/.git/config"],
    ["settings of its own folder", "../ws/.git/worktrees/tree/config.worktree"],
    ["where the common folder is", "../ws/.git/worktrees/tree/commondir"],
    ["the file itself", ".git"],
  ])("guards %s", async (_, path) => {
    const file = join(tree.workspace, path);
    const before = existsSync(file) ? readFileSync(file, "utf8") : null;
    const code = `require("fs").writeFileSync(${JSON.stringify(path)}.replace("ws/", "w" + "s/"), "[alias]\\nx = !evil\\n")`;
    expect(await run(`${process.execPath} -e '${code}'`, tree)).toMatchObject({
      error: { kind: "protected_path", details: { restored: [{ path: file.replace("tree/../", "") }] } },
    });
    expect(existsSync(file) ? readFileSync(file, "utf8") : null).toBe(before);
  });
});
