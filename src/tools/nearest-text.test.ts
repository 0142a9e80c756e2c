import { expect, test } from "vitest";
import { nearestText } from "./nearest-text.ts";

const FILE = "import a from 'a';\n\nexport function total(list) {\n\treturn list.reduce((sum, n) => sum + n, 0);\n}\n\nconst x = 1;\n";

test.each([
  ["one letter wrong", "export function totel(list) {", { line: 3, text: "export function total(list) {", differs_in: null }],
  ["other white space", "    return list.reduce((sum, n) => sum + n, 0);", { line: 4, differs_in: "white_space" }],
  [
    "a block, by its longest line",
    "export function total(l) {\n\treturn list.reduce((sum, n) => sum + n, 1);\n}",
    { line: 3, differs_in: null },
  ],
  ["escapes in place of line breaks", "}\\n\\nconst x = 1;", { line: 5, text: "}\n\nconst x = 1;", differs_in: "escapes" }],
])("finds the place with %s", (_, wanted, found) => {
  expect(nearestText(FILE, wanted)).toMatchObject(found);
});

test.each([["something else entirely"], ["   \n"], [""]])("finds nothing for %j", (wanted) => {
  expect(nearestText(FILE, wanted)).toBeNull();
});

test("is bounded in what it shows and in the time it takes", () => {
  const text = `${"const value = compute(alpha, beta, gamma);\n".repeat(90_000)}`;
  const found = nearestText(text, "const value = compute(alpha, beta, delta);\n".repeat(500));
  expect(found?.text.length).toBeLessThanOrEqual(2000);
  expect(nearestText("x".repeat(5_000_000), "y")).toBeNull();
});
