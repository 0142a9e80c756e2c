import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "./fail.ts";
import { compileGlob, literalGlob } from "./glob.ts";

const names = (path: string): readonly string[] => (path === "" ? [] : path.split("/"));

describe("a glob matches", () => {
  test.each<[string, string, boolean]>([
    ["a.ts", "a.ts", true],
    ["a.ts", "A.ts", false],
    ["a.ts", "x/a.ts", false],
    ["*.ts", "a.ts", true],
    ["*.ts", ".ts", true],
    ["*", ".env", true],
    ["*", "a/b", false],
    ["*", "", false],
    ["?", "a", true],
    ["?", "☕", true],
    ["?", "ab", false],
    ["a*b*c", "aXbYbZc", true],
    ["a*b*c", "aXbYbZ", false],
    ["[abc].ts", "b.ts", true],
    ["[a-c].ts", "d.ts", false],
    ["[!a-c].ts", "d.ts", true],
    ["[^a].ts", "a.ts", false],
    ["[]x]", "]", true],
    ["[a-]", "-", true],
    ["[*]", "*", true],
    ["[*]", "a", false],
    ["[\\]", "\\", true],
    ["[[]a]", "[a]", true],
    ["**", "", true],
    ["**", "a/b/c", true],
    ["src/**", "src", true],
    ["src/**", "src/a/b", true],
    ["src/**", "srcs/a", false],
    ["**/a.ts", "a.ts", true],
    ["**/a.ts", "x/y/a.ts", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "a/x/y/c", false],
    ["**/x/**/y", "x/x/z/y", true],
    ["a b(c)", "a b(c)", true],
    ["a{b}", "a{b}", true],
  ])("%s against %j: %s", (pattern, path, expected) => {
    expect(compileGlob(pattern).matches(names(path))).toBe(expected);
  });
});

describe("over a tree, a glob", () => {
  test.each<[string, string, { covers: boolean; reaches: boolean }]>([
    ["src/**", "src", { covers: true, reaches: true }],
    ["src/**", "src/a", { covers: true, reaches: true }],
    ["src/**", "", { covers: false, reaches: true }],
    ["**", "", { covers: true, reaches: true }],
    ["src/*", "src", { covers: false, reaches: true }],
    ["src", "src", { covers: false, reaches: true }],
    ["src/a/b.ts", "src", { covers: false, reaches: true }],
    ["src/a", "src/a/b", { covers: false, reaches: false }],
    ["**/secret/*", "src/deep", { covers: false, reaches: true }],
    ["lib/**", "src", { covers: false, reaches: false }],
  ])("%s at %j", (pattern, path, expected) => {
    const glob = compileGlob(pattern);
    expect({ covers: glob.covers(names(path)), reaches: glob.reaches(names(path)) }).toEqual(expected);
  });
});

describe("a name is spelled", () => {
  const spelled = (pattern: string, path: string, index: number, text: string): boolean =>
    compileGlob(pattern).matchesSpelled(names(path), { index, spells: (run) => run.includes(text) });
  test.each<[string, string, number, boolean]>([
    [".env", ".env", 0, true],
    [".env*", ".env.local", 0, true],
    ["**/.env", "a/b/.env", 2, true],
    [".env/**", ".env/a", 0, true],
    ["**", ".env", 0, false],
    ["*", ".env", 0, false],
    [".*", ".env", 0, false],
    [".e*v", ".env", 0, false],
    ["?env", ".env", 0, false],
    ["[.]env", ".env", 0, false],
    ["**/.env/**", ".env/x/.env", 2, true],
    ["**/.env/*/*", ".env/x/.env", 2, false],
    [".envs", ".env", 0, false],
  ])("by %s in %s at %i: %s", (pattern, path, index, expected) => {
    expect(spelled(pattern, path, index, ".env")).toBe(expected);
  });
});

test.each([
  ["", "empty"],
  ["a//b", "empty_name"],
  ["src/", "empty_name"],
  ["../a", "dot_name"],
  ["a/./b", "dot_name"],
  ["a**", "partial_globstar"],
  ["***", "partial_globstar"],
  ["a\\*", "backslash"],
  ["{a,b}.ts", "braces"],
  ["[a", "unclosed_set"],
  ["[]", "unclosed_set"],
  ["[a/b]", "unclosed_set"],
  ["[z-a]", "bad_range"],
  ["a\nb", "control_character"],
  ["a\ud800", "control_character"],
  ["a".repeat(5000), "too_long"],
])("%j is refused as %s", (pattern, reason) => {
  const act = (): unknown => compileGlob(pattern);
  expect(act).toThrow(expect.toSatisfy((error) => isFailure(error) && error.kind === "invalid_args" && error.details.reason === reason));
});

test("a literal glob matches its name and nothing else", () => {
  const name = fc
    .string({ unit: "binary", minLength: 1 })
    .filter((text) => !/[\0-\x1f\x7f/\p{Cs}]/u.test(text) && text !== "." && text !== "..");
  fc.assert(
    fc.property(name, name, (a, b) => {
      const glob = compileGlob(literalGlob(a));
      expect([glob.matches([a]), glob.matches([b])]).toEqual([true, a === b]);
    }),
  );
});

test("hostile patterns end soon", () => {
  const started = process.cpuUsage();
  expect(compileGlob(`${"*a".repeat(100)}b`).matches(["a".repeat(5000)])).toBe(false);
  expect(compileGlob(`${"**/*/".repeat(200)}x`).matches(Array.from({ length: 500 }, () => "a"))).toBe(false);
  // of the processor: the clock of a busy machine says nothing
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(8000);
});
