import { closeSync, mkdtempSync, readdirSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findIn } from "./command-path.ts";
import { createFifos, type Fifo } from "./fifo.ts";

let tmp: string;
beforeEach(() => {
  tmp = mkdtempSync(join(tmpdir(), "collet-fifo-"));
});
afterEach(() => rmSync(tmp, { recursive: true }));

const mkfifo = () => findIn([], "mkfifo");

function pass(fifo: Fifo, text: string): string {
  const { reader, writer } = fifo.open();
  writeSync(writer, text);
  closeSync(writer);
  const buffer = Buffer.alloc(1_000);
  const size = readSync(reader, buffer);
  expect(readSync(reader, buffer, size, 10, null)).toBe(0);
  closeSync(reader);
  return buffer.toString("utf8", 0, size);
}

describe.each([true, false])("named pipes, kept by a descriptor: %s", (hasProc) => {
  test("carry bytes to their end, and again after that", async () => {
    const fifos = createFifos({ mkfifo, tmp, hasProc });
    for (const text of ["one", "two", "three"]) {
      const fifo = (await fifos.take()) ?? expect.unreachable();
      expect(pass(fifo, text)).toBe(text);
      fifos.giveBack(fifo);
    }
    fifos.close();
    expect(readdirSync(tmp)).toEqual([]);
  });

  test("are never given to two at a time, and leave neither file nor descriptor", async () => {
    const before = readdirSync("/proc/self/fd").length;
    const fifos = createFifos({ mkfifo, tmp, hasProc });
    const taken = await Promise.all(Array.from({ length: 20 }, () => fifos.take()));
    expect(new Set(taken).size).toBe(20);
    expect(taken).not.toContain(null);
    for (const fifo of taken.slice(10)) fifo?.discard();
    fifos.close();
    for (const fifo of taken.slice(0, 10)) if (fifo) fifos.giveBack(fifo);
    expect(await fifos.take()).toBeNull();
    expect(readdirSync(tmp)).toEqual([]);
    expect(readdirSync("/proc/self/fd").length).toBe(before);
  });
});

test.each([
  ["no mkfifo", { mkfifo: () => null }],
  ["one that fails", { mkfifo: () => "/bin/false" }],
  ["one that is gone", { mkfifo: () => "/no/such/program" }],
  ["no folder for temporary files", { tmp: "/no/such/folder" }],
])("there is none with %s, and nothing is left", async (_, options) => {
  expect(await createFifos({ mkfifo, tmp, hasProc: true, ...options }).take()).toBeNull();
  expect(readdirSync(tmp)).toEqual([]);
});
