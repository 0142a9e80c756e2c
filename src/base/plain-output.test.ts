import { describe, expect, test } from "vitest";
import { plainOutput } from "./plain-output.ts";

const plain = (text: string) => plainOutput(new TextEncoder().encode(text));

describe("plain output", () => {
  test("keeps text of any script, byte-order marks, tabs and line breaks as they are", () => {
    const text = "\ufeffüber 日本\t👨‍👩‍👧\n\n\u200f\u2028x\n";
    expect(plain(text)).toBe(text);
  });

  test.each([
    ["colours", "\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mx\x1b[m", "red x"],
    ["cursor movement and erasing", "\x1b[2J\x1b[H\x1b[?25lhi\x1b[K", "hi"],
    ["titles and links", "\x1b]0;title\x07a \x1b]8;;http://e.x\x1b\\link\x1b]8;;\x1b\\", "a link"],
    ["two-character escapes and charsets", "\x1b(Ba\x1b7b\x1bMc", "abc"],
    ["C1 control sequences", "a\u009b31mb", "ab"],
  ])("takes out %s", (_, text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  test("never lets an unterminated escape hide what follows", () => {
    expect(plain("\x1b]0;secret\nnext\x1b[")).toBe("0;secret\nnext");
    expect(plain(`\x1b]${"x".repeat(5_000)}\x07end`)).toMatch(/^x{5000}␇end$/);
  });

  test("shows NUL and other control characters as pictures", () => {
    expect(plain("left\0right\n\x07\x08\x7f\x0b\u0085")).toBe("left␀right\n␇␈␡␋\ufffd");
  });

  test("makes bytes that are no UTF-8 into U+FFFD", () => {
    expect(plainOutput(Uint8Array.from([0x61, 0xff, 0xe2, 0x82, 0x62, 0xed, 0xa0, 0x80]))).toBe("a\ufffd\ufffdb\ufffd\ufffd\ufffd");
  });

  test.each([
    ["a\r\nb\r\r\n", "a\nb\n"],
    ["10%\r20%\r100%\ndone", "100%\ndone"],
    ["10%\r20%\r", "20%"],
    ["\r\r\n\r", "\n"],
    ["x\r\x1b[Ky\n", "y\n"],
  ])("shows of an overwritten line the last writing: %j", (text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  test.each([
    ["unended strings", "\x1b]"],
    ["unended sequences", "\x1b[0;"],
    ["carriage returns", "\r"],
    ["escapes with blanks", "\x1b   "],
  ])("takes little time for a flood of %s", (_, part) => {
    const started = process.cpuUsage();
    plain(part.repeat(48_000 / part.length));
    // of the processor: the clock of a busy machine says nothing
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  });
});
