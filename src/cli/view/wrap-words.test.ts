import { expect, test } from "vitest";
import { wrapWords } from "./wrap-words.ts";

const words = "one two three four five six seven eight nine ten";

test.each([
  ["breaks prose at blanks", words, "one two three four five six seven eight\nnine ten"],
  ["takes lines of prose for one", `${words}\nand more\n\nend`, "one two three four five six seven eight\nnine ten and more\n\nend"],
  ["goes on below the last column", `  name  ${words}`, "  name  one two three four five six\n        seven eight nine ten"],
  [
    "counts no colours",
    `\u001b[1mname\u001b[22m  ${words}`,
    "\u001b[1mname\u001b[22m  one two three four five six seven\n      eight nine ten",
  ],
  ["leaves a command whole", `  echo x | collet run ${words}`, `  echo x | collet run ${words}`],
  [
    "puts what explains a command below it",
    "  collet run --read-only 'x'    changes nothing at all",
    "  collet run --read-only 'x'\n      changes nothing at all",
  ],
  ["leaves a long word whole", `a ${"x".repeat(60)}`, `a\n${"x".repeat(60)}`],
])("%s", (_, text, wrapped) => {
  expect(wrapWords(text, 40)).toBe(wrapped);
});

test("what is no screen gets the text as it is", () => {
  expect([wrapWords(words, null), wrapWords(words, 10)]).toEqual([words, words]);
});
