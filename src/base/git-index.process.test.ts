import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { filesOfIndex, gitlinksOf } from "./git-index.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("git is not installed: the tests of its index are skipped");

describe.skipIf(!hasGit)("gitlinksOf", () => {
  const base = mkdtempSync(join(tmpdir(), "collet-git-index-"));
  afterAll(() => rmSync(base, { recursive: true }));

  interface Made {
    readonly name: string;
    readonly format: "sha1" | "sha256";
    readonly commands: readonly string[];
    /** A file that is there when the commands run. */
    readonly late?: string;
  }

  /** The index of a repository with many files and two repositories in it. */
  function indexOf({ name, format, commands, late }: Made): Buffer {
    const folder = join(base, name);
    const git = (...args: readonly string[]): void => {
      const env = { PATH: process.env.PATH ?? "", HOME: base, GIT_CONFIG_NOSYSTEM: "1" };
      const { status, stderr } = spawnSync("git", args, { cwd: folder, env, encoding: "utf8" });
      if (status !== 0) throw new Error(stderr);
    };
    for (const inner of ["sub/deep", "other"]) mkdirSync(join(folder, inner), { recursive: true });
    git("init", "-q", `--object-format=${format}`);
    for (let at = 0; at < 40; at += 1) writeFileSync(join(folder, `${"n".repeat(at * 9 + 1)}.x`.slice(-200)), String(at));
    writeFileSync(join(folder, "sub/é x"), "");
    git("add", ".");
    const hash = "1".repeat(format === "sha1" ? 40 : 64);
    for (const path of ["sub/deep/ü", "zlib"]) git("update-index", "--add", "--cacheinfo", `160000,${hash},${path}`);
    if (late !== undefined) writeFileSync(join(folder, late), "");
    for (const command of commands) git("-c", "user.name=a", "-c", "user.email=a@b", ...command.split(" "));
    return readFileSync(join(folder, ".git/index"));
  }

  test.each([
    ["2", "sha1", ["update-index --index-version 2"]],
    ["3", "sha1", ["update-index --skip-worktree zlib"]],
    ["4", "sha1", ["update-index --index-version 4"]],
    ["2", "sha256", ["update-index --index-version 2"]],
    ["4", "sha256", ["update-index --index-version 4"]],
  ] as const)("finds them in version %s of a %s repository", (version, format, commands) => {
    const index = indexOf({ name: `v${version}-${format}`, format, commands });
    expect(index[7]).toBe(Number(version));
    expect(gitlinksOf(index, format === "sha1" ? 20 : 32)).toEqual(["sub/deep/ü", "zlib"]);
  });

  test.each([
    ["2", "sha1"],
    ["4", "sha1"],
    ["4", "sha256"],
  ] as const)("finds the files in version %s of a %s repository, with what they were when they were added", (version, format) => {
    const name = `files-v${version}-${format}`;
    const commands = [`update-index --index-version ${version}`, "add --intent-to-add later"];
    const files = filesOfIndex(indexOf({ name, format, commands, late: "later" }), format === "sha1" ? 20 : 32) ?? [];
    expect(files).toHaveLength(25);
    const { size, mtimeNs, ctimeNs } = statSync(join(base, name, "sub/é x"), { bigint: true });
    expect(files).toContainEqual({ path: "sub/é x", size: Number(size), mtimeNs, ctimeNs, settled: true });
    expect(files.filter(({ settled }) => !settled).map(({ path }) => path)).toEqual(["later"]);
  });

  test("names no files where folders stand for them", () => {
    const commands = ["add other/x", "commit -q -m x", "sparse-checkout set --cone --sparse-index nothing"];
    const index = indexOf({ name: "sparse", format: "sha1", commands, late: "other/x" });
    expect(index.includes(Buffer.from("sdir"))).toBe(true);
    expect(filesOfIndex(index, 20)).toBeNull();
  });

  test("does not guess what a shared index holds", () => {
    expect(gitlinksOf(indexOf({ name: "split", format: "sha1", commands: ["update-index --split-index"] }), 20)).toBeNull();
  });

  test("does not trust a broken index, wherever it ends", () => {
    const index = indexOf({ name: "broken", format: "sha1", commands: [] });
    for (let length = 0; length < 4000; length += 7) {
      const found = gitlinksOf(index.subarray(0, length), 20);
      expect(found).toBeNull();
    }
    expect(gitlinksOf(new Uint8Array(100), 20)).toBeNull();
  });
});
