import pc from "picocolors";
import { describe, expect, test } from "vitest";
import type { Question } from "../node.ts";
import type { Keyboard } from "./keyboard.ts";
import type { Output } from "./output.ts";
import { createTerminalAsker } from "./terminal-asker.ts";

const question = { tool: "bash" } as Question;

interface Scene {
  /** What was typed before the question stood there, and after. */
  readonly early?: readonly string[];
  readonly keys: readonly string[];
}

/** A keyboard whose keys come from a list, and a screen that is a text. */
function scene({ early = [], keys }: Scene) {
  const seen = { text: "", interrupts: 0, held: 0, closed: 0, drainedAt: "" };
  const screen: Output = {
    isTerminal: true,
    columns: () => null,
    isScreen: true,
    colors: pc.createColors(false),
    gone: new AbortController().signal,
    async write(text) {
      seen.text += text;
    },
    flush: async () => null,
  };
  const typed = [...keys];
  const keyboard: Keyboard = {
    next: async (signal) => (signal.aborted ? null : (typed.shift() ?? null)),
    async drain() {
      seen.drainedAt = seen.text;
      return early.includes("\u0003") ? "\u0003" : null;
    },
    close: () => seen.closed++,
  };
  const ask = createTerminalAsker({
    screen,
    keyboard: () => keyboard,
    render: () => "THE WHOLE QUESTION\n",
    hold: () => {
      seen.held++;
      return () => seen.held--;
    },
    interrupt: () => seen.interrupts++,
  });
  return { seen, ask: (signal = new AbortController().signal) => ask(question, { signal }) };
}

describe("a question at the terminal", () => {
  test.each([
    ["y allows once", ["y"], { answer: "allow" }],
    ["n and Enter deny", ["n", "\r"], { answer: "deny" }],
    ["n and words deny with a reason", ["n", "not ", "now", "\r"], { answer: "deny", reason: "not now" }],
    ["the reason can be mended", ["n", "nk\u007f\u007fno", "\u001b[D", "\r"], { answer: "deny", reason: "no" }],
    ["help and wrong keys ask again", ["?", "x", "\r", "y"], { answer: "allow" }],
    ["a paste is no key", ["yes\r", "n", "\r"], { answer: "deny" }],
    ["an escape sequence is no key", ["\u001b[y", "n", "\r"], { answer: "deny" }],
  ])("%s", async (_, keys, answer) => {
    const { ask, seen } = scene({ keys });
    expect(await ask()).toEqual(answer);
    expect(seen).toMatchObject({ interrupts: 0, held: 0, closed: 1 });
  });

  test("stands there whole before typed-ahead keys are thrown away and a key counts", async () => {
    const { ask, seen } = scene({ keys: ["y"] });
    await ask();
    expect(seen.drainedAt).toBe("THE WHOLE QUESTION\n");
  });

  test("is told once which keys count, and its answer stands on a line of its own", async () => {
    const { ask, seen } = scene({ keys: ["x", "x", "y"] });
    await ask();
    expect(seen.text.split("\n").slice(1)).toEqual([expect.stringMatching(/^\[y\] /), "press y or n ", "allowed once", "", ""]);
  });

  test.each([
    ["at the choices", { keys: ["\u0003"] }],
    ["in the reason", { keys: ["n", "wh\u0003"] }],
    ["typed ahead", { early: ["\u0003"], keys: ["y"] }],
  ])("Ctrl-C %s interrupts the turn", async (_, { early, keys }: Scene) => {
    const { ask, seen } = scene({ early, keys });
    expect(await ask()).toMatchObject({ answer: "deny" });
    expect(seen.interrupts).toBe(1);
  });

  test("a terminal that goes away denies", async () => {
    expect(await scene({ keys: [] }).ask()).toMatchObject({ answer: "deny" });
  });

  test("an aborted signal closes it without a question", async () => {
    const { ask, seen } = scene({ keys: ["y"] });
    expect(await ask(AbortSignal.abort())).toEqual({ answer: "deny" });
    expect(seen.text).toBe("");
  });

  test("comes one at a time", async () => {
    const { ask, seen } = scene({ keys: ["y", "n", "\r"] });
    expect(await Promise.all([ask(), ask()])).toEqual([{ answer: "allow" }, { answer: "deny" }]);
    expect(seen.text.match(/THE WHOLE QUESTION\n\[y\].*?allowed once.*THE WHOLE QUESTION\n\[y\].*denied/s)).not.toBeNull();
  });
});
