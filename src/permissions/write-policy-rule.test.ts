import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../base/fail.ts";
import { foldName } from "./guard.ts";
import { allowsWrite, deniesWrite, isWithinWriteRule, normalWriteRule } from "./write-policy-rule.ts";

const names = (path: string) => path.split("/");
const denies = (rule: string, path: string, isTree = false) => deniesWrite(rule, names(path), { fold: foldName, isTree });

describe("a write rule", () => {
  test.each([
    ["a.ts", "a.ts"],
    [" ./a//b.ts ", "a/b.ts"],
    ["././a/**", "a/**"],
    ["**/*", "**/*"],
    ["**//x*", "**/x*"],
    ["app/[id]/{x}?.tsx", "app/[id]/{x}?.tsx"],
    [".github/**", ".github/**"],
  ])("%j is kept as %j", (written, rule) => {
    expect(normalWriteRule(written)).toBe(rule);
  });

  test.each([
    [7, "not_a_string"],
    ["", "empty"],
    [" ./ ", "empty"],
    ["a".repeat(4097), "too_long"],
    ["/etc/passwd", "absolute"],
    ["//a", "absolute"],
    ["~/a", "home"],
    ["!src/**", "negation"],
    ["src\\**", "backslash"],
    ["a\nb", "control_character"],
    ["src/", "trailing_slash"],
    ["..", "parent_segment"],
    ["a/../b", "parent_segment"],
    ["a/..", "parent_segment"],
    ["a/./b", "dot_segment"],
    [".", "dot_segment"],
    ["*", "unsupported_wildcard"],
    ["**", "unsupported_wildcard"],
    ["/**", "absolute"],
    ["*.ts", "unsupported_wildcard"],
    ["src/*", "unsupported_wildcard"],
    ["src/*.ts", "unsupported_wildcard"],
    ["src/**/*.ts", "unsupported_wildcard"],
    ["src/**/a", "unsupported_wildcard"],
    ["**/*.ts", "unsupported_wildcard"],
    ["**/a*b", "unsupported_wildcard"],
    ["**/a/b", "unsupported_wildcard"],
    ["**/a/b/**", "unsupported_wildcard"],
    ["**/a*/**", "unsupported_wildcard"],
    ["**/**", "unsupported_wildcard"],
    ["a/**/**", "unsupported_wildcard"],
    ["***", "unsupported_wildcard"],
  ])("cannot be %j", (written, reason) => {
    expect(() => normalWriteRule(written)).toThrow(
      expect.objectContaining({ kind: "invalid_args", details: expect.objectContaining({ reason }) }),
    );
  });

  test.each([
    ["a/b.ts", ["a/b.ts"], ["a/b.tsx", "a", "a/b.ts/c", "x/a/b.ts", "A/b.ts"]],
    ["a/**", ["a", "a/b", "a/b/c"], ["ab", "x/a", "A/b"]],
    ["**/*", ["a", "a/b"], []],
    ["**/x.ts", ["x.ts", "a/x.ts"], ["x.ts/a", "a/xx.ts", "a/X.ts"]],
    ["**/x*", ["x", "xy", "a/xyz"], ["ax", "xa/b"]],
    ["**/gen/**", ["gen", "gen/a", "a/gen/b/c", "a/gen"], ["agen/b", "gens"]],
  ])("%s allows and no more", (rule, allowed, others) => {
    expect(allowed.filter((path) => !allowsWrite(rule, names(path)))).toEqual([]);
    expect(others.filter((path) => allowsWrite(rule, names(path)))).toEqual([]);
  });

  test.each([
    ["a/b.ts", ["a/b.ts", "A/B.TS", "a/b.ts/c"], ["a/b.tsx", "a", "x/a/b.ts"]],
    ["a/**", ["a", "A/b", "a/b/c"], ["ab", "x/a"]],
    ["**/*", ["a", "a/b"], []],
    ["**/x.ts", ["x.ts", "a/X.ts", "x.ts/a"], ["a/xx.ts"]],
    ["**/.env*", [".env", "a/.ENV.local", ".envs/a", "a/.environment/x"], ["a.env", "env"]],
    ["**/secrets/**", ["secrets", "a/Secrets/b", "ſecrets/a"], ["secretsx/a"]],
  ])("%s denies by any name and in any case", (rule, denied, others) => {
    expect(denied.filter((path) => !denies(rule, path))).toEqual([]);
    expect(others.filter((path) => denies(rule, path))).toEqual([]);
  });

  test("denies a tree that may hold what it denies", () => {
    expect(["a", "a/b", "a/b/c"].map((path) => denies("a/b/**", path, true))).toEqual([true, true, true]);
    expect(denies("a/b/**", "c", true)).toBe(false);
    expect(denies("**/.env*", "c", true)).toBe(true);
  });

  const segment = fc.constantFrom("a", "b", "ab", ".env", "A");
  const path = fc.array(segment, { minLength: 1, maxLength: 4 });
  const rule = fc.oneof(
    path.map((each) => each.join("/")),
    path.map((each) => `${each.join("/")}/**`),
    segment.chain((name) => fc.constantFrom(`**/${name}`, `**/${name}*`, `**/${name}/**`)),
    fc.constant("**/*"),
  );

  test("lies within another only when all that it allows is allowed there", () => {
    fc.assert(
      fc.property(rule, rule, path, (child, parent, each) => {
        if (isWithinWriteRule(child, parent) && allowsWrite(child, each)) expect(allowsWrite(parent, each)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ["a/b", "a/**", true],
    ["a/**", "a/**", true],
    ["a/b/**", "a/**", true],
    ["a", "a/**", true],
    ["a/**", "a", false],
    ["a/b/**", "**/b", false],
    ["a/b/**", "**/b*", false],
    ["x/gen/y/**", "**/gen/**", true],
    ["**/gen", "**/gen/**", true],
    ["**/genx", "**/gen*", true],
    ["**/genx*", "**/gen*", true],
    ["**/gen*", "**/gen", false],
    ["**/gen/**", "**/gen*", false],
    ["**/*", "**/*", true],
    ["**/*", "a/**", false],
    ["**/a", "a/**", false],
    ["q/spec_a.ts", "**/spec*", true],
  ])("%s within %s: %s", (child, parent, expected) => {
    expect(isWithinWriteRule(child, parent)).toBe(expected);
  });

  test("is normal when it was made so, and any text is taken or refused", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("*", "/", "a", ".", " ") })), (text) => {
        try {
          const normal = normalWriteRule(text);
          expect(normalWriteRule(normal)).toBe(normal);
        } catch (error) {
          if (!isFailure(error)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });
});
