/** Files that a person names are read so that Ctrl-C ends it, whatever they are. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makePlace, type Place, start } from "./harness.ts";

let place: Place;
let pipe: string;
beforeEach(() => {
  place = makePlace({ "a.txt": "a\n" });
  pipe = path.join(place.root, "pipe");
  execFileSync("mkfifo", [pipe]);
});
afterEach(() => place.remove());

/** Enough for the process to be waiting at the pipe, which nothing tells. */
const STARTED_MS = 1_500;

test.each([
  ["call", ["call", "read", "--args", '{"path":"a.txt"}', "--write-policy"]],
  ["call with its arguments", ["call", "read", "--args-file"]],
  ["run", ["run", "--model", "openai-compatible/x", "--base-url", "http://127.0.0.1:9", "Go", "--write-policy"]],
  ["policy show", ["policy", "show", "--write-policy"]],
  ["policy test", ["policy", "test"]],
])("%s ends at the first signal while nobody writes to the pipe that it reads", async (_, args) => {
  const { child, ended } = start([...args, pipe], { place });
  await new Promise((resolve) => setTimeout(resolve, STARTED_MS));
  expect(child.exitCode).toBeNull();
  child.kill("SIGINT");
  const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
  const { status, signal } = await ended;
  clearTimeout(late);
  expect({ status, signal }).toEqual({ status: 130, signal: null });
});
