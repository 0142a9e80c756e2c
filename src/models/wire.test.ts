import { afterEach, describe, expect, test } from "vitest";
import { toolSpecs } from "../base/tool-specs.ts";
import { createModelServer, type ModelServer, type ModelServerStep } from "../testing/model-server.ts";
import { ask, assistantOf, modelAt, requestOf, user, WIRES } from "../testing/model-server-kit.ts";
import type { ModelMessage } from "./port.ts";

let server: ModelServer;
const serve = async (...steps: ModelServerStep[]) => {
  server = await createModelServer({ steps });
  return server;
};
afterEach(() => server?.close());

const PNG = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
const PNG_BASE64 = "iVBORw0KGgo=";

describe.each(WIRES)("over $wire, a model", ({ wire, id }) => {
  test("gives its text in pieces, its usage and its end", async () => {
    const model = await modelAt(await serve({ text: "Hello wörld 🎉, all is well." }), id);
    const { parts, text, failure } = await ask(model);
    expect(failure).toBeNull();
    expect(text).toBe("Hello wörld 🎉, all is well.");
    expect(parts.filter((part) => part.type === "text_delta").length).toBeGreaterThan(2);
    expect(parts.slice(-2)).toMatchObject([
      { type: "usage", usage: { output_tokens: 20, cache_read_tokens: 5, input_tokens: expect.any(Number) } },
      { type: "finish", reason: "stop" },
    ]);
    expect(server.requests).toMatchObject([{ protocol: wire, status: 200, step: 0 }]);
  });

  test("makes calls side by side, after text", async () => {
    const calls = [
      { name: "read", args: { path: "a.ts", limit: 3 } },
      { name: "read", args: { path: 'b "ü".ts' } },
    ];
    const heard = await ask(await modelAt(await serve({ text: "Reading.", calls }), id));
    const made = heard.parts.flatMap((part) => (part.type === "tool_call" ? [{ name: part.name, args: JSON.parse(part.args_text) }] : []));
    expect(made).toEqual(calls);
    expect(new Set(heard.parts.flatMap((part) => (part.type === "tool_call" ? [part.provider_call_id] : []))).size).toBe(2);
    expect(heard.parts.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
    expect(heard.text).toBe("Reading.");
  });

  test("gets its reasoning, calls and their results back in the next request, failed ones and images too", async () => {
    const first = { reasoning: "Two files, I think.", text: "Both.", calls: ["a", "b"].map((path) => ({ name: "read", args: { path } })) };
    const model = await modelAt(await serve(first, { text: "Done." }), id);
    const heard = await ask(model);
    expect(heard.parts.map((part) => (part.type === "reasoning_delta" ? part.text : "")).join("")).toBe("Two files, I think.");
    const ids = heard.parts.flatMap((part) => (part.type === "tool_call" ? [part.provider_call_id] : []));
    const results: ModelMessage = {
      role: "tool",
      results: [
        {
          provider_call_id: ids[0] ?? "",
          name: "read",
          content: [
            { type: "text", text: "a picture" },
            { type: "image", data: PNG, mime_type: "image/png" },
          ],
          is_error: false,
        },
        { provider_call_id: ids[1] ?? "", name: "read", content: [{ type: "text", text: "no such file" }], is_error: true },
      ],
    };
    const again = await ask(model, requestOf([user("look"), assistantOf(model, heard), results]));
    expect(again.failure).toBeNull();
    expect(again.text).toBe("Done.");
    const sent = server.requests[1]?.body ?? {};
    // the server refuses a seal that is not the one it gave: what is left to see is that it came at all
    expect(JSON.stringify(sent).includes("Two files, I think.")).toBe(true);
    expect(JSON.stringify(sent).match(new RegExp(PNG_BASE64, "g"))?.length).toBe(1);
    expect(lastOf(wire, sent)).toMatchObject(WANTED[wire]);
  });

  test("does not get another model's reasoning, nor ids, names and text that its provider refuses", async () => {
    const model = await modelAt(await serve({ text: "Hi." }, { text: "Done." }), id);
    const foreign: ModelMessage = {
      role: "assistant",
      parts: [
        { type: "reasoning", model: "other/model", item: { text: "secret thoughts", metadata: { anthropic: { signature: "x" } } } },
        { type: "text", text: " \n" },
        { type: "tool_call", provider_call_id: `functions.read:0|${"x".repeat(80)}`, name: "functions.read now!", args: {} },
      ],
    };
    const result: ModelMessage = {
      role: "tool",
      results: [
        {
          provider_call_id: `functions.read:0|${"x".repeat(80)}`,
          name: "functions.read now!",
          content: [{ type: "text", text: "half \ud83d pair" }],
          is_error: true,
        },
      ],
    };
    const { text, failure } = await ask(model, requestOf([user("go"), foreign, result]));
    expect(failure).toBeNull();
    expect(text).toBe("Done.");
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).not.toContain("secret thoughts");
    expect(sent).toContain("functions_read_now_");
    expect(sent).toContain("half \ufffd pair");
  });

  test("does not send back reasoning that led to nothing", async () => {
    const model = await modelAt(await serve({ reasoning: "Hm.", text: "cut off" }, { text: "Done." }), id);
    const item = (await ask(model)).parts.find((part) => part.type === "reasoning")?.item ?? null;
    expect(item).toMatchObject({ text: "Hm." });
    const parts = [{ type: "reasoning" as const, model: id, item }];
    const again = await ask(model, requestOf([user("look"), { role: "assistant", parts }, user("go on")]));
    expect(again.failure).toBeNull();
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain("Hm.");
  });

  test("is told of its tools by the very specs that the library exports", async () => {
    const model = await modelAt(await serve({ text: "Hi." }), id);
    const list = [
      { name: "list", description: "List a folder\ud83d.", parameters: { type: "object", properties: {}, additionalProperties: false } },
    ];
    expect((await ask(model, { ...requestOf(), tools: [...requestOf().tools, ...list] })).failure).toBeNull();
    const described = [...requestOf().tools, ...list].map(({ parameters, ...tool }) => ({ ...tool, jsonSchema: parameters }));
    const dialect = { messages: "anthropic", responses: "openai-responses", chat: "openai" } as const;
    expect(server.requests[0]?.body?.tools).toEqual(toolSpecs(described, dialect[wire]));
  });

  test("says length, and gives the call as far as it was written, when the answer is cut at the token limit", async () => {
    const { parts, failure } = await ask(
      await modelAt(await serve({ calls: [{ name: "read", args: { path: "long/name.ts" } }], fault: { kind: "truncated" } }), id),
    );
    expect(failure).toBeNull();
    expect(parts.find((part) => part.type === "tool_call")).toMatchObject({ name: "read", args_text: '{"path":"lo' });
    expect(parts.at(-1)).toEqual({ type: "finish", reason: "length" });
  });

  test("gives arguments as they were written, though they are no JSON", async () => {
    const { parts, failure } = await ask(
      await modelAt(await serve({ calls: [{ name: "read", args: { path: "long/name.ts" } }], fault: { kind: "badargs" } }), id),
    );
    expect(failure).toBeNull();
    expect(parts.find((part) => part.type === "tool_call")).toMatchObject({ args_text: '{"path":"lo' });
    expect(parts.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
  });

  test("says refusal, with what the model said", async () => {
    const { parts, text, failure } = await ask(await modelAt(await serve({ text: "I will not.", fault: { kind: "refusal" } }), id));
    expect(failure).toBeNull();
    expect(text).toBe("I will not.");
    expect(parts.at(-1)).toEqual({ type: "finish", reason: "refusal" });
  });

  test.each(["hold", "ping"] as const)("is at its end when all is said, though the server keeps the connection open (%s)", async (kind) => {
    const { parts, failure } = await ask(await modelAt(await serve({ text: "Done.", fault: { kind } }), id));
    expect(failure).toBeNull();
    expect(parts.at(-1)).toEqual({ type: "finish", reason: "stop" });
  });
});

test("a server that tells no usage is no fault", async () => {
  const { parts, failure } = await ask(await modelAt(await serve({ text: "Hi.", fault: { kind: "no_usage" } }), "openai-compatible/qwen"));
  expect(failure).toBeNull();
  expect(parts.some((part) => part.type === "usage")).toBe(false);
});

test("Anthropic may cache the system prompt and everything up to the last message", async () => {
  const model = await modelAt(await serve({ text: "Hi." }, { text: "Done." }), "anthropic/claude-sonnet-5-5");
  await ask(model, requestOf([user("a"), { role: "assistant", parts: [{ type: "text", text: "b" }] }, user("c")]));
  const cached = { cache_control: { type: "ephemeral" } };
  expect(server.requests[0]?.body).toMatchObject({
    max_tokens: 32_000,
    system: [{ type: "text", text: "You are a tool.", ...cached }],
    messages: [{ role: "user" }, { role: "assistant" }, { role: "user", content: [{ text: "c", ...cached }] }],
  });
  expect(server.requests[0]?.headers["anthropic-beta"]).toBeUndefined();
});

test("Responses keeps nothing at the provider, and takes schemas as they are", async () => {
  await ask(await modelAt(await serve({ text: "Hi." }), "openai/gpt-6.1-sol"));
  expect(server.requests[0]?.body).toMatchObject({
    store: false,
    include: ["reasoning.encrypted_content"],
    tools: [{ name: "read", strict: false }],
  });
});

function lastOf(wire: "messages" | "responses" | "chat", body: { readonly [key: string]: unknown }): unknown {
  const list = body[wire === "responses" ? "input" : "messages"];
  if (!Array.isArray(list)) throw new Error("no list");
  return list.slice(wire === "messages" ? -1 : wire === "responses" ? -2 : -3);
}

const WANTED = {
  messages: [
    {
      role: "user",
      content: [
        { type: "tool_result", content: [{ type: "text", text: "a picture" }, { type: "image" }] },
        { type: "tool_result", content: "no such file", is_error: true },
      ],
    },
  ],
  responses: [
    { type: "function_call_output", output: [{ type: "input_text", text: "a picture" }, { type: "input_image" }] },
    { type: "function_call_output", output: "no such file" },
  ],
  chat: [
    { role: "tool", content: "a picture\n[1 image of this result: in the next message]" },
    { role: "tool", content: "no such file" },
    { role: "user", content: [{ type: "text", text: expect.stringContaining("read") }, { type: "image_url" }] },
  ],
};
