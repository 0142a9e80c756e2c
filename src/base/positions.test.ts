import fc from "fast-check";
import { expect, test } from "vitest";
import { positionsOf } from "./positions.ts";

function slow(text: string, wanted: string): number[] {
  return [...text].flatMap((_, at) => (text.startsWith(wanted, at) ? [at] : []));
}

test("finds what a plain search finds, overlapping places too", () => {
  const repetitive = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 400 });
  fc.assert(
    fc.property(repetitive, fc.nat(300), fc.integer({ min: 1, max: 80 }), (text, from, length) => {
      const wanted = text.slice(from, from + length) || "ab";
      expect([...positionsOf(text, wanted)]).toEqual(slow(text, wanted));
    }),
    { numRuns: 200 },
  );
});

test("does not take the product of the lengths on text that repeats itself", () => {
  const text = "a".repeat(2_000_000);
  const wanted = `${"a".repeat(50_000)}b${"a".repeat(50_000)}`;
  const started = process.cpuUsage();
  expect([...positionsOf(text, wanted)]).toEqual([]);
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(8_000);
});
