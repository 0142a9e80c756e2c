import { execFileSync } from "node:child_process";
import { chownSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "../base/hash.ts";
import { type TemporaryFolders, temporaryFolders } from "../testing/temporary-folders.ts";
import { type LocalFiles, localFiles } from "./local-files.ts";
import { publishByRename } from "./local-publish.ts";

const isRoot = process.getuid?.() === 0;
let folders: TemporaryFolders;
let files: LocalFiles;
let ws: string;

beforeEach(() => {
  folders = temporaryFolders();
  ws = folders.workspace;
  files = localFiles({ workspace: ws, home: null });
});
afterEach(() => folders.close());

const write = (path: string, content: string | Uint8Array, options: { readonly before: string | null; readonly mode?: number }) =>
  files.write(path, typeof content === "string" ? Buffer.from(content) : content, { cwd: ws, gate() {}, mode: 0o644, ...options });

describe("a replaced file", () => {
  test("has the mode that the plan says, whatever the umask, and never a bit beyond", async () => {
    const umask = process.umask(0o077);
    try {
      await write("a.sh", "one", { before: null, mode: 0o755 });
      await write("b.sh", "one", { before: null, mode: 0o4666 });
    } finally {
      process.umask(umask);
    }
    expect([statSync(`${ws}/a.sh`).mode & 0o7777, statSync(`${ws}/b.sh`).mode & 0o7777]).toEqual([0o755, 0o666]);
  });

  test.runIf(isRoot)("keeps its owner and group", async () => {
    writeFileSync(`${ws}/a.txt`, "one");
    chownSync(`${ws}/a.txt`, 1234, 4321);
    await write("a.txt", "two", { before: sha256("one") });
    const { uid, gid } = statSync(`${ws}/a.txt`);
    expect({ uid, gid, text: readFileSync(`${ws}/a.txt`, "utf8") }).toEqual({ uid: 1234, gid: 4321, text: "two" });
  });

  test("is another file than its hard links, which keep the old content", async () => {
    writeFileSync(`${ws}/a.txt`, "one");
    linkSync(`${ws}/a.txt`, `${folders.outside}/b.txt`);
    await write("a.txt", "two", { before: sha256("one") });
    expect(readFileSync(`${folders.outside}/b.txt`, "utf8")).toBe("one");
  });

  test("is old or new for a reader at any moment, and never a part", async () => {
    const [small, large] = ["s".repeat(100), "l".repeat(400_000)];
    await write("a.txt", small, { before: null });
    let isDone = false;
    const sizes = new Set<number>();
    const watching = (async () => {
      while (!isDone) {
        sizes.add(readFileSync(`${ws}/a.txt`).length);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let count = 0; count < 6; count += 1) {
      const [old, next] = count % 2 === 0 ? [small, large] : [large, small];
      await write("a.txt", next, { before: sha256(old) });
    }
    isDone = true;
    await watching;
    expect([...sizes].sort((a, b) => a - b)).toEqual([100, 400_000]);
  });
});

describe("a write that fails", () => {
  test("leaves nothing behind when the disk is full", async ({ skip }) => {
    mkdirSync(`${ws}/full`);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "none", `${ws}/full`], { stdio: "ignore" });
    } catch {
      return skip("no right to mount");
    }
    try {
      await write("full/a.txt", "one", { before: null });
      const tooMuch = new Uint8Array(128 * 1024);
      const noSpace = { kind: "write_failed", details: { reason: "no_space", code: "ENOSPC" } };
      await expect(write("full/b.txt", tooMuch, { before: null })).rejects.toMatchObject(noSpace);
      await expect(write("full/a.txt", tooMuch, { before: sha256("one") })).rejects.toMatchObject(noSpace);
      await expect(write("full/new/sub/b.txt", tooMuch, { before: null })).rejects.toMatchObject(noSpace);
      await expect(write("full/c.txt", new Uint8Array(600_000), { before: null })).rejects.toMatchObject(noSpace);
      expect(readdirSync(`${ws}/full`)).toEqual(["a.txt"]);
      expect(readFileSync(`${ws}/full/a.txt`, "utf8")).toBe("one");
      execFileSync("mount", ["-o", "remount,ro", `${ws}/full`]);
      await expect(write("full/b.txt", "x", { before: null })).rejects.toMatchObject({ details: { reason: "read_only", code: "EROFS" } });
    } finally {
      execFileSync("umount", ["-l", `${ws}/full`]);
    }
  });
});

describe("publishing without hard links", () => {
  test("takes a free name in one step, and no other", () => {
    const [temporary, final] = [`${ws}/t`, `${ws}/final`];
    writeFileSync(temporary, "new");
    publishByRename(temporary, final);
    expect([existsSync(temporary), readFileSync(final, "utf8")]).toEqual([false, "new"]);
    writeFileSync(temporary, "other");
    expect(() => publishByRename(temporary, final)).toThrow(expect.objectContaining({ code: "EEXIST" }));
    symlinkSync(`${folders.outside}/x`, `${ws}/link`);
    expect(() => publishByRename(temporary, `${ws}/link`)).toThrow(expect.objectContaining({ code: "EEXIST" }));
    expect(() => publishByRename(`${ws}/none`, `${ws}/free`)).toThrow(expect.objectContaining({ code: "ENOENT" }));
    expect([readFileSync(final, "utf8"), existsSync(`${ws}/free`), existsSync(`${folders.outside}/x`)]).toEqual(["new", false, false]);
  });
});
