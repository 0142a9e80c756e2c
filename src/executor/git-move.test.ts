import { describe, expect, test } from "vitest";
import type { Effect } from "../base/effect.ts";
import { gitMovesOf } from "./git-move.ts";

const command = (words: string, more: object = {}): Effect => ({
  kind: "command",
  sure: "open",
  argv: words.split(" "),
  cwd: "/ws",
  program: ["/usr/bin/git"],
  ...more,
});
const movesOf = (...effects: readonly Effect[]) => gitMovesOf(effects, ["/ws"]);
const moveOf = (words: string, more: object = {}) => movesOf(command(words, more))?.move;

describe("git moves tracked files", () => {
  test.each([
    ["git checkout other", "versions"],
    ["git checkout -", "versions"],
    ["git checkout -q -b -x other", "versions"],
    ["git switch -c new other", "versions"],
    ["git --no-pager merge --no-ff -m --exec other", "versions"],
    ["git pull --rebase origin main", "versions"],
    ["git rebase --onto a b c", "versions"],
    ["git cherry-pick -x a b", "versions"],
    ["git revert --no-edit HEAD", "versions"],
    ["git reset --hard HEAD~1", "versions"],
    ["git stash", "stash"],
    ["git stash -u", "stash"],
    ["git stash push -m pop", "stash"],
    ["git stash pop", "pop"],
    ["git stash apply --index stash@{1}", "pop"],
  ])("by %s: %s", (words, move) => {
    expect(moveOf(words)).toBe(move);
  });

  test("by several, of which the one that brings most counts", () => {
    expect(movesOf(command("git stash"), command("git pull"), command("git stash pop"))).toEqual({ move: "pop", commits: false });
    expect(movesOf(command("git stash"), command("git switch a"))).toEqual({ move: "versions", commits: false });
    expect(movesOf(command("git switch a"), command("git add -A"), command("git commit -m x"))).toEqual({
      move: "versions",
      commits: true,
    });
  });

  test("beside what is known to write nothing, and in a tree that git itself says it writes", () => {
    const log = command("git log", { sure: "declared" });
    const tree: Effect = { kind: "file.write", sure: "open", path: "/ws", tree: true };
    expect(movesOf(log, command("git reset --hard a"), tree)?.move).toBe("versions");
  });
});

describe("git does not move them alone, or is told to do more,", () => {
  test.each([
    "git checkout other -- .",
    "git checkout other a.txt",
    "git checkout -p",
    "git checkout --ours x",
    "git checkout-index -fa",
    "git restore .",
    "git read-tree -u --reset x",
    "git update-index --refresh",
    "git apply --index p",
    "git am p",
    "git mv a b",
    "git -c core.fsmonitor=x checkout a",
    "git -C x checkout a",
    "git --git-dir=x checkout a",
    "git --exec-path=x checkout a",
    "git merge -s x a",
    "git merge --continue",
    "git pull ext::x",
    "git pull --upload-pack=x o",
    "git rebase -x y a",
    "git rebase --exec=y a",
    "git rebase -i a",
    "git bisect run x",
    "git submodule foreach x",
    "git stash -k",
    "git stash push a.txt",
    "git stash -p",
    "git stash store x",
    "git stash branch x",
    "git constructor",
    "git",
    // nothing of these moves a file
    "git add -A",
    "git commit -m x",
    "git fetch",
    "git stash drop",
  ])("by %s", (words) => {
    expect(moveOf(words)).toBeUndefined();
  });

  test.each([
    ["another open command", command("make", { program: ["/usr/bin/make"] })],
    ["what is not known", { kind: "unknown", sure: "open", reason: "x" }],
    ["an agent", { kind: "agent", sure: "open", name: "x" }],
    ["a known program that fills a folder", { kind: "file.write", sure: "declared", path: "/ws", tree: true }],
    ["a known program that writes a file", { kind: "file.write", sure: "declared", path: "/ws/a" }],
    ["git of the workspace", command("git fetch", { program: ["/usr/bin/git", "/ws/bin/git"] })],
    ["git that cannot be found", command("git fetch", { program: null })],
    ["words that are not known", command("git fetch $X", { dynamic: [2] })],
  ] as const)("beside %s", (_, effect) => {
    expect(movesOf(command("git checkout other"), effect)).toBeNull();
  });
});
