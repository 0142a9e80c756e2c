import { describe, expect, test } from "vitest";
import type { ScriptedStep } from "./port.ts";
import { scripted } from "./scripted.ts";

const REQUEST = { system: "", messages: [], tools: [] };

async function heard(model: ReturnType<typeof scripted>, signal = new AbortController().signal) {
  const parts = [];
  for await (const part of model.stream(REQUEST, { signal })) parts.push(part);
  return parts;
}

describe("scripted", () => {
  test("answers one step a request, in small pieces, with the same ids each time", async () => {
    const model = scripted([{ text: "Reading the file 🎉 now.", calls: [{ name: "read", args: { path: "a" } }] }, { text: "Done." }]);
    expect(model.name).toBe("scripted/list");
    const first = await heard(model);
    const pieces = first.flatMap((part) => (part.type === "text_delta" ? [part.text] : []));
    expect(pieces.join("")).toBe("Reading the file 🎉 now.");
    expect(pieces.length).toBeGreaterThan(1);
    expect(first.slice(-2)).toEqual([
      { type: "tool_call", provider_call_id: "scripted-0-0", name: "read", args_text: '{"path":"a"}' },
      { type: "finish", reason: "tool_calls" },
    ]);
    expect(await heard(model)).toEqual([
      { type: "text_delta", text: "Done." },
      { type: "finish", reason: "stop" },
    ]);
  });

  test("never cuts a surrogate pair", async () => {
    const text = `${"x".repeat(11)}${"🎉".repeat(20)}`;
    const pieces = (await heard(scripted([{ text }]))).flatMap((part) => (part.type === "text_delta" ? [part.text] : []));
    expect(pieces.join("")).toBe(text);
    expect(pieces.filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([]);
  });

  test("fails at the end of its list", async () => {
    const model = scripted([{ text: "x" }]);
    await heard(model);
    await expect(heard(model)).rejects.toMatchObject({ kind: "invalid_response", details: { reason: "script_ended", steps: 1 } });
  });

  test("does not change with the list it was made from", async () => {
    const steps = [{ text: "before" }];
    const model = scripted(steps);
    steps[0] = { text: "after" };
    expect(await heard(model)).toMatchObject([{ text: "before" }, {}]);
  });

  test("is cancelled between its pieces", async () => {
    const controller = new AbortController();
    const model = scripted([{ text: "a long text in several pieces" }, { text: "x" }]);
    const listening = (async () => {
      for await (const _part of model.stream(REQUEST, { signal: controller.signal })) controller.abort();
    })();
    await expect(listening).rejects.toMatchObject({ kind: "cancelled", details: { partial: true } });
    await expect(heard(model, controller.signal)).rejects.toMatchObject({ kind: "cancelled", details: {} });
  });

  test.each([
    [{}],
    [{ text: "" }],
    [{ text: 1 }],
    [{ txt: "x" }],
    [{ calls: {} }],
    [{ calls: [{ name: "", args: {} }] }],
    [{ calls: [{ name: "read", args: [] }] }],
    [{ calls: [{ name: "read" }] }],
    [{ calls: [{ name: "read", args: { at: new Date() } }] }],
    [{ calls: [{ name: "read", args: { n: Number.NaN } }] }],
    [null],
  ])("refuses the step %j", (step) => {
    const steps = [{ text: "fine" }, step] as unknown as ScriptedStep[]; // as a caller in JavaScript may write it
    expect(() => scripted(steps)).toThrow(expect.objectContaining({ kind: "invalid_args", details: expect.objectContaining({ step: 1 }) }));
  });
});
