import { expect, test } from "vitest";
import { widthOf } from "./width.ts";

test.each<[string, string, number]>([
  ["ASCII", "a ~", 3],
  ["our own colours", "\u001b[31ma\u001b[39m", 1],
  ["a tab, which is as wide as it can be", "\t", 8],
  ["letters that are narrow everywhere", "ŵאبक", 4],
  ["pictures of the basic plane", "✅⚡⭐❌⌚", 10],
  ["pictures beyond it", "😀\u{1fae8}", 4],
  ["a picture and what picks its coloured form", "❤\ufe0f", 3],
  ["signs that some draw as pictures", "©™‼ℹ✔", 10],
  ["flags, which not every terminal joins", "\u{1f1e9}\u{1f1ea}", 4],
  ["skin tones, which not every terminal joins", "👍\u{1f3fd}", 4],
  ["ideographs, kana, syllables and full width forms", "日かᄀ가Ａ", 10],
  ["half width forms", "ｱﾡ", 2],
  ["what is ambiguous: one column or two, as the terminal is set up", "éЖα±│●…", 14],
  ["marks that take a column of their own", "क\u093e\u0cbe", 3],
  ["marks that most terminals draw over the letter", "e\u0301\u20e3", 3],
  ["vowels of Hangul that most terminals join", "\u1160\u11a8", 2],
  ["what is in no table yet", "\u{1faff}\u{2fffd}\u0378", 6],
  ["private use and halves of pairs, which are never shown as they are", "\ue000\ud800", 4],
])("%s", (_, text, width) => {
  expect(widthOf(text)).toBe(width);
});
