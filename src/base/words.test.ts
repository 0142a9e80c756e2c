import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "./fail.ts";
import { matchCommand, parseCommandPattern, quoteWord, splitLiteralWords } from "./words.ts";

function failureOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    if (isFailure(error)) return { kind: error.kind, ...error.details };
    throw error;
  }
  return "no failure";
}

describe("splitLiteralWords", () => {
  test.each<[string, readonly string[]]>([
    ["", []],
    ["  \t ", []],
    ["npm  test\t-- a", ["npm", "test", "--", "a"]],
    [`'a b' "c d" e\\ f`, ["a b", "c d", "e f"]],
    [`a'b'"c"\\d`, ["abcd"]],
    [`'' "" ''""`, ["", "", ""]],
    [`"\\$\\\`\\"\\\\\\n"`, ['$`"\\\\n']],
    [`'\\n'`, ["\\n"]],
    ["$'a\\tb\\x41\\101\\u0041\\''", ["a\tbAAA'"]],
    [`"a\nb" 'c\nd'`, ["a\nb", "c\nd"]],
    [`"a$" a$ "b$ c"`, ["a$", "a$", "b$ c"]],
    ["x=1 a#b HEAD~1 {} a{b} [ ] ! % ^ a~ a/~", ["x=1", "a#b", "HEAD~1", "{}", "a{b}", "[", "]", "!", "%", "^", "a~", "a/~"]],
    ["é ☕ 'a\u00a0b'", ["é", "☕", "a\u00a0b"]],
  ])("%j", (text, words) => {
    expect(splitLiteralWords(text)).toEqual(words);
  });

  test.each([
    "'a",
    '"a',
    "$'a",
    "a\\",
    "$x",
    "$(x)",
    '"$x"',
    '"`x`"',
    "`x`",
    "$((1))",
    '$"a"',
    "*",
    "a*",
    "?",
    "[a]",
    "a[",
    "{a,b}",
    "{1..2}",
    "x{a','b}",
    "~",
    "~/a",
    "a=~",
    "a:~",
    "# a",
    "a; b",
    "a&b",
    "a|b",
    "a>b",
    "a<b",
    "(a)",
    "a\nb",
    "a\\\nb",
    "a\0",
    "a\x1b",
    "a\r",
    "a\u00a0b",
    "a\u200bb",
    "\ud800",
    "'\ud800'",
    '"\x07"',
    "$'\\0'",
    "$'\\x80'",
    "$'\\x01'",
    "$'\\cA'",
    "\\\x00",
  ])("refuses %j", (text) => {
    expect(failureOf(() => splitLiteralWords(text))).toMatchObject({
      kind: "invalid_args",
      reason: "not_literal",
      problem: expect.any(String),
    });
  });

  test("reads back whatever was quoted", () => {
    const word = fc.string({ unit: "binary" }).filter((text) => !/[\0\x01\x7f\p{Cs}]/u.test(text));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(splitLiteralWords(words.map(quoteWord).join(" "))).toEqual(words);
      }),
    );
  });

  test("never fails in another way", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(failureOf(() => splitLiteralWords(text))).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe("command patterns", () => {
  const matches = (pattern: string, ...argv: string[]): boolean => matchCommand(parseCommandPattern(pattern), argv);

  test.each<[string, string[], boolean]>([
    ["npm test", ["npm", "test"], true],
    ["npm test", ["npm", "test", "--", "a"], true],
    ["npm test", ["npm", "testing"], false],
    ["npm test", ["npm"], false],
    ["npm test", ["npm test"], false],
    ["npm test $", ["npm", "test"], true],
    ["npm test $", ["npm", "test", "a"], false],
    ["git * main", ["git", "push", "main"], true],
    ["git * main", ["git", "push", "-f", "main"], false],
    ["git *", ["git"], false],
    ["git * $", ["git", "log"], true],
    ["git * $", ["git", "log", "-p"], false],
    ["*", ["anything", "at", "all"], true],
    ["echo '*'", ["echo", "x"], false],
    ["echo '*'", ["echo", "*"], true],
    ["echo \\* '$'", ["echo", "*", "$"], true],
    ["echo '$'", ["echo"], false],
    ["echo '$'", ["echo", "$", "more"], true],
    ['echo "a b"', ["echo", "a b"], true],
    ["echo ''", ["echo", ""], true],
    ["echo ''", ["echo"], false],
  ])("%s of %j: %s", (pattern, argv, expected) => {
    expect(matches(pattern, ...argv)).toBe(expected);
  });

  test.each([
    ["", "empty"],
    ["  ", "empty"],
    ["$", "empty"],
    ["$ a", "dollar_not_last"],
    ["a $ b", "dollar_not_last"],
    ["npm run test:*", "not_literal"],
    ["**", "not_literal"],
    ["a && b", "not_literal"],
    ["$x", "not_literal"],
    ["a 'b", "not_literal"],
  ])("%j is refused as %s", (pattern, reason) => {
    expect(failureOf(() => parseCommandPattern(pattern))).toMatchObject({ kind: "invalid_args", reason });
  });

  const words = ["git", "$x", "main"];
  test.each<[string, readonly string[], readonly number[], boolean, boolean]>([
    ["git", words, [1], true, true],
    ["git $", words, [1], false, false],
    ["git $", ["git", "$x"], [1], false, true],
    ["git push", words, [1], false, true],
    ["git * main", words, [1], false, true],
    ["git push main $", words, [1], false, true],
    ["npm push", words, [1], false, false],
    ["rm", ["$x", "f"], [0], false, true],
    ["git log main", ["git", "log", "main", "$x"], [3], true, true],
    ["git log", ["git"], [], false, false],
  ])("%s of %j with %j unknown: surely %s, maybe %s", (pattern, argv, dynamic, surely, maybe) => {
    const parsed = parseCommandPattern(pattern);
    expect(matchCommand(parsed, argv, { dynamic, match: "surely" })).toBe(surely);
    expect(matchCommand(parsed, argv, { dynamic, match: "maybe" })).toBe(maybe);
  });
});
