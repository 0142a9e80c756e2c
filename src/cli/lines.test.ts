import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { readLines } from "./lines.ts";

async function linesOf(chunks: readonly (Buffer | string)[], maxBytes = 1024): Promise<unknown[]> {
  const stdin = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  const lines: unknown[] = [];
  for await (const { text, problem } of readLines(stdin, { maxBytes, signal: new AbortController().signal })) lines.push(problem ?? text);
  return lines;
}

describe("lines", () => {
  test.each([
    ["end at a line feed only", ["a\u2028b\rc\u0085\nd\n"], ["a\u2028b\rc\u0085", "d"]],
    ["keep a carriage return, which is JSON's white space", ["{}\r\n{}\r\n"], ["{}\r", "{}\r"]],
    ["need no end at the last one", ["a\nb"], ["a", "b"]],
    ["may be empty", ["\n\na\n"], ["", "", "a"]],
    ["are none when there is nothing", [""], []],
    ["are put together from chunks", ["a", "b\nc", "\n"], ["ab", "c"]],
  ])("%s", async (_, chunks, lines) => {
    expect(await linesOf(chunks)).toEqual(lines);
  });

  test("are decoded whole, though a character is torn between chunks", async () => {
    const bytes = Buffer.from("€\n");
    expect(await linesOf([bytes.subarray(0, 1), bytes.subarray(1)])).toEqual(["€"]);
  });

  test("that are too long or no UTF-8 are told as that, and the next one is read", async () => {
    const chunks = ["123456789012", "3\nok\n", Buffer.from([0xff, 0x0a]), "end"];
    expect(await linesOf(chunks, 8)).toEqual([expect.stringContaining("longer"), "ok", "is not UTF-8", "end"]);
  });

  test("that have no end are told as too long at once", async () => {
    let given = 0;
    const stdin = new Readable({
      read() {
        given++;
        this.push("xxxx");
      },
    });
    for await (const { number, problem } of readLines(stdin, { maxBytes: 8, signal: new AbortController().signal })) {
      expect({ number, problem }).toEqual({ number: 1, problem: expect.stringContaining("longer") });
      break;
    }
    expect(given).toBeLessThan(20_000);
  });

  test("are read no further than they are asked for", async () => {
    let given = 0;
    const stdin = new Readable({
      highWaterMark: 1,
      read() {
        this.push(`${++given}\n`);
      },
    });
    for await (const line of readLines(stdin, { maxBytes: 10, signal: new AbortController().signal })) if (line.number === 3) break;
    expect(given).toBeLessThan(8);
  });
});
