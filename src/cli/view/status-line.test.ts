import pc from "picocolors";
import { expect, test } from "vitest";
import type { Output } from "../output.ts";
import { createStatusLine } from "./status-line.ts";

function scene(isScreen: boolean) {
  const seen = { text: "" };
  const output: Output = {
    isTerminal: isScreen,
    columns: () => null,
    proseColumns: () => 80,
    rows: () => null,
    isScreen,
    colors: pc.createColors(false),
    gone: new AbortController().signal,
    leave: () => {},
    async write(text) {
      seen.text += text;
    },
    flush: async () => null,
  };
  return { seen, status: createStatusLine(output) };
}

test("a status stands on a line of its own, and is erased once", async () => {
  const { seen, status } = scene(true);
  await status.show("waiting");
  await status.show("waiting");
  expect(seen.text).toBe("\r\u001b[Kwaiting");
  expect([status.erase(), status.erase()]).toEqual(["\r\u001b[K", ""]);
});

test("a status is not shown on what cannot take it back", async () => {
  const { seen, status } = scene(false);
  await status.show("waiting");
  expect([seen.text, status.erase()]).toEqual(["", ""]);
});
