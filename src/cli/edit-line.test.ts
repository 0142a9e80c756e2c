import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { type EditLineOptions, editLine } from "./edit-line.ts";
import type { Output } from "./output.ts";

/** Types keys into a line; what the screen was told is kept. */
async function typeInto(keys: readonly string[], more: Partial<EditLineOptions> & { columns?: number; isScreen?: boolean } = {}) {
  const { columns = 80, isScreen = true, ...options } = more;
  const written: string[] = [];
  const screen: Output = {
    isTerminal: true,
    columns: () => columns,
    proseColumns: () => columns,
    rows: () => 24,
    isScreen,
    colors: pc.createColors(false),
    gone: new AbortController().signal,
    leave: () => {},
    async write(text) {
      written.push(text);
    },
    flush: async () => null,
  };
  const typed = [...keys];
  const keyboard = { next: async () => typed.shift() ?? null, drain: async () => null, close: () => {} };
  const edited = await editLine({ keyboard, screen, signal: new AbortController().signal, maxChars: 100, ...options });
  return { edited, written };
}

const text = (keys: readonly string[], more: Parameters<typeof typeInto>[1] = {}) =>
  typeInto([...keys, "\r"], more).then(({ edited }) => (edited.end === "line" ? edited.text : edited.end));

describe("a line", () => {
  test.each<[string, readonly string[], string]>([
    ["takes what is typed", ["a", "b c"], "ab c"],
    ["is mended with backspace", ["abx", "\u007f", "c"], "abc"],
    ["is mended in the middle", ["ac", "\u001b[D", "b"], "abc"],
    ["is mended by keys that come at once", ["acd\u001b[D\u001b[Db"], "abcd"],
    ["knows both spellings of arrows", ["ac", "\u001bOD", "b", "\u001bOC", "d"], "abcd"],
    ["has a beginning and an end", ["b", "\u0001", "a", "\u0005", "c", "\u001b[H", "<", "\u001b[F", ">"], "<abc>"],
    ["deletes under the cursor", ["abc", "\u001b[D", "\u001b[3~"], "ab"],
    ["is emptied to its beginning", ["abc", "\u0015", "d"], "d"],
    ["is emptied to its end", ["abc", "\u0001", "\u000b", "d"], "d"],
    ["loses a word", ["one two  ", "\u0017", "three"], "one three"],
    ["does not go beyond its ends", ["\u007f", "\u001b[D", "a", "\u001b[C", "\u001b[3~", "b"], "ab"],
    ["takes a paste as text", ["\u001b[200~a\r\nb\nc\u0003\u001b[201~"], "a b c"],
    ["passes over keys of no use", ["a", "\u001b[15~", "\u001bx", "\u0007", "b"], "ab"],
    ["takes characters of any plane whole", ["a😀", "\u007f", "b"], "ab"],
    ["ends where it is ended, and drops the rest", ["ab\rcd"], "ab"],
  ])("%s", async (_, keys, line) => {
    expect(await text(keys)).toBe(line);
    expect(await text(keys, { isScreen: false })).toBe(line);
  });

  test("begins with the text that it is given, and takes no more than it may", async () => {
    expect(await text(["c", "d"], { text: "ab", maxChars: 3 })).toBe("abc");
  });

  test.each([
    ["Esc goes back", ["a", "\u001b"], "back"],
    ["Ctrl-C interrupts", ["a\u0003"], "interrupt"],
    ["a terminal that is gone ends it", ["a"], "gone"],
  ])("%s", async (_, keys, end) => {
    expect((await typeInto(keys)).edited).toEqual({ end });
  });

  test("keeps to one row, round the cursor, and shows what would hide or move", async () => {
    const { written } = await typeInto(["\u001b[2J\u202e", "\u001b[200~\u202e✅\u001b[201~", "x".repeat(50), "\u0001", "\r"], {
      columns: 30,
    });
    for (const row of written) {
      const shown = row.replace(/\u001b(?:[78]|\[K)|[\r\n]/g, "");
      expect(shown).not.toMatch(/[\u001b\u202e]/);
      expect([...shown].length).toBeLessThan(30);
    }
    expect(written.at(-2)).toMatch(/^\r> \u001b7.*>\u001b\[K\u001b8$/);
    expect(written.at(-3)).toMatch(/^\r> <.*\u001b7\u001b\[K\u001b8$/);
  });
});
