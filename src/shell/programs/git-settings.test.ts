import { describe, expect, test } from "vitest";
import { gitSettings } from "../../base/git-config-text.ts";
import { gitSettingThatRuns } from "./git-settings.ts";

const ORDINARY = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	excludesFile = .ignored-here ; a file of the repository
[remote "origin"]
	url = git@example.com:a/b.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
[alias]
	st = !evil
[user]
	name = A "quoted; # name" \\
  that goes on
[diff]
	renames = copies
[diff "x"]
	xfuncname = "^(.*)$"
[gpg]
	format = ssh
[blame]
	ignoreRevsFile = .git-blame-ignore-revs
[mailmap]
	file = .mailmap
	blob = HEAD:.mailmap
`;

describe("gitSettingThatRuns", () => {
  test("finds nothing in an ordinary repository, nor in an empty file", () => {
    expect(gitSettingThatRuns(ORDINARY)).toBeNull();
    expect(gitSettingThatRuns("")).toBeNull();
  });

  test.each([
    ["[diff]\n\texternal = x", "diff.external"],
    ['[diff "Pdf"]\n\tTextConv = x', "diff.Pdf.textconv"],
    ['[diff "x"]command=x', "diff.x.command"],
    ["[diff.X]\ncommand=x", "diff.x.command"],
    ['[diff.x "Y"]\ncommand=x', "diff.x.Y.command"],
    ['[diff ""]\ncommand=x', "diff..command"],
    ['[core]\na=b [diff]\n[x][FILTER "a\\"]b"] clean = c', 'filter.a"]b.clean'],
    ['[filter "lfs"]\n\tprocess', "filter.lfs.process"],
    ['[filter "lfs"]\r\n\tsmudge = x\r\n', "filter.lfs.smudge"],
    ['[merge "x"]\n\tdriver = x', "merge.x.driver"],
    ["[gpg]\n\tprogram = x", "gpg.program"],
    ['[gpg "ssh"]\n\tprogram = x', "gpg.ssh.program"],
    ['[gpg "ssh"]\n\tdefaultKeyCommand = x', "gpg.ssh.defaultkeycommand"],
    ['[hook "a"]\n\tcommand = x', "hook.a.command"],
    ["[include]\n\tpath = x", "include.path"],
    ['[includeIf "gitdir:~/x]y/"]\n\tpath = x', "includeif.gitdir:~/x]y/.path"],
    ["[core]\n\tworktree = /", "core.worktree"],
    ["[extensions]\n\tpartialClone = origin", "extensions.partialclone"],
    ['[remote "o"]\n\tpromisor = true', "remote.o.promisor"],
    ["[core]\n\texcludesFile = ../../secret", "core.excludesfile"],
    ["[blame]\n\tignoreRevsFile = ~/.ssh/id_rsa", "blame.ignorerevsfile"],
    ["[blame]\n\tignoreRevsFile = .env", "blame.ignorerevsfile"],
    ["[blame]\n\tignoreRevsFile", "blame.ignorerevsfile"],
    ["[core]\n\texcludesFile = .env", "core.excludesfile"],
    ["[core]\n\texcludesFile = .ssh/ignore", "core.excludesfile"],
    ["[core]\n\tattributesFile = id_rsa", "core.attributesfile"],
    ["[mailmap]\n\tfile = .netrc", "mailmap.file"],
    ["[mailmap]\n\tblob = HEAD:.env", "mailmap.blob"],
    ["[diff]\n\torderFile = .env", "diff.orderfile"],
    ['# [a]\n;[b\n[core] # [c]\n x = "# ; \\" "\\\n # y\n[diff] external = z', "diff.external"],
    ["\uFEFF[diff]external=x", "diff.external"],
  ])("finds in %j the setting %s", (text, key) => {
    expect(gitSettingThatRuns(text)).toBe(key);
  });

  test.each([
    "[core",
    "[core\n]",
    '[core "x',
    '[core "x\n"]',
    '[core "x" ]',
    "[co_re]",
    '[core]\nx = "open',
    "[core]\nx = \\q",
    "[core]\n_x = 1",
    "[core]\nx y",
    "x = 1",
    "[core]\nx = \\",
  ])("does not take %j for understood", (text) => {
    expect(gitSettingThatRuns(text)).toBe("its configuration is not understood");
  });

  test("reads values as git does", () => {
    const text = '[a "b\\\\c\\d"]\n x = one  two \t# c\n y = " a ;b" c\\t\\"\n Z-1\n w = a\\\n  b ; \\\n v = \n';
    expect(gitSettings(text)).toEqual(
      [
        ["x", "one  two"],
        ["y", ' a ;b c\t"'],
        ["z-1", null],
        ["w", "a  b"],
        ["v", ""],
      ].map(([name, value]) => ({ section: "a", subsection: "b\\cd", name, value })),
    );
  });

  test("stays linear in the length of the text", () => {
    const long = `[a]\n${"x = \\\n".repeat(100_000)}${"#".repeat(100_000)}\n[diff]external=x`;
    expect(gitSettingThatRuns(long)).toBe("diff.external");
  });
});
