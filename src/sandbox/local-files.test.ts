import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "../base/hash.ts";
import { type TemporaryFolders, temporaryFolders } from "../testing/temporary-folders.ts";
import { type LocalFiles, localFiles } from "./local-files.ts";
import type { Location } from "./port.ts";

let folders: TemporaryFolders;
let files: LocalFiles;
let ws: string;

beforeEach(() => {
  folders = temporaryFolders();
  ws = folders.workspace;
  files = localFiles({ workspace: ws, home: "/home/me" });
});
afterEach(() => folders.close());

const open = () => ({ cwd: ws, gate() {} });
const reading = () => ({ ...open(), maxBytes: 1_000_000 });
const text = async (path: string) => Buffer.from((await files.read(path, reading())).bytes).toString();
const write = (path: string, content: string, before: string | null) =>
  files.write(path, Buffer.from(content), { ...open(), before: before === null ? null : sha256(before), mode: 0o644 });

describe("what is no regular file", () => {
  test("is refused at once, and left as it is", async () => {
    execFileSync("mkfifo", [`${ws}/fifo`]);
    const server = createServer().listen(`${ws}/socket`);
    await new Promise((resolve) => server.once("listening", resolve));
    for (const [name, type] of [
      ["fifo", "fifo"],
      ["socket", "socket"],
    ]) {
      const path = `${name}`;
      expect(await files.stat(path, open())).toMatchObject({ type: "other" });
      await expect(files.read(path, reading())).rejects.toMatchObject({
        kind: "read_failed",
        details: { path, reason: "not_regular", type },
      });
      await expect(files.stream(path, open())).rejects.toMatchObject({ kind: "read_failed" });
      await expect(files.version(path, open())).rejects.toMatchObject({ kind: "read_failed" });
      await expect(write(path, "x", null)).rejects.toMatchObject({ kind: "write_failed", details: { reason: "not_regular", type } });
      await expect(files.remove(path, { ...open(), before: sha256("") })).rejects.toMatchObject({ kind: "write_failed" });
      await expect(files.list(path, open())).rejects.toMatchObject({ kind: "read_failed", details: { reason: "not_a_directory" } });
    }
    server.close();
    expect(statSync(`${ws}/fifo`).isFIFO()).toBe(true);
  });

  test("is not reached through a link to a device", async () => {
    symlinkSync("/dev/zero", `${ws}/zero`);
    await expect(files.read("zero", reading())).rejects.toMatchObject({ kind: "outside_workspace" });
  });

  test("is a device inside too", async ({ skip }) => {
    try {
      execFileSync("mknod", [`${ws}/zero`, "c", "1", "5"], { stdio: "ignore" });
    } catch {
      return skip("no right to make a device");
    }
    await expect(files.read("zero", reading())).rejects.toMatchObject({ kind: "read_failed", details: { type: "device" } });
  });
});

