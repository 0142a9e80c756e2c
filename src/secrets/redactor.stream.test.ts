import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "./index.ts";

/** How a value may be written, each a function of it. */
const ENCODINGS: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => JSON.stringify(value).slice(1, -1),
  (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3),
  encodeURIComponent,
  (value) => new URLSearchParams({ a: value }).toString().slice(2),
  (value) => Buffer.from(value).toString("hex"),
  (value) => Buffer.from(value).toString("base64"),
  (value) => Buffer.from(`y${value}`).toString("base64url"),
  (value) => Buffer.from(`yy${value}`).toString("base64"),
];

const value = fc.string({ unit: "grapheme", minLength: 8, maxLength: 40 }).filter((text) => Buffer.byteLength(text.trim()) >= 8);
const noise = fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom("%", "\\", "\\u00", "%2", "[secret:", "\n"));

/** Output that holds values, with the places where it is cut. */
const output = fc.record({
  values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
  parts: fc.array(fc.record({ noise, pick: fc.nat(), encoding: fc.constantFrom(...ENCODINGS) }), { maxLength: 6 }),
  cuts: fc.array(fc.nat(), { maxLength: 12 }),
});

function cutAt<Piece>(length: number, cuts: readonly number[], slice: (from: number, to: number) => Piece): Piece[] {
  const edges = [0, ...cuts.map((cut) => cut % (length + 1)), length].sort((a, b) => a - b);
  return edges.slice(1).map((edge, index) => slice(edges[index] ?? 0, edge));
}

describe("pieces", () => {
  test("give the same as the whole, wherever they are cut, and no value gets through", () => {
    fc.assert(
      fc.property(output, ({ values, parts, cuts }) => {
        const redactor = createRedactor();
        for (const [index, value] of values.entries()) expect(redactor.add(`S${index}`, value)).toBe(true);
        const shown = parts.map(({ noise, pick, encoding }) => noise + encoding(values[pick % values.length] ?? "")).join("");
        const whole = redactor.text(shown);

        const bytes = Buffer.from(shown);
        const stream = redactor.bytes();
        const out = cutAt(bytes.length, cuts, (from, to) => stream.push(bytes.subarray(from, to)));
        expect(Buffer.concat([...out, stream.end()]).toString()).toBe(whole);

        const deltas = redactor.deltas();
        const texts = cutAt(shown.length, cuts, (from, to) => deltas.push(shown.slice(from, to)));
        expect(texts.join("") + deltas.end()).toBe(whole);

        for (const value of values) {
          const marksOnly = whole.replace(/\[secret:S\d\]/g, "\0");
          for (const encode of ENCODINGS.slice(0, 6)) expect(marksOnly).not.toContain(encode(value.trim()));
        }
      }),
      { numRuns: 60 },
    );
  });

  test("are given out at once but for what may be a value's beginning", () => {
    const redactor = createRedactor();
    redactor.add("A", "tok_12345678");
    const deltas = redactor.deltas();
    expect(deltas.push("Hello, ")).toBe("Hello, ");
    expect(deltas.push("the to")).toBe("the ");
    expect(deltas.push("ken: tok_1234")).toBe("token: ");
    expect(deltas.push("5678!")).toBe("[secret:A]!");
    expect(deltas.push("tok_")).toBe("");
    expect(deltas.end()).toBe("tok_");
  });

  test("are not changed when they hold a byte that is no UTF-8", () => {
    const redactor = createRedactor();
    redactor.add("A", "tok_12345678");
    const stream = redactor.bytes();
    const bytes = Buffer.from("ff00fe80", "hex");
    expect(Buffer.concat([stream.push(bytes), stream.push(Buffer.from("tok_12345678")), stream.push(bytes), stream.end()])).toEqual(
      Buffer.concat([bytes, Buffer.from("[secret:A]"), bytes]),
    );
  });

  test("are redacted by a value that is added while they come", () => {
    const redactor = createRedactor();
    const stream = redactor.bytes();
    expect(Buffer.from(stream.push(Buffer.from("tok_12345678 "))).toString()).toBe("tok_12345678 ");
    redactor.add("A", "tok_12345678");
    expect(Buffer.from(stream.push(Buffer.from("tok_12345678."))).toString()).toBe("[secret:A].");
  });

  test("keep nothing of an array that the caller uses again", () => {
    const redactor = createRedactor();
    redactor.add("A", "tok_12345678");
    const stream = redactor.bytes();
    const piece = Buffer.from("abc tok_");
    const before = Buffer.from(stream.push(piece)).toString();
    piece.fill(0);
    expect(before + Buffer.from(stream.push(Buffer.from("other"))).toString()).toBe("abc tok_other");
  });
});

test("a long stream of output is redacted in a small part of the time that it takes to print it", () => {
  const redactor = createRedactor();
  for (const name of ["A", "B", "C"]) redactor.add(name, `${name}-0123456789/abcdefghijklmnop+${name}`);
  const piece = Buffer.from("2026-11-30 12:00:01 compile src/log/index.ts done in 12 ms, see https://example.com/x?y=1\n".repeat(700));
  const stream = redactor.bytes();
  const before = process.cpuUsage();
  let size = 0;
  for (let count = 0; count < 320; count++) size += stream.push(piece).length;
  size += stream.end().length;
  const { user, system } = process.cpuUsage(before);
  expect(size).toBe(320 * piece.length);
  // 20 MB; a limit a hundred times above what was measured, so that only another order of growth turns it red
  expect((user + system) / 1000).toBeLessThan(6_000);
});
