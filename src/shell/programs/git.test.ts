import { describe, expect, test } from "vitest";
import type { Doing } from "../doing.ts";
import { knownWord, type Word } from "../word.ts";
import { GIT } from "./git.ts";

const UNKNOWN: Readonly<Record<string, Word>> = {
  $x: { known: false, raw: '"$x"', single: true, prefix: "" },
  $xs: { known: false, raw: "$xs", single: false, prefix: "" },
  "--pretty=%$x": { known: false, raw: '"--pretty=%$x"', single: true, prefix: "--pretty=%" },
  "--output=$x": { known: false, raw: '"--output=$x"', single: true, prefix: "--output=" },
  "src/*": { known: false, raw: "src/*", single: false, prefix: "src/", below: ["src"] },
};

function git(command: string): Doing {
  const args = command.split(" ").map((word) => UNKNOWN[word] ?? knownWord(word.replaceAll("_", " ")));
  const doing = GIT.git?.({ name: "git", args, stdin: { kind: "empty" } });
  if (!doing) throw new Error("git is not in the table");
  return doing;
}

/** Files as `access path`, with `/**` for a tree. */
function files({ files }: Doing): readonly string[] {
  return files.map(({ access, path, tree }) => `${access} ${path.known ? path.value : path.raw}${tree ? "/**" : ""}`);
}

