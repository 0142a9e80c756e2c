import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makePlace, type Place, start } from "./harness.ts";

let place: Place;
beforeEach(() => {
  place = makePlace({ "a.txt": "one\n" });
});
afterEach(() => place.remove());

test("a batch whose reader leaves stops, and does not end as one that was done", async () => {
  const call = `${JSON.stringify({ tool: "bash", args: { command: "echo x >> ran" } })}\n`;
  const { child, ended } = start(["call", "--batch"], { place, stdin: call.repeat(300) });
  if (child.stdout) {
    await once(child.stdout, "data");
    child.stdout.destroy();
  }
  expect(await ended).toMatchObject({ status: 141, stderr: "" });
  expect(readFileSync(path.join(place.workspace, "ran"), "utf8").split("\n").length).toBeLessThan(300);
});

test.each([
  ["a call", ["call", "write", "--args", '{"path":"b.txt","content":"two"}'], true],
  ["a table", ["kinds", "--json"], false],
  ["a help page", ["--help"], false],
])("%s that nobody reads ends as that, and quietly", async (_, args, hasWritten) => {
  const { child, ended } = start(args, { place });
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ status: 141, stderr: "" });
  expect(existsSync(path.join(place.workspace, "b.txt"))).toBe(hasWritten);
});
