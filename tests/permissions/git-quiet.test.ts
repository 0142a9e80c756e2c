import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Doing } from "../../src/shell/doing.ts";
import { GIT } from "../../src/shell/programs/git.ts";
import { GIT_QUIET } from "../../src/shell/programs/git-quiet.ts";
import { gitSettingThatRuns } from "../../src/shell/programs/git-settings.ts";
import { knownWord } from "../../src/shell/word.ts";
import { HostileRepository } from "./hostile-repository.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("git is not installed: the tests that run it against a hostile repository are skipped");

/** Forms that the table calls reads. Blanks part words. */
const READS = `
status;status -s;status -sb;status --porcelain=v2 -z;status -v;status --ignored;status -uall;status -- sub
log;log -5;log -p;log --oneline --graph --all --decorate;log --stat -3;log --format=%H%x09%s;log --pretty=oneline;log --pretty=fuller;log -g
log --since=2.days --author=A;log -S two;log -L 1,1:b.txt;log --follow -- b.txt;log main..other;log -p --cc -m;log --name-status --no-merges
log --notes;log --cherry-pick --left-right main...other;log --diff-merges=on -p;log --textconv -p
show;show HEAD;show --stat HEAD~1;show HEAD:b.txt;show v1;show --name-only;show main:sub;show -s --format=%an;show --no-textconv
diff;diff --stat;diff --cached;diff HEAD;diff HEAD~1 HEAD -- b.txt;diff main...other;diff --name-only;diff --word-diff=color -w -U1;diff --check;diff --no-index b.txt a.x
diff --exit-code --quiet;diff --submodule=diff;diff --no-ext-diff;diff -M -C --find-copies-harder;diff --merge-base other
diff-tree -p HEAD;diff-tree --no-commit-id --name-only -r HEAD;diff-files;diff-files -p;diff-index HEAD;diff-index --cached -p HEAD
rev-list --count HEAD;rev-list --all --objects;rev-list -n 1 main;rev-list --pretty=medium HEAD;rev-list --left-right --count main...other
reflog;reflog show;reflog -n 3;reflog HEAD@{0};shortlog -sne HEAD;shortlog -s -n --all;shortlog --group=author HEAD
grep one;grep -n -i two -- b.txt;grep -l o HEAD;grep -e a --and -e b;grep --untracked one;grep --no-index one sub;grep --textconv one;grep -c -E o|t
blame b.txt;blame -L 1,1 -w -C b.txt;blame HEAD -- b.txt;blame --porcelain a.x;blame --contents a.x b.txt;annotate b.txt
range-diff main~1..main main~1..other;cherry -v other main;describe;describe --tags --always;describe --dirty;describe --broken --always;show-branch;show-branch --all
for-each-ref;for-each-ref --sort=-committerdate --format=%(refname:short) refs/heads;show-ref;show-ref --heads -s;show-ref --verify refs/heads/main
rev-parse HEAD;rev-parse --abbrev-ref HEAD;rev-parse --show-toplevel --git-dir --is-inside-work-tree;rev-parse --short=8 HEAD;rev-parse --show-superproject-working-tree
ls-files;ls-files -m -o --exclude-standard;ls-files -s;ls-files -z sub;ls-files -d --deduplicate;ls-files --recurse-submodules;ls-files --eol
ls-tree HEAD;ls-tree -r --name-only HEAD sub;cat-file -p HEAD;cat-file -t HEAD;cat-file -p HEAD:b.txt;cat-file --textconv HEAD:a.x;cat-file --batch-check --batch-all-objects
merge-base main other;merge-base --is-ancestor other main;name-rev HEAD;count-objects -vH;check-ignore -v ignored;check-attr -a a.x;check-ref-format --branch main
check-mailmap A<a@example.com>;hash-object a.x;symbolic-ref HEAD;symbolic-ref --short HEAD;var GIT_EDITOR;var -l;version;version --build-options
show HEAD --name-only --format=;clean -n;clean -ndx;clean --dry-run -fd
branch;branch -a;branch -vv;branch --list ma*;branch --show-current;branch --contains HEAD;branch -r --sort=-committerdate;branch --merged main;branch --no-merged
tag;tag -l v*;tag -n;tag --sort=-creatordate;tag --contains HEAD;tag --points-at HEAD~1;remote;remote -v;remote get-url origin;remote show;remote show -n origin
stash list;stash list -p;stash show;stash show -p;stash show --stat stash@{0};worktree list;worktree list --porcelain;notes;notes list;notes show HEAD~1
submodule;submodule status;submodule status --recursive;config --list;config -l --show-origin;config user.name;config --get user.name;config --get-regexp user;config get user.name;config --global -l
--no-pager log -1;-P diff;-C sub status;-C .. -C repository log -1;-c color.ui=never -c core.quotepath=off status;--no-optional-locks status;--version;--exec-path;log -h;diff -h
`
  .trim()
  .split(/[;\n]/);

function doingOf(command: string): Doing {
  const doing = GIT.git?.({ name: "git", args: command.split(" ").map(knownWord), stdin: { kind: "empty" } });
  if (!doing) throw new Error("git is not in the table");
  return doing;
}

function quietEnvironment({ quiet }: Doing): Readonly<Record<string, string>> {
  return quiet === undefined ? {} : quiet === "git" ? GIT_QUIET.always : GIT_QUIET.withoutHooks;
}

