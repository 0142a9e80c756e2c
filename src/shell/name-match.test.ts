import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesName, tokensOfGlob } from "./name-match.ts";
import { patternChars, tokensOf } from "./pattern.ts";

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", ".ts", true],
  ["*.ts", "a.tsx", false],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["?", "😀", true],
  ["[a-c]x", "bx", true],
  ["[!a-c]x", "bx", false],
  ["[!a-c]x", "dx", true],
  ["@(a|bc)d", "bcd", true],
  ["@(a|bc)d", "bd", false],
  ["x?(a|aa)a", "xaa", true],
  ["x?(a|aa)a", "xa", true],
  ["!(a|b)", "a", false],
  ["!(a|b)", "ab", true],
  ["x!(a)", "xa", false],
  ["x!(a)", "x", true],
  ["*a*b", "xaxxb", true],
  ["*a*b", "xbxa", false],
  ["[", "[", true],
  ["[[[", "[[[", true],
  ["a]", "a]", true],
])("%j for %j", (pattern, name, matches) => {
  expect(matchesName(tokensOf(patternChars(pattern, "written")) ?? [], name)).toBe(matches);
});

test("a pattern that is not plain is none", () => {
  for (const pattern of ["[[:alpha:]]", "*(a)", "!(a)b", "@(a*)", "[z-a]"]) expect(tokensOf(patternChars(pattern, "written"))).toBeNull();
});

test("small and capital letters are the same when it is told so", () => {
  expect(matchesName(tokensOfGlob("*.Env"), "A.eNV", { caseless: true })).toBe(true);
  expect(matchesName(tokensOfGlob("*.Env"), "A.eNV")).toBe(false);
});

test("it finds what a regular expression finds", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", ".", "A"), maxLength: 8 });
  fc.assert(
    fc.property(text, fc.string({ unit: fc.constantFrom("a", "b", ".", "A"), maxLength: 8 }), fc.boolean(), (glob, name, caseless) => {
      const source = glob.replaceAll(".", "\\.").replace(/\*/g, ".*").replaceAll("?", ".");
      expect(matchesName(tokensOfGlob(glob), name, { caseless })).toBe(new RegExp(`^${source}$`, caseless ? "is" : "s").test(name));
    }),
  );
});
