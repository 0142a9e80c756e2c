import assert from "node:assert/strict";
import { sha256 } from "../base/hash.ts";
import { failsWith } from "./contract-case.ts";
import { accessTo, streamBytes } from "./sandbox-calls.ts";
import type { SandboxCases } from "./sandbox-fixture.ts";

/** 1 MiB and a bit, no two pieces of it alike. */
function large(): Uint8Array {
  const bytes = new Uint8Array(1024 * 1024 + 17);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = (index * 31 + (index >> 8)) & 0xff;
  return bytes;
}

const RAW = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0x00, 0xff, 0xfe]);

export const sandboxReadCases: SandboxCases = {
  "tells what is there": async ({ sandbox, put, folder }) => {
    const at = sandbox.workspace;
    await put(`${at}/a.txt`, "é");
    await folder(`${at}/d`);
    const stat = async (path: string) => {
      const told = await sandbox.stat(path, accessTo(sandbox));
      return told === null ? null : { path: told.path, type: told.type };
    };
    assert.deepEqual(await stat("a.txt"), { path: `${at}/a.txt`, type: "file" });
    assert.equal((await sandbox.stat("a.txt", accessTo(sandbox)))?.size_bytes, 2);
    for (const path of ["d", "d/", "d/."]) assert.deepEqual(await stat(path), { path: `${at}/d`, type: "directory" });
    for (const path of [".", "", "d/.."].filter((text) => text !== "")) assert.deepEqual(await stat(path), { path: at, type: "directory" });
    for (const path of ["b.txt", "no/such/place"]) assert.equal(await stat(path), null);
    await failsWith(() => stat("a.txt/"), "read_failed", { reason: "not_a_directory" });
  },

  "reads bytes as they are, with their version": async ({ sandbox, put }) => {
    for (const bytes of [RAW, new Uint8Array(0), large()]) {
      await put(`${sandbox.workspace}/a.bin`, bytes);
      const read = await sandbox.read("a.bin", { ...accessTo(sandbox), maxBytes: bytes.length });
      assert.ok(Buffer.from(read.bytes).equals(Buffer.from(bytes)));
      const { version } = await sandbox.version("a.bin", accessTo(sandbox));
      assert.deepEqual({ ...read.version, mode: 0 }, { sha256: sha256(bytes), size_bytes: bytes.length, mode: 0 });
      assert.deepEqual(version, read.version);
    }
  },

  "hands out bytes that are the caller's own": async ({ sandbox, put }) => {
    await put(`${sandbox.workspace}/a.txt`, "abc");
    const first = await sandbox.read("a.txt", { ...accessTo(sandbox), maxBytes: 10 });
    first.bytes.fill(0);
    const second = await sandbox.read("a.txt", { ...accessTo(sandbox), maxBytes: 10 });
    assert.equal(Buffer.from(second.bytes).toString(), "abc");
  },

  "refuses to read more than was allowed": async ({ sandbox, put }) => {
    await put(`${sandbox.workspace}/a.txt`, "12345");
    const read = () => sandbox.read("a.txt", { ...accessTo(sandbox), maxBytes: 4 });
    await failsWith(read, "read_failed", { reason: "too_large", size_bytes: 5, max_bytes: 4 });
  },

  "reads only files": async ({ sandbox, folder }) => {
    await folder(`${sandbox.workspace}/d`);
    for (const path of ["d", "d/", ".", "d/.."]) {
      const details = { reason: "is_directory" };
      await failsWith(() => sandbox.read(path, { ...accessTo(sandbox), maxBytes: 4 }), "read_failed", details);
      await failsWith(() => sandbox.stream(path, accessTo(sandbox)), "read_failed", details);
      await failsWith(() => sandbox.version(path, accessTo(sandbox)), "read_failed", details);
    }
    for (const path of ["no.txt", "no/such.txt"]) {
      await failsWith(() => sandbox.read(path, { ...accessTo(sandbox), maxBytes: 4 }), "not_found", { path });
      await failsWith(() => sandbox.stream(path, accessTo(sandbox)), "not_found", { path });
      assert.deepEqual(await sandbox.version(path, accessTo(sandbox)), { path: `${sandbox.workspace}/${path}`, version: null });
    }
  },

  "streams a file in pieces, whole and in order": async ({ sandbox, put }) => {
    const bytes = large();
    await put(`${sandbox.workspace}/a.bin`, bytes);
    const told = await streamBytes(sandbox, "a.bin");
    assert.ok(Buffer.from(told.bytes).equals(Buffer.from(bytes)));
    assert.ok(told.pieces >= 4 && told.pieces <= 17, `${told.pieces} pieces`);
    await put(`${sandbox.workspace}/empty`, "");
    assert.deepEqual(await streamBytes(sandbox, "empty"), { bytes: Buffer.alloc(0), pieces: 0 });
  },

  "closes a stream twice, and early, and never passes a cut off as the end": async ({ sandbox, put }) => {
    await put(`${sandbox.workspace}/a.bin`, large());
    const stream = await sandbox.stream("a.bin", accessTo(sandbox));
    assert.equal(stream.size_bytes, 1024 * 1024 + 17);
    const pieces = stream.chunks[Symbol.asyncIterator]();
    await pieces.next();
    await Promise.all([stream.close(), stream.close()]);
    await failsWith(() => pieces.next(), "read_failed", { reason: "closed" });
    await stream.close();
    const unread = await sandbox.stream("a.bin", accessTo(sandbox));
    await unread.close();
  },

  "lists a folder in order, links unfollowed": async ({ sandbox, put, link, outside }) => {
    const at = sandbox.workspace;
    for (const name of ["b.txt", "B.txt", "é.txt", "a/deep.txt", "a-1.txt"]) await put(`${at}/${name}`, "");
    await link(`${at}/leak`, outside);
    const { path, entries } = await sandbox.list(".", accessTo(sandbox));
    assert.equal(path, at);
    assert.deepEqual(
      entries.map(({ name, type }) => `${name} ${type}`),
      ["B.txt file", "a directory", "a-1.txt file", "b.txt file", "leak link", "é.txt file"],
    );
    assert.deepEqual((await sandbox.list("a", accessTo(sandbox))).entries, [{ name: "deep.txt", type: "file" }]);
    await failsWith(() => sandbox.list("b.txt", accessTo(sandbox)), "read_failed", { reason: "not_a_directory" });
    for (const missing of ["none", "none/such"]) await failsWith(() => sandbox.list(missing, accessTo(sandbox)), "not_found");
    await failsWith(() => sandbox.list("leak", accessTo(sandbox)), "outside_workspace");
  },
};