describe("roots", () => {
  test("are refused when they are missing, no folder, or not absolute", () => {
    writeFileSync(`${ws}/file`, "");
    const at = (workspace: string) => () => localFiles({ workspace, home: null });
    expect(at(`${ws}/none`)).toThrow(expect.objectContaining({ kind: "not_found" }));
    expect(at(`${ws}/file`)).toThrow(expect.objectContaining({ kind: "read_failed" }));
    expect(at("work")).toThrow(expect.objectContaining({ kind: "read_failed" }));
  });

  test("may be spelled through links, and links outside may lead into them", async () => {
    symlinkSync(folders.base, `${folders.outside}/alias`);
    const spelled = `${folders.outside}/alias/work`;
    writeFileSync(`${ws}/a.txt`, "A");
    expect(localFiles({ workspace: spelled, home: null }).workspace).toBe(ws);
    expect((await files.read(`${spelled}/a.txt`, reading())).path).toBe(`${ws}/a.txt`);
    for (const path of [
      `${folders.outside}/alias/outside/b.txt`,
      `${folders.outside}/none/../alias/work/a.txt`,
      `/proc/self/root${ws}/a.txt`,
    ]) {
      await expect(files.read(path, reading())).rejects.toMatchObject({ kind: "outside_workspace" });
    }
  });

  test("that are read-only can be read and listed, and nothing else", async () => {
    const spill = `${folders.base}/state/spill`;
    const withSpill = localFiles({ workspace: ws, home: null, readOnlyRoots: () => [spill] });
    await expect(withSpill.read(`${spill}/out.txt`, reading())).rejects.toMatchObject({ kind: "not_found" });
    mkdirSync(spill, { recursive: true });
    writeFileSync(`${spill}/out.txt`, "long");
    writeFileSync(`${folders.base}/state/log`, "SECRET");
    symlinkSync(`${spill}/out.txt`, `${ws}/link`);
    for (const path of [`${spill}/out.txt`, "link"]) {
      expect((await withSpill.read(path, reading())).path).toBe(`${spill}/out.txt`);
      const over = withSpill.write(path, Buffer.from("x"), { ...open(), before: sha256("long"), mode: 0o644 });
      await expect(over).rejects.toMatchObject({ kind: "outside_workspace", details: { reason: "read_only_root" } });
      await expect(withSpill.remove(path, { ...open(), before: sha256("long") })).rejects.toMatchObject({ kind: "outside_workspace" });
    }
    expect((await withSpill.list(spill, open())).entries).toEqual([{ name: "out.txt", type: "file" }]);
    await expect(withSpill.read(`${spill}/../log`, reading())).rejects.toMatchObject({ kind: "outside_workspace" });
    expect(readFileSync(`${spill}/out.txt`, "utf8")).toBe("long");
  });

  test("that are read-only may be spelled through links", async () => {
    mkdirSync(`${folders.outside}/state`);
    symlinkSync("outside", `${folders.base}/alias`);
    const spelled = `${folders.base}/alias/state`;
    const withSpill = localFiles({ workspace: ws, home: null, readOnlyRoots: () => [spelled] });
    writeFileSync(`${folders.outside}/state/out.txt`, "long");
    writeFileSync(`${folders.outside}/secret.txt`, "SECRET");
    for (const path of [`${spelled}/out.txt`, `${folders.outside}/state/out.txt`]) {
      expect((await withSpill.read(path, reading())).path).toBe(`${folders.outside}/state/out.txt`);
    }
    rmSync(`${folders.base}/alias`);
    mkdirSync(`${folders.base}/alias`);
    symlinkSync(folders.outside, spelled);
    await expect(withSpill.read(`${spelled}/secret.txt`, reading())).rejects.toMatchObject({ kind: "outside_workspace" });
  });

  test("inside the workspace stay read-only", async () => {
    mkdirSync(`${ws}/spill`);
    const nested = localFiles({ workspace: ws, home: null, readOnlyRoots: () => [`${ws}/spill`] });
    const made = nested.write("spill/x", Buffer.from("x"), { ...open(), before: null, mode: 0o644 });
    await expect(made).rejects.toMatchObject({ kind: "outside_workspace" });
    expect(readdirSync(`${ws}/spill`)).toEqual([]);
  });

  test("that were moved away are not followed, and a new folder in their place is used", async () => {
    writeFileSync(`${ws}/a.txt`, "old");
    renameSync(ws, `${folders.base}/moved`);
    symlinkSync("moved", ws);
    await expect(files.read("a.txt", reading())).rejects.toMatchObject({ kind: "read_failed" });
    await expect(write("b.txt", "x", null)).rejects.toMatchObject({ kind: "write_failed" });
    rmSync(ws);
    mkdirSync(ws);
    await write("a.txt", "new", null);
    expect(await text("a.txt")).toBe("new");
  });
});

describe("hard links", () => {
  test("to guarded files are told to the gate and in the result", async () => {
    const guarded = `${folders.outside}/credentials`;
    writeFileSync(guarded, "KEY");
    linkSync(guarded, `${ws}/notes.txt`);
    writeFileSync(`${ws}/plain.txt`, "");
    linkSync(`${ws}/plain.txt`, `${ws}/plain-2.txt`);
    const guarding = localFiles({ workspace: ws, home: null, guarded: () => [guarded, `${folders.outside}/none`, `${ws}/plain.txt`] });
    const told: Location[] = [];
    const access = { cwd: ws, gate: (location: Location) => void told.push(location) };
    const expected = { path: `${ws}/notes.txt`, also: [guarded] };
    expect(await guarding.read("notes.txt", { ...access, maxBytes: 10 })).toMatchObject(expected);
    expect(await guarding.stat("notes.txt", access)).toMatchObject(expected);
    expect(await guarding.version("notes.txt", access)).toMatchObject(expected);
    expect(await guarding.resolve("notes.txt", { cwd: ws })).toEqual(expected);
    await guarding.write("notes.txt", Buffer.from("x"), { ...access, before: sha256("KEY"), mode: 0o644 });
    expect(told).toEqual([expected, expected, expected, expected]);
    expect(readFileSync(guarded, "utf8")).toBe("KEY");
    expect(await guarding.stat("plain.txt", open())).not.toHaveProperty("also");
    expect(await guarding.stat("plain-2.txt", open())).toMatchObject({ also: [`${ws}/plain.txt`] });
  });
});

