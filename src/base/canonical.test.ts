import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical.ts";
import { sha256, sha256OfJson } from "./hash.ts";

test("equal values have one form, and the hash is of that", () => {
  expect(canonicalJson({ b: [1, "é", null], a: { d: undefined, c: true } })).toBe('{"a":{"c":true},"b":[1,"é",null]}');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = canonicalJson(value);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(sha256OfJson(value)).toBe(sha256(json));
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["pairs on every border", "😀".repeat(100_000)],
  ["pairs, shifted by one", `x${"😀".repeat(100_000)}`],
  ["halves of pairs", "\ud83d".repeat(150_000)],
  ["the other halves", "\ude00".repeat(150_000)],
  ["escapes", '"\\\n'.repeat(60_000)],
])("long text is the same in pieces: %s", (_, text) => {
  expect(canonicalJson({ text })).toBe(JSON.stringify({ text }));
  expect(sha256OfJson({ text })).toBe(sha256(JSON.stringify({ text })));
});

test("what JSON cannot say is refused with its place", () => {
  expect(() => sha256OfJson({ a: [1, () => 1] })).toThrow(
    expect.objectContaining({ kind: "log_encode_failed", details: { pointer: "/a/1", type: "function" } }),
  );
});
