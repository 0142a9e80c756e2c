import { expect, test } from "vitest";
import type { Effect } from "../base/effect.ts";
import { memorySandbox } from "../sandbox/index.ts";
import { planOf } from "../testing/direct-call.ts";
import { bash } from "./bash.ts";
import { defineTool } from "./define-tool.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

const base = { name: "probe", description: "", parameters: { type: "object", properties: {} }, execute: () => "" } as const;
const host: Effect = { kind: "network", sure: "declared", host: "a.example", port: 443 };

test.each([
  ["those of fixed effects, each once", defineTool({ ...base, effects: [host, host] }), ["network"]],
  ["none for a pure tool", defineTool({ ...base, effects: [] }), []],
  ["unknown for a tool that declares nothing", defineTool(base), ["unknown"]],
  ["not said where they depend on the arguments", defineTool({ ...base, effects: () => [host] }), null],
  ["not said for a plan", defineTool({ ...base, plan: () => ({ effects: [] }) }), null],
  ["what the definition says", defineTool({ ...base, effects: () => [host], effectKinds: ["network"] }), ["network"]],
] as const)("the effect kinds of a tool are %s", (_, tool, kinds) => {
  expect(tool.effectKinds).toEqual(kinds);
});

test.each([
  [read, { path: "a.txt" }],
  [write, { path: "b.txt", content: "b" }],
  [edit, { path: "a.txt", old_string: "a", new_string: "b" }],
] as const)("a built-in's plan holds no kind that it does not say", async (tool, args) => {
  const { effects } = await planOf(tool, args, memorySandbox({ "a.txt": "a" }));
  expect(effects).not.toEqual([]);
  for (const { kind } of effects) expect(tool.effectKinds).toContain(kind);
});

test("bash may run, read, write, delete, connect and do what is not understood", () => {
  expect(bash.effectKinds).toEqual(["command", "file.read", "file.write", "file.delete", "network", "unknown"]);
});
