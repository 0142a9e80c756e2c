import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fail } from "../base/fail.ts";
import { readUserFile } from "./user-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "collet-user-file-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (file: string, signal = new AbortController().signal) =>
  readUserFile(file, { maxBytes: 1000, signal, refuse: (why, reason) => fail("invalid_config", why, { reason }) });

function pipe(): string {
  const file = join(folder, "pipe");
  execFileSync("mkfifo", [file]);
  return file;
}

test("a file and a pipe are read whole, whenever the writer of the pipe comes", async () => {
  const file = join(folder, "a");
  writeFileSync(file, "text ä");
  expect(await read(file)).toBe("text ä");
  const reading = read(pipe());
  const writer = spawn("sh", ["-c", 'exec > "$0"; printf one; sleep 0.1; printf two', join(folder, "pipe")]);
  expect(await reading).toBe("onetwo");
  writer.kill();
});

test("a pipe without a writer is waited for no longer than the signal says", async () => {
  const waiting = new AbortController();
  const reading = read(pipe(), waiting.signal);
  setTimeout(() => waiting.abort(), 20);
  await expect(reading).rejects.toMatchObject({ kind: "cancelled" });
  await expect(read(join(folder, "pipe"), waiting.signal)).rejects.toMatchObject({ kind: "cancelled" });
});

test.each([
  ["/dev/zero", "not_a_file"],
  ["/dev/null", "not_a_file"],
  [".", "unreadable"],
  ["none", "unreadable"],
])("%s is refused", async (name, reason) => {
  await expect(read(name.startsWith("/") ? name : join(folder, name))).rejects.toMatchObject({
    kind: "invalid_config",
    details: { reason },
  });
});

test("what is too large is refused", async () => {
  writeFileSync(join(folder, "large"), "x".repeat(1001));
  await expect(read(join(folder, "large"))).rejects.toMatchObject({ details: { reason: "too_large" } });
});
