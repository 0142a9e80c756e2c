import fc from "fast-check";
import { expect, test } from "vitest";
import { countNewlines } from "./count-newlines.ts";

test("counts line breaks among any bytes, at any place of a buffer and of any length", () => {
  const byte = fc.constantFrom(0x0a, 0x0b, 0x09, 0x8a, 0x00, 0x0d, 0xff, 0x7f, 0x80);
  const property = fc.property(fc.array(byte, { maxLength: 40 }), fc.nat(5), (bytes, offset) => {
    const place = Uint8Array.from([...new Array(offset).fill(0x0a), ...bytes, 0x0a, 0x0a]).subarray(offset, offset + bytes.length);
    expect(countNewlines(place)).toBe(bytes.filter((byte) => byte === 0x0a).length);
  });
  fc.assert(property, { numRuns: 500 });
});

test("does not run over on a long run of line breaks", () => {
  for (const size of [1_019, 1_020, 1_021, 1_024, 100_003]) expect(countNewlines(new Uint8Array(size).fill(0x0a))).toBe(size);
});
