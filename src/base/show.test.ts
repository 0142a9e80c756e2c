import { describe, expect, test } from "vitest";
import { showLine, showText } from "./show.ts";

describe("showText", () => {
  test.each([
    ["an escape sequence", "\u001b[31mred\u001b[0m", "\\x1b[31mred\\x1b[0m"],
    ["a title and a bell", "\u001b]0;owned\u0007", "\\x1b]0;owned\\x07"],
    ["the one-byte control sequence introducer", "\u009b31m", "\\x9b31m"],
    ["a carriage return that overwrites the line", "rm -rf /\rls", "rm -rf /\\rls"],
    ["a backspace", "a\bb", "a\\x08b"],
    ["a NUL and a DEL", "\u0000\u007f", "\\x00\\x7f"],
    ["a right-to-left override", "a\u202egpj.exe", "a\\u{202e}gpj.exe"],
    ["bidi isolates", "\u2066x\u2069", "\\u{2066}x\\u{2069}"],
    ["zero-width space, joiner and no-break space", "a\u200bb\u200dc\ufeffd", "a\\u{200b}b\\u{200d}c\\u{feff}d"],
    ["a soft hyphen and a word joiner", "a\u00ad\u2060b", "a\\xad\\u{2060}b"],
    ["an invisible filler", "\u3164=1", "\\u{3164}=1"],
    ["tag characters that hide text", "hi\u{e0068}\u{e0069}", "hi\\u{e0068}\\u{e0069}"],
    ["a variation selector that hides bits", "a\ufe01\u{e0100}", "a\\u{fe01}\\u{e0100}"],
    ["a line separator", "a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
    ["half a character", "a\ud83d", "a\\u{d83d}"],
    ["private use, which a font may draw as it likes", "\ue0b0", "\\u{e0b0}"],
  ])("shows %s", (_, text, shown) => {
    expect(showText(text)).toBe(shown);
  });

  test("leaves ordinary text of any script as it is", () => {
    const text = "line 1\n\tline 2 – naïve, 日本語, العربية, e\u0301, 😀, ⚠\ufe0f done\n";
    expect(showText(text)).toBe(text);
  });

  test("is quick on a long text full of escapes", () => {
    const text = "\u001b[1m".repeat(500_000);
    const started = process.cpuUsage();
    expect(showText(text)).toHaveLength(500_000 * 7);
    // of the processor: the clock of a busy machine says nothing
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  });
});

test("showLine keeps a text on one line", () => {
  expect(showLine("a\nb\tc\r\n\u001b")).toBe("a\\nb\\tc\\r\\n\\x1b");
});
