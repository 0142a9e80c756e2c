import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isFailure } from "../base/fail.ts";
import { chooseWorkspace, type WorkspaceChoice } from "./workspace.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "workspace-")));
});
afterEach(() => rmSync(root, { recursive: true }));

function choose(over: Partial<WorkspaceChoice>): string {
  const uid = process.getuid?.();
  return chooseWorkspace({ chosen: undefined, cwd: root, home: "/home/nobody-here", stateDir: "/var/elsewhere/state", uid, ...over });
}

function folder(name: string): string {
  const made = path.join(root, name);
  mkdirSync(made, { recursive: true });
  return made;
}

function kindOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (isFailure(error)) return error.kind;
    throw error;
  }
  return "none";
}

describe("the workspace", () => {
  test("is the named folder, by its real path", () => {
    const real = folder("real");
    symlinkSync(real, path.join(root, "link"));
    expect(choose({ chosen: "link" })).toBe(real);
  });

  test("is the git root above, whether .git is a folder or a worktree's file", () => {
    const inner = folder("repo/src/deep");
    folder("repo/.git");
    expect(choose({ cwd: inner })).toBe(path.join(root, "repo"));
    const tree = folder("tree/lib");
    writeFileSync(path.join(root, "tree/.git"), "gitdir: ../repo/.git/worktrees/tree\n");
    expect(choose({ cwd: tree })).toBe(path.join(root, "tree"));
  });

  test("is the current folder when the git root belongs to another user, or there is none", () => {
    const inner = folder("repo/src");
    folder("repo/.git");
    expect(choose({ cwd: inner, uid: 4_242_424 })).toBe(inner);
    expect(choose({ cwd: folder("plain") })).toBe(path.join(root, "plain"));
  });

  test.each([
    ["the root", () => ({ cwd: "/" })],
    ["the home folder", () => ({ home: root })],
    ["the home folder reached by a link", () => ({ home: linkTo(root) })],
    ["a home folder that is a repository, from below", () => ({ home: repository(), cwd: folder("home/below") })],
    ["a folder above the state folder that is yet to be made", () => ({ stateDir: path.join(root, "a/b/state") })],
    ["the state folder itself", () => ({ stateDir: root })],
  ])("is refused unnamed when it is %s", (_, over: () => Partial<WorkspaceChoice>) => {
    expect(kindOf(() => choose(over()))).toBe("invalid_args");
  });

  test("may be the home folder when it is named", () => {
    expect(choose({ home: root, chosen: "." })).toBe(root);
  });

  test("must be a folder that exists", () => {
    writeFileSync(path.join(root, "file"), "");
    expect(kindOf(() => choose({ chosen: "nowhere" }))).toBe("not_found");
    expect(kindOf(() => choose({ chosen: "file" }))).toBe("invalid_args");
    expect(kindOf(() => choose({ chosen: "" }))).toBe("invalid_args");
  });
});

function linkTo(target: string): string {
  const link = path.join(target, "home-link");
  symlinkSync(target, link);
  return link;
}

function repository(): string {
  folder("home/.git");
  return path.join(root, "home");
}
