import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha256 } from "../base/hash.ts";
import { type TemporaryFolders, temporaryFolders } from "../testing/temporary-folders.ts";
import { type LocalFiles, localFiles } from "./local-files.ts";

/** `nobody` on every Unix that we know. */
const NOBODY = 65534;
const startedAsRoot = process.getuid?.() === 0;

let folders: TemporaryFolders;
let files: LocalFiles;
let ws: string;

// rights mean nothing to root, so this file's process gives root up for good; a test file has a process of its own
beforeAll(() => {
  folders = temporaryFolders();
  ws = folders.workspace;
  for (const name of ["theirs.txt", "our-file-their-group.txt"]) writeFileSync(`${ws}/${name}`, "old", { mode: 0o666 });
  if (startedAsRoot) {
    for (const path of [folders.base, ws, folders.outside]) chownSync(path, NOBODY, NOBODY);
    chmodSync(`${ws}/theirs.txt`, 0o666);
    chownSync(`${ws}/our-file-their-group.txt`, NOBODY, 0);
    process.setgroups?.([]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  }
  files = localFiles({ workspace: ws, home: null });
});
afterAll(() => {
  for (const name of readdirSync(ws)) if (statSync(`${ws}/${name}`).isDirectory()) chmodSync(`${ws}/${name}`, 0o755);
  folders.close();
});

const open = () => ({ cwd: ws, gate() {} });
const read = (path: string) => files.read(path, { ...open(), maxBytes: 100 });
const write = (path: string, before: string | null) =>
  files.write(path, Buffer.from("new"), { ...open(), before: before === null ? null : sha256(before), mode: 0o644 });
const noRight = (kind: string) => ({ kind, details: { reason: "no_permission", code: "EACCES" } });

describe("without the right", () => {
  test("to read a file, it is neither read nor replaced, but can be seen", async () => {
    writeFileSync(`${ws}/secret.txt`, "old", { mode: 0o200 });
    await expect(read("secret.txt")).rejects.toMatchObject(noRight("read_failed"));
    await expect(files.stream("secret.txt", open())).rejects.toMatchObject(noRight("read_failed"));
    await expect(files.version("secret.txt", open())).rejects.toMatchObject(noRight("read_failed"));
    await expect(write("secret.txt", "old")).rejects.toMatchObject(noRight("write_failed"));
    await expect(files.remove("secret.txt", { ...open(), before: sha256("old") })).rejects.toMatchObject(noRight("write_failed"));
    expect(await files.stat("secret.txt", open())).toMatchObject({ type: "file", size_bytes: 3, mode: 0o200 });
  });

  test("to write a file, it is not replaced, though its folder would allow it", async () => {
    writeFileSync(`${ws}/kept.txt`, "old", { mode: 0o444 });
    await expect(write("kept.txt", "old")).rejects.toMatchObject(noRight("write_failed"));
    expect(readFileSync(`${ws}/kept.txt`, "utf8")).toBe("old");
  });

  test("to write a folder, nothing is made in it and nothing is left behind", async () => {
    mkdirSync(`${ws}/closed`);
    writeFileSync(`${ws}/closed/a.txt`, "old");
    chmodSync(`${ws}/closed`, 0o555);
    for (const [path, before] of [
      ["closed/new.txt", null],
      ["closed/sub/new.txt", null],
      ["closed/a.txt", "old"],
    ] as const) {
      await expect(write(path, before)).rejects.toMatchObject(noRight("write_failed"));
    }
    await expect(files.remove("closed/a.txt", { ...open(), before: sha256("old") })).rejects.toMatchObject(noRight("write_failed"));
    expect(readdirSync(`${ws}/closed`)).toEqual(["a.txt"]);
  });

  test("to list a folder, its files can still be reached by name", async () => {
    mkdirSync(`${ws}/searched`);
    writeFileSync(`${ws}/searched/a.txt`, "found");
    chmodSync(`${ws}/searched`, 0o311);
    await expect(files.list("searched", open())).rejects.toMatchObject(noRight("read_failed"));
    expect(Buffer.from((await read("searched/a.txt")).bytes).toString()).toBe("found");
    await write("searched/a.txt", "found");
  });

  test("to search a folder, nothing in it can be told", async () => {
    mkdirSync(`${ws}/shut`);
    writeFileSync(`${ws}/shut/a.txt`, "");
    chmodSync(`${ws}/shut`, 0o600);
    await expect(read("shut/a.txt")).rejects.toMatchObject(noRight("read_failed"));
    await expect(files.stat("shut/none.txt", open())).rejects.toMatchObject(noRight("read_failed"));
    await expect(files.resolve("shut/a.txt", { cwd: ws })).rejects.toMatchObject(noRight("read_failed"));
    await expect(write("shut/new.txt", null)).rejects.toMatchObject(noRight("write_failed"));
    await expect(write("shut/new/sub.txt", null)).rejects.toMatchObject(noRight("write_failed"));
  });

  test("to use the folders that were just made, they are taken away again", async () => {
    const umask = process.umask(0o777);
    try {
      await expect(write("made/sub/new.txt", null)).rejects.toMatchObject(noRight("write_failed"));
    } finally {
      process.umask(umask);
    }
    expect(readdirSync(ws)).not.toContain("made");
  });

  test.runIf(startedAsRoot)("to keep the owner or group of a file, it is not replaced", async () => {
    for (const name of ["theirs.txt", "our-file-their-group.txt"]) {
      await expect(write(name, "old")).rejects.toMatchObject({ kind: "write_failed", details: { reason: "owner_would_change", gid: 0 } });
      expect(readFileSync(`${ws}/${name}`, "utf8")).toBe("old");
      expect(statSync(`${ws}/${name}`).gid).toBe(0);
    }
    expect(readdirSync(ws).filter((name) => name.startsWith(".collet-"))).toEqual([]);
  });
});
