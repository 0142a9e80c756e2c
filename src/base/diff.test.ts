import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffOfNew, diffOfReplacements, diffOfTexts, MAX_DIFF_LENGTH, type Replacement } from "./diff.ts";

const applied = (before: string, replacements: readonly Replacement[]) => {
  let after = "";
  let at = 0;
  for (const { start, end, text } of replacements) {
    after += before.slice(at, start) + text;
    at = end;
  }
  return after + before.slice(at);
};

describe("diffOfReplacements", () => {
  test("shows the changed lines with three lines around them", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    expect(diffOfReplacements(before, [{ start: 8, end: 9, text: "five" }], "a.txt")).toBe(
      "--- a.txt\n+++ a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  test("joins near changes and parts far ones, with the right numbers", () => {
    const before = Array.from({ length: 30 }, (_, n) => `${n + 1}\n`).join("");
    const at = (line: number) => before.indexOf(`\n${line}\n`) + 1;
    const changes = [
      { start: at(2), end: at(3), text: "" },
      { start: at(5), end: at(5), text: "new\nlines\n" },
      { start: at(25), end: at(25) + 2, text: "x" },
    ];
    expect(diffOfReplacements(before, changes, "n")).toBe(
      "--- n\n+++ n\n@@ -1,7 +1,8 @@\n 1\n-2\n 3\n 4\n+new\n+lines\n 5\n 6\n 7\n@@ -22,7 +23,7 @@\n 22\n 23\n 24\n-25\n+x\n 26\n 27\n 28\n",
    );
  });

  test("says where a file ends without a line break", () => {
    expect(diffOfReplacements("a\nb", [{ start: 2, end: 3, text: "c" }], "n")).toBe(
      "--- n\n+++ n\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n",
    );
  });

  test("is a patch that gives the new text, wherever the replacements stand", () => {
    const piece = fc.constantFrom("\n", "\n\n", "a", "a\n", "b\nc", "long line\n", "\r\n");
    const parts = fc.array(fc.tuple(piece, fc.option(piece, { nil: null }), fc.boolean()), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(parts, (list) => {
        let before = "";
        const replacements: Replacement[] = [];
        for (const [text, replaced, isInsert] of list) {
          const start = before.length;
          before += text;
          if (replaced === null || replaced === text) continue;
          replacements.push(isInsert ? { start, end: start, text: replaced } : { start, end: before.length, text: replaced });
        }
        const after = applied(before, replacements);
        const diff = diffOfReplacements(before, replacements, "n");
        expect(applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
      }),
      { numRuns: 300 },
    );
  });

  test("stays small and quick for 200,000 replacements in one line or in many", () => {
    for (const unit of ["ab", "a\n"]) {
      const before = unit.repeat(200_000);
      const replacements = Array.from({ length: 200_000 }, (_, n) => ({ start: 2 * n, end: 2 * n + 1, text: "xyz" }));
      const diff = diffOfReplacements(before, replacements, "n");
      expect(diff.length).toBeLessThan(MAX_DIFF_LENGTH + 200);
    }
  });

  test("tells lines that are too long by their length, and shows no part of them", () => {
    const diff = diffOfReplacements("x".repeat(20_000), [{ start: 0, end: 1, text: "y" }], "n");
    expect(diff).toContain("-… (a line of 20000 characters, too long to be shown)\n");
    expect(diff).not.toContain("xx");
    expect(diffOfReplacements("x".repeat(16_384), [{ start: 0, end: 1, text: "y" }], "n")).toContain(`+y${"x".repeat(16_383)}\n`);
  });

  test("cannot be given lines of its own by a file name", () => {
    expect(diffOfReplacements("a", [{ start: 0, end: 1, text: "b" }], "a\n+++ /etc/passwd")).toContain('--- "a\\n+++ /etc/passwd"\n');
  });
});

describe("diffOfNew", () => {
  test.each([
    ["", "--- /dev/null\n+++ n\n"],
    ["a\n", "--- /dev/null\n+++ n\n@@ -0,0 +1 @@\n+a\n"],
    ["a\nb", "--- /dev/null\n+++ n\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"],
  ])("of %j", (text, diff) => {
    expect(diffOfNew(text, "n")).toBe(diff);
  });

  test("is bounded, and says so", () => {
    const diff = diffOfNew("line\n".repeat(1_000_000), "n");
    expect(diff.length).toBeLessThan(MAX_DIFF_LENGTH + 200);
    expect(diff).toContain("+1,1000000 @@");
    expect(diff).toMatch(/the rest is not shown\)\n$/);
  });
});

describe("diffOfTexts", () => {
  test("is empty for equal texts", async () => {
    expect(await diffOfTexts("a\n", "a\n", "n")).toBe("");
  });

  test("is a patch from one to the other", async () => {
    const line = fc.constantFrom("a\n", "b\n", "c\n", "\n", "d\r\n");
    const text = fc.tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom("", "end")).map(([lines, end]) => lines.join("") + end);
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const diff = await diffOfTexts(before, after, "n");
        expect(diff === "" ? before : applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
      }),
      { numRuns: 200 },
    );
  });

  test("tells in numbers what is too different to compare, the same each time", async () => {
    const lines = (name: string) => Array.from({ length: 3000 }, (_, n) => `${name} ${n}\n`).join("");
    const diff = await diffOfTexts(lines("old"), lines("new"), "n");
    expect(diff).toBe("--- n\n+++ n\n(3000 lines replaced by 3000, too many or too different to compare)\n");
    expect(await diffOfTexts("x".repeat(2_000_000), "y\n", "n")).toContain("(1 lines replaced by 1,");
  });
});
