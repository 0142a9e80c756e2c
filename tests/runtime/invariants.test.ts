import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type ScriptedStep } from "../../src/index.ts";
import { scripted } from "../../src/node.ts";
import { codingTools } from "../../src/tools/index.ts";
import { type AnyRunEvent, makePlace, open } from "./place.ts";

const hang = defineTool({
  name: "hang",
  description: "",
  parameters: z.strictObject({}),
  execute: (_args, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
});
const broken = defineTool({
  name: "broken",
  description: "",
  parameters: z.strictObject({}),
  effects: () => {
    throw new Error("no plan");
  },
  execute: () => "",
});

const read = { name: "read", args: { path: "a.txt" } };
const write = { name: "write", args: { path: "b.txt", content: "x" } };
const bash = { name: "bash", args: { command: "exit 3" } };
const none = (name: string) => ({ name, args: {} });

/** What goes wrong with a log, as sentences; empty when every call has its lines, once and in order. */
function faults(events: readonly AnyRunEvent[]): string[] {
  const logged = events.filter(({ seq }) => seq !== null);
  const found = logged.flatMap(({ seq }, index) => (seq === index ? [] : [`line ${index} has seq ${seq}`]));
  const at = (type: string, id: string) =>
    logged.flatMap((event, index) => (event.type === type && (event.data as { call_id?: string }).call_id === id ? [index] : []));
  const calls = logged.flatMap((event) => (event.type === "tool_call" ? [event.data.call_id] : []));
  for (const id of calls) {
    const [call = -1, ...moreCalls] = at("tool_call", id);
    const [result = -1, ...moreResults] = at("tool_result", id);
    const [started, ...moreStarted] = at("tool_started", id);
    if (result < 0 || moreCalls.length + moreResults.length + moreStarted.length > 0) found.push(`${id} has not one result`);
    if (started !== undefined && (started < call || started > result)) found.push(`${id} started out of order`);
    if (at("permission_decision", id).some((decision) => decision < call || decision > (started ?? result)))
      found.push(`${id} was decided out of order`);
  }
  if (logged.at(-1)?.type !== "turn_ended") found.push("the last line is not the turn's end");
  return found;
}

describe("every call of a turn has one result, and the turn one end", () => {
  test.each<
    [string, readonly ScriptedStep[], { readonly abort?: true; readonly mode?: "ask" | "auto" | "read_only"; readonly cap?: number }]
  >([
    ["when all goes well", [{ calls: [read, write, bash] }, { text: "." }], {}],
    ["when calls are refused", [{ calls: [read, write, bash] }, { text: "." }], { mode: "read_only" }],
    ["when there is nobody to ask", [{ calls: [write, read, bash] }, { text: "." }], { mode: "ask" }],
    ["when tools are unknown or break", [{ calls: [none("nope"), none("broken"), read] }, { text: "." }], {}],
    ["when it is interrupted in a call", [{ calls: [read, none("hang"), write, read] }, { text: "." }], { abort: true }],
    ["when it reaches its cap", [{ calls: [read, write] }, { calls: [read, write, bash] }], { cap: 2 }],
    ["when the script ends early", [{ calls: [read] }], {}],
  ])("%s", async (_, steps, { abort, mode = "auto", cap }) => {
    const events: AnyRunEvent[] = [];
    const stop = new AbortController();
    const { runtime } = await open(makePlace({ "a.txt": "one\n" }), {
      tools: [...codingTools(), hang, broken],
      model: scripted(steps),
      permissions: { mode, asker: null },
      ...(cap === undefined ? {} : { maxIterations: cap }),
      onEvent: (event) => {
        events.push(event);
        if (abort && event.type === "tool_started" && event.data.call_id === "c2") stop.abort();
      },
    });
    const session = await runtime.session();
    await session.run("Do it.", { signal: stop.signal }).result;
    expect(faults(events)).toEqual([]);
    expect(events.filter(({ type }) => type === "tool_call").length).toBe(steps.reduce((sum, step) => sum + (step.calls?.length ?? 0), 0));
  });
});
