import { expect, test } from "vitest";
import { widthOf } from "./width.ts";
import { wrapText } from "./wrap-text.ts";

test.each([
  ["leaves lines that fit", "a\nb\n", "a\nb\n"],
  [
    "breaks a wide line, and marks where it goes on",
    "x".repeat(50),
    `${"x".repeat(20)}\n    ↪ ${"x".repeat(13)}\n    ↪ ${"x".repeat(13)}\n    ↪ xxxx`,
  ],
  ["breaks a line at blanks, which go", "one two three four five six", "one two three four\n    ↪ five six"],
  ["cuts only a word that is longer than a line", `ab ${"x".repeat(30)} cd`, `ab ${"x".repeat(17)}\n    ↪ ${"x".repeat(13)}\n    ↪ cd`],
  ["keeps colours with their word", "one two three \u001b[31mfourfive\u001b[39m", "one two three\n    ↪ \u001b[31mfourfive\u001b[39m"],
  ["counts wide characters twice", "日".repeat(12), `${"日".repeat(10)}\n    ↪ 日日`],
  ["counts pictures twice", "✅".repeat(12), `${"✅".repeat(10)}\n    ↪ ✅✅`],
  ["counts no colours", `\u001b[31m${"x".repeat(20)}\u001b[39m`, `\u001b[31m${"x".repeat(20)}\u001b[39m`],
  ["counts a tab as wide as it can be", "\t\t\tx", "\t\t\n    ↪ \tx"],
])("%s", (_, text, wrapped) => {
  expect(wrapText(text, 20)).toBe(wrapped);
});

test("no text can begin a line of its own where Collet's lines begin", () => {
  const text = `  │ ${" ".repeat(16)}● bash command=ls${" ".repeat(20)}  decision  allowed`;
  for (const line of wrapText(text, 20).split("\n").slice(1)) expect(line).toMatch(/^ {4}↪ /);
});

test("no line is wider than the screen, whatever it holds", () => {
  for (const part of ["✅", "日", "a\u0301", "का", "\u{1f1e9}\u{1f1ea}", "é", "x ", "\t", "\u{10ffd}"]) {
    for (const line of wrapText(part.repeat(100), 40).split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(40);
  }
});

test("what is no screen gets the text as it is", () => {
  const text = "x".repeat(500);
  expect([wrapText(text, null), wrapText(text, 5)]).toEqual([text, text]);
});
