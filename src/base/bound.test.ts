import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bound, boundHeadTail } from "./bound.ts";

const marker = (limit: number, total: number) => `\n…[truncated, showing up to ${limit} of ${total} bytes]`;

describe("bound", () => {
  test("leaves a text of up to the limit, 16,000 bytes unless said", () => {
    expect(bound("x".repeat(16_000))).toBe("x".repeat(16_000));
    expect(bound("x".repeat(16_001))).toBe("x".repeat(16_000) + marker(16_000, 16_001));
    expect(bound("")).toBe("");
    expect(bound("é", 2)).toBe("é");
    expect(bound("", 0)).toBe("");
  });

  test("counts bytes, not characters, and says the limit and the whole size", () => {
    expect(bound("日本語", 7)).toBe(`日本${marker(7, 9)}`);
    expect(bound("abc", 0)).toBe(marker(0, 3));
  });

  test.each([
    ["a family", "a👨‍👩‍👧b", 12, "a"],
    ["a flag", "🇩🇪🇫🇷", 12, "🇩🇪"],
    ["a combining accent", "xe\u0301", 2, "x"],
    ["a line break of two", "ab\r\ncd", 3, "ab"],
    ["a cluster larger than the limit", "👨‍👩‍👧", 10, ""],
    ["Hangul in parts", "\u1112\u1161\u11ab", 6, ""],
  ])("keeps %s whole", (_, text, limit, kept) => {
    expect(bound(text, limit)).toBe(kept + marker(limit, Buffer.byteLength(text)));
  });

  test("makes a surrogate without its half U+FFFD, in short and in cut text", () => {
    expect(bound("a\ud800b")).toBe("a\ufffdb");
    expect(bound("\udc00abc", 4)).toBe(`\ufffda${marker(4, 6)}`);
  });

  test("keeps the longest row of whole clusters, as counting them one by one does", () => {
    const word = fc.constantFrom("a", "\r", "\n", "é", "e\u0301", "👨‍👩‍👧", "🇩🇪", "\u0301", "\u200d", "😀", "\ud83d", "한", "\u1112\u1161");
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    const property = fc.property(fc.array(word, { maxLength: 30 }), fc.nat(60), (words, limit) => {
      const text = Buffer.from(words.join("")).toString();
      let kept = "";
      for (const { segment } of segmenter.segment(text)) {
        if (Buffer.byteLength(kept + segment) > limit) break;
        kept += segment;
      }
      expect(bound(words.join(""), limit)).toBe(kept === text ? text : kept + marker(limit, Buffer.byteLength(text)));
    });
    fc.assert(property, { numRuns: 500 });
  });

  test("takes little time for a large text", () => {
    const text = "日本語 text é\n".repeat(1_000_000);
    const started = process.cpuUsage();
    expect(bound(text)).toContain(`of ${Buffer.byteLength(text)} bytes]`);
    // of the processor: the clock of a busy machine says nothing
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  });
});

describe("bounding head and tail", () => {
  const limits = { headBytes: 10, tailBytes: 12 };

  test("leaves a text of up to head and tail", () => {
    expect(boundHeadTail("x".repeat(22), limits)).toBe("x".repeat(22));
    expect(boundHeadTail("a\ud800", limits)).toBe("a\ufffd");
  });

  test("keeps whole lines of both ends and says what is between", () => {
    const text = "one\ntwo\nthree\nfour\nfive\nsix\n";
    expect(boundHeadTail(text, { ...limits, spillPath: "/s/x.txt" })).toBe(
      'one\ntwo\n[cut: 2 lines (3-4), 11 bytes. read {"path":"/s/x.txt","offset":3}]\nfive\nsix\n',
    );
  });

  test("does not touch control characters: the text is a tool's, not a program's", () => {
    expect(boundHeadTail(`\x1b[1m\0${"x".repeat(40)}\0\r`, limits)).toBe(
      `\x1b[1m\0xxxxx\n[cut: 1 line (1), 25 bytes]\n${"x".repeat(10)}\0\r`,
    );
  });

  test("splits no character", () => {
    // 27 bytes: 9 of the first 10 and 12 of the last 12 can be kept
    expect(boundHeadTail("日本語中文字韓国人", limits)).toBe("日本語\n[cut: 1 line (1), 6 bytes]\n字韓国人");
  });
});
