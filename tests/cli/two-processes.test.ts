import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { collet, jsonLines, makePlace, type Place } from "./harness.ts";

const LINES = 200;
let place: Place;
beforeEach(() => {
  place = makePlace({ f: Array.from({ length: LINES }, (_, index) => `line ${index} old.\n`).join("") });
});
afterEach(() => place.remove());

/** One process that edits every second line, from `first`. Gives the lines that it says it changed. */
async function editEverySecond(first: number): Promise<readonly number[]> {
  const calls = Array.from({ length: LINES / 2 }, (_, index) => {
    const line = first + 2 * index;
    const args = { path: "f", old_string: `line ${line} old.`, new_string: `line ${line} new.` };
    return JSON.stringify({ id: line, tool: "edit", args });
  });
  const { stdout } = await collet(["call", "--batch", "--no-log"], { place, stdin: `${calls.join("\n")}\n` });
  return jsonLines(stdout).flatMap(({ ok, id }) => (ok ? [id] : []));
}

test.runIf(process.platform === "linux")("what two processes say they changed in one file is in it", async () => {
  const changed = (await Promise.all([editEverySecond(0), editEverySecond(1)])).flat();
  const text = readFileSync(path.join(place.workspace, "f"), "utf8");
  expect(changed.length).toBeGreaterThan(10);
  expect(changed.filter((line) => !text.includes(`line ${line} new.`))).toEqual([]);
});
