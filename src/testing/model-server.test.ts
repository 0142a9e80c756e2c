import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createModelServer, type ModelServer } from "./model-server.ts";

type Body = { readonly [key: string]: unknown };

let server: ModelServer;
beforeAll(async () => {
  server = await createModelServer({ steps: [{ text: "one", reasoning: "why" }, { text: "two" }, { text: "three" }] });
});
afterAll(() => server.close());

async function post(path: string, body: unknown): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01" };
  const response = await fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

const tool = { name: "read", description: "d", input_schema: { type: "object", properties: {} } };
const messages: Body = { model: "m", max_tokens: 9, stream: true, tools: [tool], messages: [{ role: "user", content: "hi" }] };
const use = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: {} }] };
const answer = { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "x" }] };
const history = (...more: unknown[]): Body => ({ ...messages, messages: [{ role: "user", content: "hi" }, ...more] });

describe("as Messages, the server", () => {
  test("answers, and finds its step by the answers in the history", async () => {
    expect((await post("/messages", messages)).text).toContain('"one"');
    expect((await post("/messages", history(use, answer))).text).toContain('"two"');
    expect(server.requests.slice(-2).map(({ step }) => step)).toEqual([0, 1]);
  });

  test.each<[string, Body | string]>([
    ["no JSON", "{"],
    ["max_tokens", { ...messages, max_tokens: undefined }],
    ["an unknown key", { ...messages, store: false }],
    ["no model", { ...messages, model: "" }],
    ["an empty history", { ...messages, messages: [] }],
    ["two users in a row", history({ role: "user", content: "again" })],
    ["an assistant at the end", history({ role: "assistant", content: "x" })],
    ["blank text", { ...messages, messages: [{ role: "user", content: [{ type: "text", text: " " }] }] }],
    ["a call without a result", history(use, { role: "user", content: "next" })],
    ["a result without a call", { ...messages, messages: [answer] }],
    ["a result after text", history(use, { role: "user", content: [{ type: "text", text: "x" }, ...answer.content] })],
    ["two results of one call", history(use, { role: "user", content: [...answer.content, ...answer.content] })],
    [
      "an id of strange characters",
      history({ role: "assistant", content: [{ type: "tool_use", id: "t:1", name: "read", input: {} }] }, answer),
    ],
    ["arguments as text", history({ role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: "{}" }] }, answer)],
    ["a forged signature", history({ role: "assistant", content: [{ type: "thinking", thinking: "why", signature: "x" }] }, answer)],
    ["half a surrogate pair", { ...messages, system: "\ud83d" }],
    ["five cache marks", { ...messages, tools: Array.from({ length: 5 }, () => ({ ...tool, cache_control: { type: "ephemeral" } })) }],
    ["a request past the script", history(use, answer, use, answer, use, answer)],
  ])("refuses %s", async (_what, body) => {
    const { status, text } = await post("/messages", body);
    expect({ status, type: JSON.parse(text).error.type }).toEqual({ status: 400, type: "invalid_request_error" });
    expect(server.requests.at(-1)?.problem).not.toBeNull();
  });
});

const call = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: "{}" } }],
};
const done = { role: "tool", tool_call_id: "c1", content: "x" };
const chat = (...more: unknown[]): Body => ({ model: "m", stream: true, messages: [{ role: "user", content: "hi" }, ...more] });

describe("as Chat Completions, the server", () => {
  test("answers, and finds its step by the answers in the history", async () => {
    expect((await post("/chat/completions", chat())).text).toContain("data: [DONE]");
    await post("/chat/completions", chat(call, done));
    expect(server.requests.slice(-2).map(({ step }) => step)).toEqual([0, 1]);
  });

  test.each<[string, Body]>([
    ["a call without a result", chat(call)],
    ["a call without a result, and more", chat(call, { role: "user", content: "x" })],
    ["a result without a call", chat(done)],
    ["a result twice", chat(call, done, done)],
    ["arguments that are no JSON", chat({ ...call, tool_calls: [{ id: "c1", function: { name: "read", arguments: "{" } }] }, done)],
    ["an image in a result", chat(call, { ...done, content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] })],
    ["a picture as text in a result", chat(call, { ...done, content: "A".repeat(3000) })],
    ["an assistant that says nothing", chat({ role: "assistant", content: null })],
    ["no stream", { ...chat(), stream: false }],
    ["a tool without a schema", { ...chat(), tools: [{ type: "function", function: { name: "read" } }] }],
  ])("refuses %s", async (_what, body) => {
    expect((await post("/chat/completions", body)).status).toBe(400);
  });
});

const sealed = Buffer.from("seal:0:why").toString("base64");
const thought = { type: "reasoning", id: "rs_0", summary: [{ type: "summary_text", text: "why" }], encrypted_content: sealed };
const asked = { type: "function_call", call_id: "c1", name: "read", arguments: "{}" };
const output = { type: "function_call_output", call_id: "c1", output: "x" };
const responses = (...more: unknown[]): Body => ({
  model: "m",
  stream: true,
  store: false,
  input: [{ role: "user", content: "hi" }, ...more],
});

describe("as Responses, the server", () => {
  test("answers, and finds its step by the answers in the history", async () => {
    expect((await post("/responses", responses())).text).toContain("response.completed");
    await post("/responses", responses(thought, asked, output));
    await post(
      "/responses",
      responses(asked, output, { role: "assistant", content: [{ type: "output_text", text: "x" }] }, { role: "user", content: "y" }),
    );
    expect(server.requests.slice(-3).map(({ step }) => step)).toEqual([0, 1, 2]);
  });

  test.each<[string, Body]>([
    ["a call without an output", responses(asked)],
    ["an output without a call", responses(output)],
    ["an output before its call", responses(output, asked)],
    ["reasoning that was altered", responses({ ...thought, summary: [{ type: "summary_text", text: "why not" }] }, asked, output)],
    ["reasoning that leads to nothing", responses(thought, { role: "user", content: "x" })],
    ["an item by reference", responses({ type: "item_reference", id: "x" })],
    [
      "strict tools with optional arguments",
      { ...responses(), tools: [{ type: "function", name: "read", parameters: { type: "object", properties: { a: {} } } }] },
    ],
  ])("refuses %s", async (_what, body) => {
    expect((await post("/responses", body)).status).toBe(400);
  });
});

test("the server has no other doors", async () => {
  expect((await post("/embeddings", {})).status).toBe(404);
  expect((await fetch(`${server.baseUrl}/messages`)).status).toBe(404);
});

test("a long answer to a slow reader leaves no listeners behind", async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  const text = "x".repeat(4_000_000);
  const long = await createModelServer({ steps: [{ text }], chunk: 16_384 });
  const response = await fetch(`${long.baseUrl}/chat/completions`, { method: "POST", body: JSON.stringify(chat()) });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await response.text()).length).toBeGreaterThan(text.length);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warned);
  await long.close();
  expect(warnings.map(({ name }) => name)).toEqual([]);
});

test("a closed server leaves no connection", async () => {
  const short = await createModelServer({ steps: [{ text: "long enough", fault: { kind: "stall", after: 1 } }] });
  const body = JSON.stringify(chat());
  const response = await fetch(`${short.baseUrl}/chat/completions`, { method: "POST", body });
  await short.close();
  await expect(response.text()).rejects.toThrow();
  await expect(fetch(short.baseUrl)).rejects.toThrow();
});
