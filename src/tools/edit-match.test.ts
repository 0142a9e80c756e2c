import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMatcher, type EditRequest } from "./edit-match.ts";

const matchesOf = (text: string, request: EditRequest) => createMatcher(text)(request);

function edited(text: string, request: EditRequest): string {
  let [after, at] = ["", 0];
  for (const { start, end, text: replacement } of matchesOf(text, request)) {
    after += text.slice(at, start) + replacement;
    at = end;
  }
  return after + text.slice(at);
}

test("many requests for one large Windows file look at its line breaks once", () => {
  const text = Array.from({ length: 60_000 }, (_, at) => `line ${at} of some text, long enough to be looked for\r\n`).join("");
  const matches = createMatcher(text);
  // each with a whole pass over every line break took longer than a test may
  for (let at = 0; at < 59_000; at += 150) {
    const old_string = `line ${at} of some text, long enough to be looked for\nline ${at + 1} of`;
    const [found, ...more] = matches({ old_string, new_string: "one\ntwo" });
    expect(more).toEqual([]);
    expect(text.slice(found?.start, found?.end)).toBe(old_string.replace("\n", "\r\n"));
    expect(found?.text).toBe("one\r\ntwo");
  }
});

describe("line breaks", () => {
  test.each([
    ["of a Windows file are met by plain ones, and kept", "a\r\nb\r\nc\r\n", "a\nb", "A\nB", "A\r\nB\r\nc\r\n"],
    ["that are new take the kind of their line", "a\r\nb\r\n", "a", "a\nnew", "a\r\nnew\r\nb\r\n"],
    ["that are new at the end take the kind before", "a\r\nb", "b", "b\nc", "a\r\nb\r\nc"],
    ["of a mixed file keep each its kind", "a\r\nb\nc\r\n", "a\nb\nc\n", "A\nB\nC\n", "A\r\nB\nC\r\n"],
    ["of untouched lines stay in a mixed file", "a\r\nb\nc\r\nd\n", "b", "B", "a\r\nB\nc\r\nd\n"],
    ["are taken whole at the start of a match", "a\r\nb", "\nb", "c", "ac"],
    ["are taken whole at the end of a match", "a\r\nb", "a\n", "", "b"],
    ["are as they were asked when the request names them", "a\r\nb\r\n", "a\r\nb", "a\nb", "a\nb\r\n"],
    ["can be changed by name", "a\nb\r\n", "a\nb", "a\r\nb", "a\r\nb\r\n"],
    ["of a Unix file stay plain", "a\nb\n", "a\nb", "a\nnew\nb", "a\nnew\nb\n"],
    ["that are no line breaks stay", "a\rb\r\n", "b", "B", "a\rB\r\n"],
  ])("%s", (_, text, old_string, new_string, after) => {
    expect(edited(text, { old_string, new_string })).toBe(after);
  });

  test("are treated alike with replace_all", () => {
    const text = "[x]\r\nlamp=on\r\n[y]\r\n[x]\r\nlamp=on\r\n";
    const request = { old_string: "[x]\nlamp=on", new_string: "[x]\nlamp=off", replace_all: true };
    expect(edited(text, request)).toBe("[x]\r\nlamp=off\r\n[y]\r\n[x]\r\nlamp=off\r\n");
  });

  test("of either kind make a place ambiguous in a mixed file", () => {
    expect(matchesOf("a\r\nb\n---\na\nb\n", { old_string: "a\nb", new_string: "x" })).toHaveLength(2);
  });

  test("are never split, and nothing else is touched, in any file", () => {
    const text = fc.array(fc.constantFrom("a", "b", "\n", "\r\n", "ab"), { maxLength: 30 }).map((parts) => parts.join(""));
    const needle = fc.array(fc.constantFrom("a", "b", "\n"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, needle, fc.boolean(), (file, old_string, replace_all) => {
        const matches = matchesOf(file, { old_string, new_string: "X", replace_all });
        for (const { start, end } of matches) {
          expect(file.slice(start, end).replaceAll("\r\n", "\n")).toBe(old_string);
          expect(file[start - 1] === "\r" && file[start] === "\n").toBe(false);
          expect(file[end - 1] === "\r" && file[end] === "\n").toBe(false);
        }
        const plain = file.replaceAll("\r\n", "\n");
        expect(matches.length > 0).toBe(plain.includes(old_string));
        if (replace_all) expect(matches.length).toBe(plain.split(old_string).length - 1);
      }),
      { numRuns: 500 },
    );
  });
});
