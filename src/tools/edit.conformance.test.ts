import { describe, expect, test } from "vitest";
import { memorySandbox } from "../sandbox/index.ts";
import { callOf } from "../testing/direct-call.ts";
import { edit } from "./edit.ts";

/**
 * Faults that other edit tools were seen to have, one row each: file, text to replace, new text, and what must be in the file afterwards.
 * Where there is a kind in place of the file, the edit is refused and the file keeps every byte.
 */
const ROWS: readonly (readonly [
  name: string,
  file: string,
  old_string: string,
  new_string: string,
  after: string | { kind: string; nearest?: object },
])[] = [
  ["plain lines", "a\nb\nc\n", "b", "B", "a\nB\nc\n"],
  ["Windows line ends", "a\r\nb\r\nc\r\n", "a\nb", "A\nB", "A\r\nB\r\nc\r\n"],
  ["mixed line ends", "a\r\nb\nc\r\nd\n", "b", "B", "a\r\nB\nc\r\nd\n"],
  ["a lone carriage return", "a\rx\nb\n", "b", "B", "a\rx\nB\n"],
  ["a byte-order mark", "\ufeffhello", "hello", "HELLO", "\ufeffHELLO"],
  ["curly quotes in another line", 'say “hi”\nprint("hi")\n', 'print("hi")', "print(1)", "say “hi”\nprint(1)\n"],
  [
    "curly quotes in the file, straight ones asked",
    "say “hi”\n",
    'say "hi"',
    "x",
    { kind: "no_match", nearest: { line: 1, differs_in: "punctuation" } },
  ],
  [
    "tabs in the file, spaces asked",
    "\tif (x) {\n\t\ty();\n",
    "    if (x) {\n        y();",
    "z",
    { kind: "no_match", nearest: { line: 1, differs_in: "white_space" } },
  ],
  [
    "an indented body, asked without",
    "def f():\n    x = 1\n    y = 2\n",
    "x = 1\ny = 2",
    "z",
    { kind: "no_match", nearest: { differs_in: "white_space" } },
  ],
  ["the same line twice", "a\nb\na\n", "a", "c", { kind: "not_unique" }],
  ["an exact place beside one that looks alike", 'a "x"\na “x”\n', 'a "x"', "b", "b\na “x”\n"],
  ["a backslash and an n for a line break", "a\nb\nc", "a\\nb", "x", { kind: "no_match", nearest: { line: 1, differs_in: "escapes" } }],
  ["dollar signs in the new text", "cost", "cost", "$& $1 $$", "$& $1 $$"],
  ["no line break at the end", "a\nlast", "last", "end", "a\nend"],
  ["a block whose middle differs", "start\none\nend\n", "start\ntwo\nend", "x", { kind: "no_match" }],
  [
    "one letter wrong in a long block",
    "function total() {\n  return 1;\n}\n",
    "function totel() {\n  return 1;\n}",
    "x",
    { kind: "no_match", nearest: { line: 1 } },
  ],
  ["the same text again", "a", "a", "a", { kind: "no_change" }],
  ["other blanks inside a line", "foo( a,  b )", "foo(a, b)", "foo(c)", { kind: "no_match", nearest: { differs_in: "white_space" } }],
];

describe("edit", () => {
  test.each(ROWS)("is right about %s", async (_, file, old_string, new_string, after) => {
    const sandbox = memorySandbox({ f: file });
    const done = await callOf(edit, { path: "f", old_string, new_string }, sandbox);
    if (typeof after === "string") {
      expect(done).toMatchObject({ ok: true });
      expect(sandbox.files()).toEqual({ f: after });
      return;
    }
    const { kind, nearest } = after;
    expect(done).toMatchObject({ ok: false, error: { kind, ...(nearest ? { details: { nearest } } : {}) } });
    expect(sandbox.files()).toEqual({ f: file });
  });
});
