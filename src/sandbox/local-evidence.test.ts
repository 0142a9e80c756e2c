import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localEvidence } from "./local-evidence.ts";

let root: string;
let base: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "collet-evidence-")));
  base = join(root, "ws");
  mkdirSync(join(base, "sub"), { recursive: true });
  mkdirSync(join(root, "out"));
  writeFileSync(join(base, "sub/a"), "a");
  writeFileSync(join(root, "out/a"), "outside");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const sub = () => ({ base, names: ["sub"] });
/** Takes away what is there, and makes something else. */
const instead = (name: string, make: (path: string) => void) => {
  rmSync(join(base, name), { recursive: true });
  make(join(base, name));
};
const bytes = (text: string) => new TextEncoder().encode(text);

describe("guarded files on disk", () => {
  test("are told by their type, never by what a link leads to", async () => {
    symlinkSync("a", join(base, "sub/link"));
    execFileSync("mkfifo", [join(base, "sub/pipe")]);
    const entries = await localEvidence(base).look(sub(), ["a", "link", "pipe", "none", "."]);
    expect(entries.map(({ is }) => is)).toEqual(["file", "link", "other", "absent", "folder"]);
    expect(entries[1]).toEqual({ is: "link", target: "a" });
  });

  test("behind a link on the way are absent", async () => {
    symlinkSync("sub", join(base, "way"));
    const port = localEvidence(base);
    const way = { base, names: ["way"] };
    expect(await port.look(way, ["a"])).toEqual([{ is: "absent" }]);
    expect(await port.list(way, 9)).toEqual([]);
    expect(await port.read(way, "a", 9)).toBeNull();
    expect(await port.look({ base: join(base, "way"), names: [] }, ["a"])).toEqual([{ is: "absent" }]);
  });

  test("are read whole, and only when they are small regular files", async () => {
    symlinkSync("a", join(base, "sub/link"));
    execFileSync("mkfifo", [join(base, "sub/pipe")]);
    writeFileSync(join(base, "sub/big"), "x".repeat(11));
    writeFileSync(join(base, "sub/fits"), "x".repeat(10));
    const port = localEvidence(base);
    expect(await port.read(sub(), "a", 10)).toEqual(bytes("a"));
    expect(await port.read(sub(), "fits", 10)).toEqual(bytes("x".repeat(10)));
    for (const leaf of ["link", "pipe", "big", "none", "."]) expect(await port.read(sub(), leaf, 10), leaf).toBeNull();
  });

  test("are listed up to a number", async () => {
    for (const name of ["c", "b"]) writeFileSync(join(base, "sub", name), "");
    expect(await localEvidence(base).list(sub(), 9)).toEqual(["a", "b", "c"]);
    expect(await localEvidence(base).list(sub(), 2)).toHaveLength(2);
  });

  test("change their witness with content, mode and inode", async () => {
    const port = localEvidence(base);
    const witness = async () => JSON.stringify(await port.look(sub(), ["a"]));
    const first = await witness();
    expect(await witness()).toBe(first);
    chmodSync(join(base, "sub/a"), 0o600);
    expect(await witness()).not.toBe(first);
  });
});

