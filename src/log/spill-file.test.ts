import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCollector } from "../base/collector.ts";
import { createSpillFile } from "./spill-file.ts";

const MIB = 1024 * 1024;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("a spill file", () => {
  let base: string;
  let dir: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "collet-spill-"));
    dir = join(base, "spill");
  });
  afterEach(() => rmSync(base, { recursive: true }));

  test("makes nothing when nothing comes", () => {
    expect(createSpillFile(dir, "c1").close()).toEqual({ path: null, tailPath: null, droppedBytes: 0, failed: null });
    expect(readdirSync(base)).toEqual([]);
  });

  test("keeps short output in one file that only its owner can read", () => {
    const spill = createSpillFile(dir, "c1");
    spill.sink.head(bytesOf("raw \0 \x1b[1m"));
    spill.sink.head(Uint8Array.from([0xff, 0x0a]));
    const report = spill.close();
    expect(report).toEqual({ path: join(dir, "c1.txt"), tailPath: null, droppedBytes: 0, failed: null });
    expect(spill.close()).toEqual(report);
    spill.sink.head(bytesOf("late"));
    expect(readFileSync(join(dir, "c1.txt"), "latin1")).toBe("raw \0 \x1b[1m\xff\n");
    expect(statSync(join(dir, "c1.txt")).mode & 0o777).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  test("keeps the first and the last 32 MiB of 200 MB and says how much is lost between", () => {
    const spill = createSpillFile(dir, "c1");
    const collector = createCollector({ headBytes: 1_000, tailBytes: 1_000, spill: spill.sink });
    const [first, last] = [createHash("sha256"), createHash("sha256")];
    const total = 200 * MIB;
    const chunk = new Uint8Array(64 * 1024);
    for (let at = 0; at < total; at += chunk.length) {
      chunk.fill(0x61 + ((at / chunk.length) % 26));
      if (at < 32 * MIB) first.update(chunk);
      if (at >= total - 32 * MIB) last.update(chunk);
      collector.push(chunk);
    }
    const report = spill.close();
    expect(report).toEqual({ path: join(dir, "c1.txt"), tailPath: join(dir, "c1.tail.txt"), droppedBytes: 136 * MIB, failed: null });
    expect(readdirSync(dir).sort()).toEqual(["c1.tail.txt", "c1.txt"]);
    expect(sha256(readFileSync(join(dir, "c1.txt")))).toBe(first.digest("hex"));
    expect(sha256(readFileSync(join(dir, "c1.tail.txt")))).toBe(last.digest("hex"));
    expect(collector.end({ spillPath: report.path }).text).toContain(`"${report.tailPath}" the last 32 MiB, ${136 * MIB} bytes between`);
  });

  test("puts what is beyond the first 32 MiB into the second file, though it comes in one piece", () => {
    const spill = createSpillFile(dir, "c1");
    const whole = new Uint8Array(33 * MIB + 5).fill(0x62, 0, 32 * MIB).fill(0x63, 32 * MIB);
    spill.sink.head(whole);
    expect(spill.close()).toMatchObject({ tailPath: join(dir, "c1.tail.txt"), droppedBytes: 0 });
    expect(readFileSync(join(dir, "c1.tail.txt")).equals(Buffer.alloc(MIB + 5, "c"))).toBe(true);
  });

  test("splits no character between the files, nor at the beginning of the second", () => {
    const spill = createSpillFile(dir, "c1");
    spill.sink.head(bytesOf("ab"));
    // 2 + 33 MiB of characters of three bytes: neither edge falls between two of them
    const words = bytesOf("語".repeat(MIB / 4));
    for (let pushed = 0; pushed < 70 * MIB; pushed += words.length) spill.sink.head(words);
    const { droppedBytes } = spill.close();
    const [head, tail] = ["c1.txt", "c1.tail.txt"].map((name) => readFileSync(join(dir, name)));
    const strict = new TextDecoder("utf-8", { fatal: true });
    expect(strict.decode(head?.subarray(-300)).length).toBe(100);
    expect(strict.decode(tail?.subarray(0, 300)).length).toBe(100);
    expect((head?.length ?? 0) + (tail?.length ?? 0) + droppedBytes).toBe(2 + Math.ceil((70 * MIB) / words.length) * words.length);
  });

  test.each(["c1.txt", "c1.tail.txt", "c1.tail.txt.new"])("gives up when %s is taken, and leaves that as it is", (taken) => {
    mkdirSync(dir);
    writeFileSync(join(dir, taken), "someone's");
    const spill = createSpillFile(dir, "c1");
    spill.sink.head(bytesOf("x"));
    const piece = new Uint8Array(11 * MIB);
    for (let pushed = 0; pushed < 3; pushed++) spill.sink.tail(piece);
    expect(spill.close()).toEqual({ path: null, tailPath: null, droppedBytes: 0, failed: "EEXIST" });
    expect(readdirSync(dir)).toEqual([taken]);
    expect(readFileSync(join(dir, taken), "utf8")).toBe("someone's");
  });

  test.each(["", "..", "a/b", ".hidden", "a\0b"])("refuses %j as a name", (name) => {
    expect(() => createSpillFile(dir, name)).toThrow(TypeError);
  });

  test("gives up when its folder cannot be made", () => {
    writeFileSync(dir, "a file");
    const spill = createSpillFile(dir, "c1");
    spill.sink.head(bytesOf("x"));
    expect(spill.close()).toMatchObject({ path: null, failed: "EEXIST" });
  });
});