describe.skipIf(!hasGit)("git in a hostile repository", () => {
  let repository: HostileRepository;

  beforeAll(() => {
    repository = new HostileRepository();
    repository.trap();
  });
  beforeEach(() => {
    repository.touch();
    repository.clear();
  });
  afterAll(() => rmSync(repository.base, { recursive: true }));

  test.each(READS)("runs nothing for git %s", (command) => {
    const doing = doingOf(command);
    expect(doing.sure).toBe("declared");
    const before = repository.files();
    const { stderr, status } = repository.git(command, { env: quietEnvironment(doing) });
    expect(repository.marked()).toEqual([]);
    expect(repository.files()).toEqual(before);
    // it is a form that git knows, or it would show nothing
    expect([status, stderr]).not.toEqual([129, expect.stringContaining("unknown")]);
    expect(stderr).not.toMatch(/unknown option|unrecognized argument|invalid option/);
  });

  test.each([
    ["status", "fsmonitor"],
    ["status", "hook-post-index-change"],
    ["diff", "hook-post-index-change"],
    ["describe --dirty", "hook-post-index-change"],
    ["--paginate log", "gpg"],
  ])("would run, for git %s without the environment, the %s", (command, mark) => {
    if (mark === "gpg") repository.git(["config", "gpg.program", repository.program("gpg")]);
    repository.git(command);
    repository.git("config --unset gpg.program");
    expect(repository.marked()).toContain(mark);
  });

  test.each([
    ["status", true],
    ["log -p", true],
    ["diff-files -p", true],
    ["ls-files -m", true],
    ["stash show -p", true],
    // to note the times of files that changed in nothing else git has no switch
    ["diff", false],
    ["describe --dirty", false],
  ])("leaves the index as it is with git %s: %s", (command, expected) => {
    const index = () => statSync(join(repository.folder, ".git/index"), { bigint: true }).mtimeNs;
    const before = index();
    repository.git(command, { env: quietEnvironment(doingOf(command)) });
    expect(index() === before).toBe(expected);
  });

  test("checks no signature though the repository wants all checked", () => {
    repository.git(["config", "gpg.program", repository.program("gpg")]);
    repository.git("log -3", { env: GIT_QUIET.always });
    repository.git("show", { env: GIT_QUIET.always });
    repository.git("config --unset gpg.program");
    expect(repository.marked()).toEqual([]);
  });
});

describe.skipIf(!hasGit)("what the environment of git does not switch off", () => {
  const rows = [
    ["diff.external", "diff"],
    ["diff.evil.command", "diff"],
    ["diff.evil.textconv", "diff"],
    ["diff.evil.textconv", "show HEAD:a.x --textconv"],
    ["diff.evil.textconv", "log -p"],
    ["diff.evil.textconv", "blame a.x"],
    ["filter.evil.clean", "diff"],
    ["filter.evil.clean", "status"],
    ["filter.evil.clean", "hash-object a.x"],
    ["gpg.program", "log --format=%G?"],
  ] as const;

  let repository: HostileRepository;

  beforeAll(() => {
    repository = new HostileRepository();
  });
  beforeEach(() => {
    repository.touch();
    repository.clear();
  });
  afterAll(() => rmSync(repository.base, { recursive: true }));

  test.each(rows)("%s is found in the configuration, and git %s would run it", (key, command) => {
    repository.git(["config", key, repository.program("evil")]);
    const found = gitSettingThatRuns(readFileSync(join(repository.folder, ".git/config"), "utf8"));
    repository.git(command, { env: GIT_QUIET.withoutHooks });
    repository.git(["config", "--unset", key]);
    expect(found).toBe(key);
    expect(repository.marked()).toEqual(["evil"]);
  });

  test("a file in place of the revisions that blame leaves out is printed, and so it must have their name and be no link", () => {
    repository.write("secret", "hunter2\n");
    repository.git("config blame.ignoreRevsFile secret");
    const found = gitSettingThatRuns(readFileSync(join(repository.folder, ".git/config"), "utf8"));
    const { stderr } = repository.git("blame b.txt", { env: GIT_QUIET.always });
    repository.git("config --unset blame.ignoreRevsFile");
    expect([found, stderr]).toEqual(["blame.ignorerevsfile", expect.stringContaining("hunter2")]);
  });

  test("a repository that came as files is not found by chance", () => {
    repository.git("clone -q --bare . bare");
    expect(repository.git("-C bare log -1").status).toBe(0);
    expect(repository.git("-C bare log -1", { env: GIT_QUIET.always }).status).toBe(128);
  });

  test("a commit and a push beside it run their hooks, and reach a repository that is named", () => {
    repository.git("bisect reset");
    repository.git("init -q --bare ../target.git");
    repository.git("remote set-url origin ../target.git");
    repository.trap();
    repository.touch();
    repository.clear();
    expect(repository.git("commit -q -a -m third", { env: GIT_QUIET.always }).status).toBe(0);
    expect(repository.git("push -q origin main", { env: GIT_QUIET.always }).status).toBe(0);
    expect(repository.marked()).toEqual(
      expect.arrayContaining(["hook-pre-commit", "hook-commit-msg", "hook-post-commit", "hook-pre-push"]),
    );
  });
});