describe("putting back", () => {
  test.each([
    ["a file", () => writeFileSync(join(base, "sub/a"), "evil")],
    ["nothing", () => rmSync(join(base, "sub/a"))],
    ["nothing, not even the folder", () => rmSync(join(base, "sub"), { recursive: true })],
    ["a link", () => instead("sub/a", (path) => symlinkSync("../../out/a", path))],
    ["a pipe", () => instead("sub/a", (path) => execFileSync("mkfifo", [path]))],
    ["a hard link", () => instead("sub/a", (path) => linkSync(join(root, "out/a"), path))],
    ["a link for its folder", () => instead("sub", (path) => symlinkSync("../out", path))],
    ["a file for its folder", () => instead("sub", (path) => writeFileSync(path, ""))],
    ["a folder without rights", () => chmodSync(join(base, "sub"), 0o500)],
  ])("a file where there is %s", async (_, change) => {
    change();
    await localEvidence(base).putBack(sub(), "a", { bytes: bytes("mine"), mode: 0o750 });
    expect(readFileSync(join(base, "sub/a"), "utf8")).toBe("mine");
    expect(lstatSync(join(base, "sub/a")).isFile()).toBe(true);
    expect(statSync(join(base, "sub/a")).mode & 0o777).toBe(0o750);
    expect(readFileSync(join(root, "out/a"), "utf8")).toBe("outside");
    expect(readdirSync(join(base, "sub")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("a file where there is a folder gives the folder another name", async () => {
    rmSync(join(base, "sub/a"));
    mkdirSync(join(base, "sub/a"));
    writeFileSync(join(base, "sub/a/kept"), "kept");
    const { aside } = await localEvidence(base).putBack(sub(), "a", { bytes: bytes("mine"), mode: 0o644 });
    expect(readFileSync(join(aside ?? "", "kept"), "utf8")).toBe("kept");
    expect(readFileSync(join(base, "sub/a"), "utf8")).toBe("mine");
  });

  test("nothing removes a file or a link, or puts a file aside", async () => {
    const port = localEvidence(base);
    symlinkSync("../../out/a", join(base, "sub/link"));
    expect(await port.putBack(sub(), "link", null, { aside: true })).toEqual({ aside: null });
    const { aside } = await port.putBack(sub(), "a", null, { aside: true });
    expect(readFileSync(aside ?? "", "utf8")).toBe("a");
    writeFileSync(join(base, "sub/b"), "");
    expect(await port.putBack(sub(), "b", null)).toEqual({ aside: null });
    expect(await port.putBack(sub(), "none", null)).toEqual({ aside: null });
    expect(existsSync(join(base, "sub/b"))).toBe(false);
    expect(existsSync(join(root, "out/a"))).toBe(true);
  });

  test("a link and a folder", async () => {
    const port = localEvidence(base);
    await port.putBack(sub(), "a", { target: "elsewhere" });
    expect(readlinkSync(join(base, "sub/a"))).toBe("elsewhere");
    rmSync(join(base, "sub"), { recursive: true });
    symlinkSync("../out", join(base, "sub"));
    await port.putBack({ base, names: [] }, "sub", "folder");
    expect(lstatSync(join(base, "sub")).isDirectory()).toBe(true);
    expect(readdirSync(join(base, "sub"))).toEqual([]);
  });

  test("fails where the base is gone or exchanged, and makes nothing there", async () => {
    const port = localEvidence(root);
    rmSync(base, { recursive: true });
    await expect(port.putBack(sub(), "a", { bytes: bytes("x"), mode: 0o644 })).rejects.toMatchObject({ kind: "write_failed" });
    symlinkSync("out", base);
    await expect(port.putBack({ base, names: [] }, "a", { bytes: bytes("x"), mode: 0o644 })).rejects.toMatchObject({
      kind: "write_failed",
    });
    expect(readFileSync(join(root, "out/a"), "utf8")).toBe("outside");
  });
});

describe("git folders", () => {
  test("are found by a folder, a file and a link, and are none without .git", async () => {
    const folders = () => localEvidence(base).gitFolders();
    expect(await folders()).toEqual([]);
    mkdirSync(join(root, "repo/.git/worktrees/ws"), { recursive: true });
    symlinkSync("../repo/.git", join(base, ".git"));
    expect(await folders()).toEqual([join(root, "repo/.git")]);
    rmSync(join(base, ".git"));
    writeFileSync(join(root, "repo/.git/worktrees/ws/commondir"), "../..\n");
    writeFileSync(join(base, ".git"), "gitdir: ../repo/.git/worktrees/ws\n");
    expect(await folders()).toEqual([join(root, "repo/.git/worktrees/ws"), join(root, "repo/.git")]);
    rmSync(join(base, ".git"));
    mkdirSync(join(base, ".git"));
    expect(await folders()).toEqual([join(base, ".git")]);
  });
});
