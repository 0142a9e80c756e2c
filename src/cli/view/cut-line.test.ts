import { expect, test } from "vitest";
import { cutLine } from "./cut-line.ts";

test.each([
  ["what is short enough", "abc", "abc"],
  ["what is longer", "abcdef", "abcd…"],
  ["colours are not counted, and all stay", "\u001b[31mab\u001b[39mcd", "\u001b[31mab\u001b[39mcd"],
  ["a colour that ends in what is cut", "a\u001b[31mbcdef\u001b[39mg", "a\u001b[31mbcd…\u001b[39m"],
  ["characters of two halves are left whole", "😀😀😀😀😀", "😀😀😀😀…"],
])("%s", (_, line, cut) => {
  expect(cutLine(line, 4)).toBe(cut);
});
