import fc from "fast-check";
import { expect, test } from "vitest";
import { readWindow } from "./read-window.ts";

const signal = new AbortController().signal;

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("cuts out the same lines however the file comes in pieces", async () => {
  const text = fc.array(fc.constantFrom("a", "bc", "\n", "\n\n", "é", "😀", "\r\n"), { maxLength: 60 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (whole, size, offset, limit) => {
        const lines = whole.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        const window = await readWindow(pieces(new TextEncoder().encode(whole), size), { offset, limit, countAll: true, signal });
        const wanted = lines.slice(offset - 1, offset - 1 + limit);
        expect(window).toMatchObject({
          text: wanted.join(""),
          lines: wanted.length,
          totalLines: lines.length,
          nextLine: offset - 1 + limit < lines.length && wanted.length > 0 ? offset + limit : null,
        });
      },
    ),
    { numRuns: 500 },
  );
});

test("reads no further than the page when the rest is not to be counted", async () => {
  let taken = 0;
  async function* endless() {
    for (;;) {
      taken += 1;
      yield new TextEncoder().encode("line\n".repeat(1000));
    }
  }
  const window = await readWindow(endless(), { offset: 2500, limit: 10, countAll: false, signal });
  expect(window).toMatchObject({ lines: 10, nextLine: 2510, totalLines: null });
  expect(taken).toBe(3);
});

test("knows that there is nothing behind a page that ends with the file", async () => {
  const bytes = new TextEncoder().encode("1\n2\n");
  for (const size of [1, 2, 4]) {
    expect(await readWindow(pieces(bytes, size), { offset: 1, limit: 2, countAll: false, signal })).toMatchObject({
      nextLine: null,
      totalLines: 2,
    });
  }
});

test("keeps memory flat over a line without end", async () => {
  async function* long() {
    for (let n = 0; n < 2000; n++) yield new Uint8Array(64 * 1024).fill(0x61);
  }
  const window = await readWindow(long(), { offset: 1, limit: 10, countAll: true, signal });
  expect(window.text.length).toBeLessThan(3000);
  expect(window).toMatchObject({ lines: 1, cutLines: [1], totalLines: 1 });
});