describe("resolve", () => {
  test("knows the home folder and refuses to guess", async () => {
    expect(await files.resolve("~/notes.txt", { cwd: ws })).toEqual({ path: "/home/me/notes.txt" });
    await expect(files.resolve("~other/x", { cwd: ws })).rejects.toMatchObject({ details: { reason: "home_unknown" } });
    await expect(localFiles({ workspace: ws, home: null }).resolve("~", { cwd: ws })).rejects.toMatchObject({ kind: "read_failed" });
    for (const path of ["/proc/self/cwd/x", "/proc/self/root/etc/passwd", "/proc/self/fd/1", "/proc/self/task/../exe"]) {
      await expect(files.resolve(path, { cwd: ws })).rejects.toMatchObject({ kind: "read_failed", details: { reason: "process_link" } });
    }
  });
});

describe("descriptors", () => {
  test("are all given back, whatever happens", async () => {
    const held = () => readdirSync("/proc/self/fd").length;
    mkdirSync(`${ws}/a/b/c`, { recursive: true });
    writeFileSync(`${ws}/a/b/c/f`, "x");
    symlinkSync(folders.outside, `${ws}/a/leak`);
    symlinkSync("cycle", `${ws}/a/cycle`);
    const refuse = () => {
      throw new Error("no");
    };
    const round = () =>
      Promise.allSettled([
        ...["a/b/c/f", "a/leak/x", "a/cycle", "a/b/../b/c/f", "none/x", "a/b/c/f/x", "~", "a\0", `${ws}/a/b/c`].flatMap((path) => [
          files.read(path, reading()),
          files.read(path, { ...reading(), gate: refuse }),
          files.read(path, { ...reading(), maxBytes: 0 }),
          files.stat(path, open()),
          files.version(path, { ...open(), gate: refuse }),
          files.stream(path, open()).then((stream) => stream.close()),
          files.list(path, open()),
          write(path, "x", null),
          write(path, "x", "y"),
        ]),
        write("new/sub/file", "x", null),
        files.remove("a/b/c/f", { ...open(), before: sha256("y") }),
      ]);
    await round();
    const before = held();
    for (let count = 0; count < 5; count += 1) await round();
    expect(held()).toBe(before);
  });

  test("do not pile up below a deep path, which has an end", async () => {
    const deep = "d/".repeat(200);
    await write(`${deep}f`, "x", null);
    expect(await text(`${deep}f`)).toBe("x");
    const deeper = write(`${"e/".repeat(300)}f`, "x", null);
    await expect(deeper).rejects.toMatchObject({ kind: "write_failed", details: { reason: "name_too_long" } });
    expect(existsSync(`${ws}/e`)).toBe(false);
  });
});

describe("a file that changes", () => {
  test("is hashed as it was delivered, past the size it had", async () => {
    writeFileSync(`${ws}/log`, "one");
    const gate = () => writeFileSync(`${ws}/log`, "one and two");
    const read = await files.read("log", { cwd: ws, gate, maxBytes: 100 });
    expect(read.version).toMatchObject({ sha256: sha256(read.bytes), size_bytes: read.bytes.length });
    expect(Buffer.from(read.bytes).toString()).toBe("one and two");
    const grow = () => truncateSync(`${ws}/log`, 200);
    await expect(files.read("log", { cwd: ws, gate: grow, maxBytes: 100 })).rejects.toMatchObject({
      details: { reason: "too_large", size_bytes: 200, max_bytes: 100 },
    });
  });

  test("larger than memory allows is versioned and streamed flat", async () => {
    writeFileSync(`${ws}/sparse`, "");
    truncateSync(`${ws}/sparse`, 96 * 1024 * 1024);
    const before = process.memoryUsage().rss;
    const { version } = await files.version("sparse", open());
    expect(version).toMatchObject({ size_bytes: 96 * 1024 * 1024 });
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
    await expect(files.read("sparse", reading())).rejects.toMatchObject({
      details: { reason: "too_large", size_bytes: 96 * 1024 * 1024 },
    });
  });
});
