import { expect, test } from "vitest";
import { memorySandbox } from "../sandbox/index.ts";
import { callOf } from "../testing/direct-call.ts";
import { read } from "./read.ts";

test.each([
  ["a line that goes on for a terabyte", {}, "start", 1],
  ["a line that is far behind", { offset: 7 }, "line 7 does not begin in the first 1 GiB", 0],
])("looks for %s in the first GiB only, and says so", async (_, more, output, lines) => {
  let bytes = 0;
  async function* hole() {
    yield Buffer.from("start");
    const piece = new Uint8Array(8 * 1024 * 1024);
    for (bytes = 5; bytes < 2 ** 40; bytes += piece.length) yield piece;
  }
  const sandbox = memorySandbox({ "a.txt": "start" });
  const sparse = { ...sandbox, stream: async () => ({ path: "/a.txt", size_bytes: 2 ** 40, chunks: hole(), close: async () => {} }) };
  const page = await callOf(read, { path: "a.txt", ...more }, sparse);
  expect(page).toMatchObject({ ok: true, lines_returned: lines, lines_total: null, next_offset: null });
  expect(JSON.stringify(page)).toContain(output);
  expect(JSON.stringify(page)).toContain(`GiB of the file's ${2 ** 40} bytes, and no more is looked at`);
  expect(bytes).toBeLessThan(1.1 * 2 ** 30);
});
