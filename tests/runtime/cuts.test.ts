/** A secret on the place where a text is cut: whoever cuts must have redacted before. */
import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, fail, result } from "../../src/index.ts";
import type { Runtime } from "../../src/node.ts";
import { codingTools } from "../../src/tools/index.ts";
import { makePlace, open } from "./place.ts";

const VALUE = "Zq8-SECRET'value/7+hidden-Zq9";
/** No piece of it of this length may be seen. */
const PIECE = 5;

const speaker = defineTool({
  name: "speaker",
  description: "",
  parameters: z.strictObject({ how: z.enum(["progress", "message", "details", "output", "content"]), text: z.string() }),
  effects: [],
  execute({ how, text }, { progress }) {
    if (how === "progress") progress(text);
    if (how === "message") throw new Error(text);
    if (how === "details") throw fail("tool_failed", "x", { text });
    return how === "content" ? result({ output: "x", content: [{ type: "text", text }] }) : text;
  },
});
const picky = defineTool({
  name: "picky",
  description: "",
  parameters: z.strictObject({ n: z.enum(["a", "b"]) }),
  effects: [],
  execute: () => "",
});

const place = () => makePlace({ "a.txt": "one\n" });
const DOORS: readonly (readonly [string, number, (runtime: Runtime, text: string) => Promise<unknown>])[] = [
  ["progress", 1000, (runtime, text) => runtime.call("speaker", { how: "progress", text })],
  ["the message of a throw", 8192 - "speaker failed: ".length, (runtime, text) => runtime.call("speaker", { how: "message", text })],
  ["a text part", 32 * 1024, (runtime, text) => runtime.call("speaker", { how: "content", text: `${text}${"y".repeat(70_000)}` })],
  ["output", 32 * 1024, (runtime, text) => runtime.call("speaker", { how: "output", text: `${text}${"y".repeat(70_000)}` })],
  ["a denied command", 300 - "run echo ".length, (runtime, text) => runtime.call("bash", { command: `echo "${text}"` })],
  [
    "a denied path",
    300 - "write ".length,
    (runtime, text) => runtime.call("bash", { command: `echo > "/tmp/${text.replace(/x{50}/g, `${"x".repeat(49)}/`)}"` }),
  ],
  ["an argument that does not fit", 60, (runtime, text) => runtime.call("picky", { n: text })],
  ["a script that is not understood", 80, (runtime, text) => runtime.call("bash", { command: `echo ${text}*` })],
  ["the diff of a line of 2,000", 2000, (runtime, text) => runtime.call("write", { path: "b.txt", content: text }, { dryRun: true })],
  ["the diff of a long line", 16 * 1024, (runtime, text) => runtime.call("write", { path: "b.txt", content: text }, { dryRun: true })],
];

test.each(DOORS)("%s, cut at %i, shows no part of it", async (_, at, say) => {
  const { runtime, events } = await open(place(), {
    tools: [...codingTools(), speaker, picky],
    secrets: { KEY: VALUE },
    permissions: { mode: "read_only" },
  });
  const pieces = Array.from({ length: VALUE.length - PIECE + 1 }, (_, index) => VALUE.slice(index, index + PIECE));
  for (let before = 4; before < VALUE.length + 4; before += 4) {
    const said = JSON.stringify([await say(runtime, `${"x".repeat(Math.max(0, at - before))}${VALUE}${"y".repeat(40)}`), events]);
    expect(pieces.filter((piece) => said.includes(piece))).toEqual([]);
  }
});