describe("git", () => {
  test.each([
    ["status", "git"],
    ["log --oneline -20", "git"],
    ["log --format=%h_%an main..HEAD", "git"],
    ["show HEAD~2 --stat", "git"],
    ["diff --cached", "git_without_hooks"],
    ["describe --dirty", "git_without_hooks"],
    ["branch", "git"],
    ["branch -a --contains main", "git"],
    ["tag -l v1*", "git"],
    ["remote -v", "git"],
    ["config --get user.name", "git"],
    ["stash list", "git"],
    ["clean -ndx", "git"],
    ["--no-pager -c color.ui=always log", "git"],
  ])("only reads with `%s`, kept quiet as %s", (command, quiet) => {
    expect(git(command)).toMatchObject({ sure: "declared", files: [], network: [], runs: [], unknown: null, quiet });
  });

  test.each([
    "log --show-signature",
    "log --ext-diff",
    "log --format=%h%G?",
    "log --format=%h%+GK",
    "log --pretty=mine",
    "fsck --lost-found",
    "log --pretty=%$x",
    "log --remerge-diff",
    "log --diff-merges=remerge",
    "log --alternate-refs",
    "log --outp=x",
    "log --help",
    "log $x",
    "show --textcon",
    "diff --ext-diff",
    "diff --ext",
    "diff $xs",
    "rev-list --alternate-refs HEAD",
    "cat-file --filters HEAD:a",
    "for-each-ref --format=%(signature:grade)",
    "for-each-ref --format=%(raw)",
    "tag -l --sort=raw",
    "branch --sort=signature",
    "branch -D main",
    "branch -d main",
    "branch -m a b",
    "branch new",
    "branch -u origin/main",
    "branch --edit-description",
    "branch -f main HEAD",
    "tag v1",
    "tag -d v1",
    "tag -v v1",
    "tag -s v1",
    "remote add a b",
    "remote show origin",
    "remote update",
    "remote -v update",
    "stash",
    "stash drop",
    "stash pop",
    "stash show -p --output",
    "worktree prune",
    "notes add",
    "reflog expire --all",
    "reflog delete HEAD@{1}",
    "reflog drop main",
    "bisect start",
    "bisect run x",
    "symbolic-ref HEAD refs/heads/x",
    "submodule update",
    "submodule foreach x",
    "hash-object -w a",
    "status --porcelain --hel",
    "whatchanged",
    "help log",
    "commit -m x",
    "add a",
    "push",
    "st",
    "lfs ls-files",
    "difftool",
    "verify-commit HEAD",
    "toString",
    "__proto__",
    "$x",
  ])("is open with `%s`", (command) => {
    expect(git(command).sure).toBe("open");
  });

  test.each([
    "-c core.pager=x log",
    "-c alias.log=!x log",
    "-c color.ui",
    "-c $x log",
    "--config-env=a=b log",
    "--exec-path=/x log",
    "--git-dir=/x log",
    "--git-dir /x log",
    "--work-tree=/ status",
    "--bare log",
    "--literal-pathspecs diff",
    "-p log",
    "--paginate log",
    "-ccore.pager=x log",
    "$x",
    "grep -O x",
    "grep -nOvi x",
    "grep --open-files-in-pager=vi x",
    "clone ext::sh_-c_x",
    "clone -u x y",
    "clone -c core.fsmonitor=x https://example.com/a",
    "fetch --upload-pack=x origin",
    "push --receive-pack x origin",
    "init --template=x",
    "config --global alias.x !x",
    "filter-branch --tree-filter x",
    "difftool -x y",
    "submodule foreach rm_x",
    "clone https://a\\@b/c",
  ])("cannot be told with `%s`", (command) => {
    expect(git(command)).toMatchObject({ sure: "open", unknown: expect.any(String) });
  });

  test.each([
    ["diff -- $x", "declared", []],
    ["diff --numstat HEAD~1 -- $x", "declared", []],
    ["diff a..b -Oorder -- $x", "declared", ["read order"]],
    ["log --oneline -- $x", "declared", []],
    ["log -p main -- $x", "declared", []],
    ["show HEAD -- $x", "declared", []],
    ["show HEAD:.env -- $x", "declared", ["read .env"]],
    ["status -s -- $x", "declared", []],
    ["log -- $xs", "declared", ["read $xs"]],
    ["log -- a $x", "declared", ["read a", 'read "$x"']],
    ["log -- -- $x", "declared", ["read --", 'read "$x"']],
    ["diff -- a $x", "declared", ["read a/**", 'read "$x"/**']],
    ["diff -- $x a", "declared", ['read "$x"/**', "read a/**"]],
    ["diff -- $xs", "declared", ["read $xs"]],
    ["diff --no-index -- $x", "declared", ['read "$x"/**']],
    ["diff --no-index a -- $x", "declared", ["read a/**", 'read "$x"/**']],
    ["blame -- $x", "declared", ['read "$x"']],
    ["grep x -- $x", "declared", ['read "$x"']],
    ["-C sub log -- $x", "declared", ["read sub"]],
    ["diff --output=x", "declared", ["write x"]],
    ["diff --output x", "declared", ["write x"]],
    ["log -p --output=../x", "declared", ["write ../x"]],
    ["log -- ../x", "declared", ["read ../x"]],
    ["log -- src/*", "declared", ["read src/*"]],
    ["show HEAD:.env", "declared", ["read .env"]],
    ["show :0:src/.env", "declared", ["read src/.env"]],
    ["cat-file -p HEAD:sub/key.pem", "declared", ["read sub/key.pem"]],
    ["log -- :(exclude)x :!y", "declared", []],
    ["diff origin/main..HEAD", "declared", []],
    ["diff ../..", "declared", ["read ../.."]],
    ["diff .env", "declared", ["read .env"]],
    ["diff /etc/passwd a", "declared", ["read /etc/passwd/**", "read a/**"]],
    ["diff a -- ../../b", "declared", ["read a/**", "read ../../b/**"]],
    ["diff --no-index a b", "declared", ["read a/**", "read b/**"]],
    ["diff -Oorder", "declared", ["read order"]],
    ["grep x", "declared", []],
    ["grep /api/x", "declared", []],
    ["grep -f patterns", "declared", ["read patterns"]],
    ["grep --untracked x", "declared", ["read ./**"]],
    ["grep --no-index -e x .. src", "declared", ["read ../**", "read src/**"]],
    ["blame --contents /x a", "declared", ["read /x", "read a"]],
    ["blame HEAD -- .env", "declared", ["read HEAD", "read .env"]],
    ["ls-files -X list ..", "declared", ["read list", "stat ../**"]],
    ["config -f x -l", "declared", ["read x"]],
    ["-C sub -C ../b diff --output=x", "declared", ["read sub/../b", "write sub/../b/x"]],
    ["-C /a log -- /b", "declared", ["read /a", "read /b"]],
    ["checkout -- a src/*", "open", ["write a/**", "write src/*/**"]],
    ["checkout HEAD~1 a", "open", ["write a/**"]],
    ["checkout .", "open", ["write ./**"]],
    ["checkout main", "open", []],
    ["restore --source=HEAD a", "open", ["write a/**"]],
    ["restore --staged a", "open", []],
    ["reset --hard HEAD", "open", ["write ./**"]],
    ["rm -rf a", "open", ["delete a/**"]],
    ["rm --cached a", "open", []],
    ["mv a b c", "open", ["delete a/**", "delete b/**", "write c/**"]],
    ["clean -fdx", "open", ["delete ./**"]],
    ["clean -f -- build", "open", ["delete build/**"]],
    ["add .env", "open", ["read .env"]],
    ["commit -F note", "open", ["read note"]],
    ["apply /x.patch", "open", ["read /x.patch"]],
    ["init", "open", []],
    ["init sub", "open", ["write sub/**"]],
    ["worktree add ../w main", "open", ["write ../w/**"]],
    ["worktree remove w", "open", ["delete w/**"]],
    ["format-patch -o out HEAD~1", "open", ["write out/**"]],
    ["archive --output=a.tar HEAD", "open", ["write a.tar"]],
    ["bundle create f HEAD", "open", ["write f"]],
    ["config user.name x", "open", []],
    ["config --add branch.a.b.remote o", "open", []],
    ["config set pull.rebase true", "open", []],
    ["config --unset remote.o.url", "open", []],
    ["config remote.o.url ext::x", "open", ["write .git/config"]],
    ["config set core.editor x", "open", ["write .git/config"]],
    ["config alias.st status", "open", ["write .git/config"]],
    ["config user", "open", ["write .git/config"]],
    ["config --rename-section user alias", "open", ["write .git/config"]],
    ["config --unset core.hooksPath", "open", ["write .git/config"]],
    ["config -f x a.b c", "open", ["write x"]],
    ["config --edit", "open", ["write .git/config"]],
    ["clone ../a", "open", ["read ../a", "write a/**"]],
    ["push /mnt/x main", "open", ["write /mnt/x/**"]],
  ])("uses with `%s` (%s) %j", (command, sure, expected) => {
    const doing = git(command);
    expect([doing.sure, files(doing), doing.unknown]).toEqual([sure, expected, null]);
  });

  test.each([
    ["clone https://User:pw@Example.com/a/b.git", "example.com", 443, ["write b/**"]],
    ["clone git@example.com:a/b.git dir", "example.com", 22, ["write dir/**"]],
    ["clone --depth 1 ssh://git@example.com:2222/a", "example.com", 2222, ["write a/**"]],
    ["fetch git://example.com/a", "example.com", 9418, []],
    ["pull https://example.com:8443/a main", "example.com", 8443, []],
    ["push --force ssh://[::1]/a main", "::1", 22, []],
    ["ls-remote http://example.com./x", "example.com", 80, []],
  ])("reaches with `%s` the host %s at port %i", (command, host, port, expected) => {
    const doing = git(command);
    expect(doing).toMatchObject({ sure: "open", network: [{ host, port }], unknown: null });
    expect(files(doing)).toEqual(expected);
  });

  test("guesses no host for a remote's name", () => {
    expect(git("fetch origin main")).toMatchObject({ sure: "open", network: [], files: [], unknown: null });
  });

  test("names what it is told to run", () => {
    expect(git("bisect run npm test").runs).toEqual([{ words: [knownWord("npm"), knownWord("test")] }]);
    expect(git("rebase -x rm_a --exec=b main").runs).toEqual([{ script: knownWord("rm a") }, { script: knownWord("b") }]);
  });

  test.each(["push", "upload-pack", "grep", "log"])("named git-%s is open, and does what git does with that", (name) => {
    const args = [knownWord("-p"), knownWord("x")];
    const doing = GIT[`git-${name}`]?.({ name: `git-${name}`, args, stdin: { kind: "empty" } });
    expect(doing).toMatchObject({ sure: "open", runs: [{ words: [knownWord("git"), knownWord(name), ...args] }] });
  });

  test("looks for its repository from the folders of -C", () => {
    expect(git("-C a -C b log").quietIn).toEqual([knownWord("a"), knownWord("b")]);
    expect(git("-C $x log")).toMatchObject({ files: [{ access: "read", path: UNKNOWN.$x }] });
  });
});
