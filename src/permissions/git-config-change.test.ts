import { describe, expect, test } from "vitest";
import { isHarmlessGitConfigChange } from "./git-config-change.ts";

const BASE = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
const change = (after: string | null, before: string | null = BASE, moduleDepth: number | null = null) =>
  isHarmlessGitConfigChange({ before, after, moduleDepth });

describe("a change of git's settings is harmless", () => {
  test.each([
    ["who commits", "[user]\n\tname = A\n\temail = a@example.org\n"],
    ["a remote", '[remote "o"]\n\turl = https://example.org/x.git\n\tfetch = +refs/heads/*:refs/remotes/o/*\n'],
    ["a remote by ssh", '[remote "o"]\n\turl = git@my-host.example.org:a/b.git\n'],
    ["a remote on this disk", '[remote "o"]\n\turl = ../other\n\tpushurl = /srv/git/x.git\n'],
    ["a branch", '[branch "main"]\n\tremote = o\n\tmerge = refs/heads/main\n\trebase = true\n'],
    ["a submodule", '[submodule "sub"]\n\turl = https://example.org/y\n\tactive = true\n\tupdate = rebase\n'],
    ["names in any case", "[USER]\n\tNAME = A\n"],
    ["a comment", "# nothing\n; at all\n"],
    ["what is shown", "[pull]\n\trebase = true\n[color]\n\tui = auto\n"],
  ])("with %s", (_, added) => {
    expect(change(BASE + added)).toBe(true);
    expect(change(BASE, BASE + added)).toBe(true);
    expect(change(BASE + added, null)).toBe(true);
  });

  test.each([
    "[core]\n\thooksPath = x\n",
    "[core]\n\tfsmonitor = x\n",
    "[core]\n\tfsmonitor\n",
    "[core]\n\tsshCommand = x\n",
    "[core]\n\tpager = x\n",
    "[core]\n\teditor = x\n",
    "[core]\n\tgitProxy = x\n",
    "[core]\n\taskPass = x\n",
    "[core]\n\tattributesFile = x\n",
    "[core]\n\tworktree = ../../..\n",
    "[core]\n\talternateRefsCommand = x\n",
    "[ALIAS]\n\tst = !x\n",
    "[alias]\n\tst = status\n",
    '[alias "x"]\n\tcommand = !x\n',
    '[filter "x"]\n\tclean = x\n',
    '[filter "lfs"]\n\tprocess = git-lfs filter-process\n',
    '[diff "x"]\n\ttextconv = x\n',
    "[diff]\n\texternal = x\n",
    "[diff]\n\ttool = x\n",
    '[difftool "x"]\n\tcmd = x\n',
    '[merge "x"]\n\tdriver = x\n',
    "[include]\n\tpath = x\n",
    '[includeIf "gitdir:/"]\n\tpath = x\n',
    "[credential]\n\thelper = !x\n",
    '[credential "https://example.org"]\n\thelper = x\n',
    '[url "x"]\n\tinsteadOf = https://\n',
    '[url "x"]\n\tpushInsteadOf = https://\n',
    "[gpg]\n\tprogram = x\n",
    '[gpg "ssh"]\n\tdefaultKeyCommand = x\n',
    "[sequence]\n\teditor = x\n",
    "[pager]\n\tlog = x\n",
    "[protocol]\n\tallow = always\n",
    '[remote "o"]\n\turl = ext::sh -c x\n',
    '[remote "o"]\n\turl = x::y\n',
    '[remote "o"]\n\turl = foo://x\n',
    '[remote "o"]\n\turl = -x\n',
    '[remote "o"]\n\turl = git@-oProxyCommand=x:y\n',
    '[remote "o"]\n\turl = ssh://-oProxyCommand=x/y\n',
    '[remote "o"]\n\turl\n',
    '[remote "o"]\n\tuploadpack = x\n',
    '[remote "o"]\n\treceivepack = x\n',
    '[remote "o"]\n\tvcs = x\n',
    '[remote "o"]\n\tproxy = x\n',
    '[submodule "s"]\n\tupdate = !x\n',
    '[branch "b"]\n\tmergeOptions = -s x\n',
    "[http]\n\tproxy = x\n",
    "[sendemail]\n\tsmtpServer = x\n",
    "[uploadpack]\n\tpackObjectsHook = x\n",
    "[hook]\n\tx = y\n",
    "[unheard]\n\tof = x\n",
    '[user "x"]\n\tname = A\n',
    "[core",
    "name = before any section",
    '[core]\n\teditor = "open\n',
  ])("not with %j", (added) => {
    const after = added.startsWith("name") ? added + BASE : BASE + added;
    expect(change(after)).toBe(false);
    expect(change(BASE, after)).toBe(false);
  });

  test("not when one that runs something is changed or moved, but when it stays as it was", () => {
    const [vi, ed] = ["[core]\n\teditor = vi\n", "[core]\n\teditor = ed\n"];
    expect(change(`${BASE}${vi}[user]\n\tname = B\n`, `${BASE}${vi}`)).toBe(true);
    expect(change(BASE + ed, BASE + vi)).toBe(false);
    // the last one counts
    expect(change(BASE + ed + vi, BASE + vi + ed)).toBe(false);
  });

  test("not when the file is gone", () => {
    expect(change(null)).toBe(false);
    expect(change(null, null)).toBe(true);
    expect(change("")).toBe(true);
  });

  test.each([
    ["../../../sub", 3, true],
    ["../../../libs/sub", 3, true],
    ["../../sub", 3, false],
    ["../../../../sub", 3, false],
    ["../../../sub/../../x", 3, false],
    ["../../../.git", 3, false],
    ["../../..", 3, false],
    ["/tmp/x", 3, false],
    ["../../../sub", null, false],
  ])("with the work tree %s of a submodule at depth %s: %s", (worktree, depth, expected) => {
    expect(change(`${BASE}\tworktree = ${worktree}\n`, null, depth)).toBe(expected);
  });
});
