import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCollector } from "./collector.ts";
import type { SpillSink } from "./spill.ts";

const encoder = new TextEncoder();

const TEXT = ["\n", "é", "😀", "x", "some words ", "y".repeat(30)];

/** Pushes each part from a buffer that is overwritten right after, as a reader of a pipe does. */
function collect(parts: readonly (string | Uint8Array)[], options: { head?: number; tail?: number; spillPath?: string } = {}) {
  const spilled: Uint8Array[] = [];
  const spill: SpillSink = { head: (bytes) => spilled.push(Uint8Array.from(bytes)), tail: () => expect.unreachable() };
  const collector = createCollector({ headBytes: options.head ?? 40, tailBytes: options.tail ?? 60, spill });
  for (const part of parts) {
    const lent = typeof part === "string" ? encoder.encode(part) : Uint8Array.from(part);
    collector.push(lent);
    lent.fill(0x21);
  }
  return { ...collector.end({ spillPath: options.spillPath ?? null }), spilled: Buffer.concat(spilled) };
}

const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join("");

describe("a collector", () => {
  test("gives short output as it is, and spills nothing", () => {
    expect(collect(["one\ntwo", "\n"])).toEqual({
      text: "one\ntwo\n",
      bytes: 8,
      lines: 2,
      cut: false,
      cutBytes: 0,
      cutLines: 0,
      spilled: Buffer.alloc(0),
    });
  });

  test("counts nothing for no output, and a last line without a line break as a line", () => {
    expect(collect([])).toMatchObject({ text: "", bytes: 0, lines: 0, cut: false });
    expect(collect(["a\nb", "c"])).toMatchObject({ text: "a\nbc", bytes: 4, lines: 2 });
  });

  test("gives output of exactly head and tail whole, and cuts at one byte more", () => {
    expect(collect(["x".repeat(100)])).toMatchObject({ cut: false, text: "x".repeat(100) });
    const { text, cut, cutBytes, cutLines } = collect(["x".repeat(101)]);
    expect({ text, cut, cutBytes, cutLines }).toEqual({
      text: `${"x".repeat(40)}\n[cut: 1 line (1), 1 bytes]\n${"x".repeat(60)}`,
      cut: true,
      cutBytes: 1,
      cutLines: 1,
    });
  });

  test("cuts at line breaks and says which lines, how many bytes, and the call that reads them", () => {
    const { text, lines, cutLines, cutBytes } = collect([numbered(1, 50), numbered(51, 100)], { spillPath: '/s/a "b".txt' });
    expect(text).toBe(
      `${numbered(1, 5)}[cut: 88 lines (6-93), 700 bytes. read {"path":"/s/a \\"b\\".txt","offset":6}]\n${numbered(94, 100)}`,
    );
    expect({ lines, cutLines, cutBytes }).toEqual({ lines: 100, cutLines: 88, cutBytes: 700 });
  });

  test("keeps a last line that fits whole, also when it is longer than half of the tail", () => {
    const last = `FINAL ${"v".repeat(50)}`;
    expect(collect([numbered(1, 100), last]).text.endsWith(`\n${last}`)).toBe(true);
    expect(collect([numbered(1, 100), `${last}\n`]).text.endsWith(`\n${last}\n`)).toBe(true);
  });

  test("cuts one giant line by bytes, between characters", () => {
    const { text, lines, cutBytes, cutLines } = collect([`é${"😀".repeat(1000)}e`]);
    expect(text).toBe(`é${"😀".repeat(9)}\n[cut: 1 line (1), 3908 bytes]\n${"😀".repeat(14)}e`);
    expect({ lines, cutBytes, cutLines }).toEqual({ lines: 1, cutBytes: 3908, cutLines: 1 });
  });

  test("counts a line that is missing in part", () => {
    const { cutLines, text } = collect(["short\n", "x".repeat(500), "\nlast\n"]);
    expect(cutLines).toBe(1);
    expect(text).toContain("[cut: 1 line (2),");
  });

  test("keeps cut text within head and tail when the bytes are no text", () => {
    const { text } = collect([new Uint8Array(5_000).fill(0xff)]);
    const [head = "", notice, tail = ""] = text.split("\n");
    expect(encoder.encode(head).length).toBeLessThanOrEqual(40);
    expect(encoder.encode(tail).length).toBeLessThanOrEqual(60);
    expect(notice).toBe(`[cut: 1 line (1), ${5_000 - head.length - tail.length} bytes]`);
  });

  test("works without head, without tail and without either", () => {
    expect(collect([numbered(1, 20)], { head: 0 }).text).toMatch(/^\[cut: 13 lines \(1-13\), 95 bytes\]\nline 14\n/);
    expect(collect([numbered(1, 20)], { tail: 0 }).text).toMatch(/\nline 5\n\[cut: 15 lines \(6-20\), 116 bytes\]\n$/);
    expect(collect(["abc"], { head: 0, tail: 0 }).text).toBe("[cut: 1 line (1), 3 bytes]\n");
  });

  test("spills the whole output in order, from the moment that it is too long", () => {
    const parts = [numbered(1, 3), numbered(4, 30), "\xff\0\x1b[31mraw"];
    expect(collect(parts).spilled.toString()).toBe(parts.join(""));
  });

  test("says where the rest is when the output is longer than the first part of a spill", () => {
    const collector = createCollector({ headBytes: 10, tailBytes: 10, spill: null });
    const mebi = new Uint8Array(1024 * 1024).fill(0x61);
    for (let pushed = 0; pushed < 40; pushed++) collector.push(mebi);
    expect(collector.end({ spillPath: "/s/c1.txt" }).text).toContain(
      'read {"path":"/s/c1.txt","offset":1}; that file has the first 32 MiB, "/s/c1.tail.txt" the rest]',
    );
    for (let pushed = 0; pushed < 30; pushed++) collector.push(mebi);
    expect(collector.end({ spillPath: "/s/c1.txt" }).text).toContain(`"/s/c1.tail.txt" the last 32 MiB, ${6 * 2 ** 20} bytes between`);
  });

  test("tells the same however the output is split into chunks", () => {
    const words = [...TEXT, "\r", "\x1b[1m"].map((word) => Buffer.from(word));
    const word = fc.constantFrom(...words, Buffer.from([0xff]), Buffer.from([0xe2, 0x82]), Buffer.from([0x80, 10]));
    const property = fc.property(fc.array(word, { maxLength: 60 }), fc.integer({ min: 1, max: 50 }), (parts, step) => {
      const whole = Buffer.concat(parts);
      const chunks = Array.from({ length: Math.ceil(whole.length / step) }, (_, at) => whole.subarray(at * step, (at + 1) * step));
      expect(collect(chunks)).toEqual(collect([whole]));
    });
    fc.assert(property, { numRuns: 200 });
  });

  test("shows a beginning and an end, and accounts for every byte and line between them", () => {
    const property = fc.property(fc.array(fc.constantFrom(...TEXT), { minLength: 20, maxLength: 80 }), (words) => {
      const whole = words.join("");
      const { text, cut, cutBytes, cutLines, lines } = collect([whole]);
      expect(lines).toBe(whole.match(/[^\n]*\n|[^\n]+$/g)?.length);
      if (!cut) {
        expect(text).toBe(whole);
        return;
      }
      const [before = "", after = ""] = text.split(/\n?\[cut: [^\]]*\]\n/);
      // the line break before the notice is the output's own, or was put there
      const isOwn = Buffer.byteLength(`${before}\n${after}`) + cutBytes === Buffer.byteLength(whole);
      const head = isOwn ? `${before}\n` : before;
      expect(whole.startsWith(head) && whole.endsWith(after)).toBe(true);
      const missing = whole.slice(head.length, whole.length - after.length);
      expect(cutBytes).toBe(Buffer.byteLength(missing));
      expect(cutLines).toBe(missing.match(/[^\n]*\n|[^\n]+$/g)?.length);
    });
    fc.assert(property, { numRuns: 200 });
  });

  test("takes 200 MB of line breaks in flat memory and little time", () => {
    const collector = createCollector({ headBytes: 16_384, tailBytes: 32_768, spill: null });
    const chunk = encoder.encode("y\n".repeat(32_768));
    const started = process.cpuUsage();
    for (let pushed = 0; pushed < 200_000_000; pushed += chunk.length) collector.push(chunk);
    // of the processor: the clock of a busy machine says nothing
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
    expect(collector.end()).toMatchObject({ cut: true, lines: 100_007_936 });
  });
});
