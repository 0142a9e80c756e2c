import { pbkdf2 } from "node:crypto";
import { closeSync, openSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TemporaryFolders, temporaryFolders } from "../testing/temporary-folders.ts";
import { type LocalFiles, localFiles } from "./local-files.ts";

let folders: TemporaryFolders;
let files: LocalFiles;
let ws: string;

beforeEach(() => {
  folders = temporaryFolders();
  ws = folders.workspace;
  files = localFiles({ workspace: ws, home: null });
});
afterEach(() => folders.close());

const open = () => ({ cwd: ws, gate() {} });

/** Keeps Node's threads busy, so that what is asked of them next has to wait. */
function busyThreads(): Promise<unknown> {
  const work = () => new Promise((resolve) => pbkdf2("", "", 60_000, 64, "sha512", resolve));
  return Promise.all(Array.from({ length: 8 }, work));
}

describe("a stream", () => {
  test("that is closed in the middle of a read never reads another file that got its descriptor", async () => {
    writeFileSync(`${ws}/a.txt`, "mine");
    writeFileSync(`${folders.outside}/secret.txt`, "SECRET");
    const stream = await files.stream("a.txt", open());
    const busy = busyThreads();
    const piece = stream.chunks[Symbol.asyncIterator]().next();
    const closed = stream.close();
    const others = Array.from({ length: 4 }, () => openSync(`${folders.outside}/secret.txt`, "r"));
    expect(Buffer.from((await piece).value ?? []).toString()).toBe("mine");
    await closed;
    for (const fd of others) closeSync(fd);
    await busy;
  });

  test("reads the file that was opened, though another one has its name by now", async () => {
    writeFileSync(`${ws}/a.txt`, "old");
    const stream = await files.stream("a.txt", open());
    writeFileSync(`${ws}/b.txt`, "new");
    renameSync(`${ws}/b.txt`, `${ws}/a.txt`);
    const pieces: Uint8Array[] = [];
    for await (const piece of stream.chunks) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe("old");
  });

  test("gives its descriptor back when it is left in the middle", async () => {
    writeFileSync(`${ws}/a.bin`, new Uint8Array(1_000_000));
    const held = readdirSync("/proc/self/fd").length;
    const stream = await files.stream("a.bin", open());
    for await (const piece of stream.chunks) if (piece.length > 0) break;
    expect(readdirSync("/proc/self/fd").length).toBe(held);
  });
});

describe("a folder", () => {
  test("of many entries is listed whole and in order", async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `a-rather-long-name-of-a-file-${index}`);
    for (const name of names) writeFileSync(`${ws}/${name}`, "");
    const { entries } = await files.list(".", open());
    expect(entries.map(({ name }) => name)).toEqual(names.sort());
  });
});
