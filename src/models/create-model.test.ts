import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { isFailure } from "../base/fail.ts";
import { createModel } from "./create-model.ts";

const KEY = { name: "MY_KEY", value: "sk-0123456789" };

/** What creating it fails with. Nothing may be sent by then: a `fetch` that is called fails the test. */
async function failureOf(id: string, baseUrl?: string, apiKey: typeof KEY | null = KEY) {
  const fetch = () => Promise.reject(new Error("a request was sent"));
  try {
    await createModel({ id, apiKey, clock: systemClock, fetch, ...(baseUrl === undefined ? {} : { baseUrl }) });
    return null;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { kind: error.kind, ...error.details };
  }
}

describe("createModel", () => {
  test.each([
    ["gpt-6.1-sol", "invalid_args", "malformed_model_id", ["openai/gpt-6.1-sol"]],
    ["claude-sonnet-5-5", "invalid_args", "malformed_model_id", ["anthropic/claude-sonnet-5-5"]],
    ["llama3", "invalid_args", "malformed_model_id", ["openai-compatible/llama3"]],
    ["", "invalid_args", "malformed_model_id", []],
    ["/x", "invalid_args", "malformed_model_id", []],
    ["openai/", "invalid_args", "malformed_model_id", []],
    ["openai/a b", "invalid_args", "malformed_model_id", []],
    ["openai/a\u202eb", "invalid_args", "malformed_model_id", []],
    ["antropic/claude-opus-5-5", "model_not_supported", "unknown_provider", ["anthropic/claude-opus-5-5"]],
    ["Anthropic/x", "model_not_supported", "unknown_provider", ["anthropic/x"]],
    ["constructor/x", "model_not_supported", "unknown_provider", []],
  ])("refuses the id %j as %s", async (id, kind, reason, nearest) => {
    expect(await failureOf(id)).toMatchObject({ kind, reason, nearest });
  });

  test("takes names with slashes in them", async () => {
    expect(await failureOf("openai-compatible/meta-llama/llama-4:free", "https://example.com/api/v1")).toBeNull();
  });

  test("wants the URL of an openai-compatible server, and says how", async () => {
    expect(await failureOf("openai-compatible/qwen")).toMatchObject({
      kind: "invalid_args",
      reason: "no_base_url",
      next_actions: ['collet run --model openai-compatible/qwen --base-url http://127.0.0.1:11434/v1 "PROMPT"'],
    });
  });

  test.each([
    ["localhost:11434/v1", "base_url_scheme"],
    ["not a url", "malformed_base_url"],
    ["file:///etc/passwd", "base_url_scheme"],
    ["https://user:hunter2@example.com/v1", "base_url_credentials"],
    ["https://example.com/v1?key=hunter2", "base_url_query"],
    ["https://example.com/v1#hunter2", "base_url_query"],
    ["https://example.com/v1?", "base_url_query"],
  ])("refuses the base URL %s, and does not repeat it", async (baseUrl, reason) => {
    const failure = await failureOf("openai/x", baseUrl);
    expect(failure).toMatchObject({ kind: "invalid_args", reason });
    expect(JSON.stringify(failure)).not.toContain("hunter2");
  });

  test.each([
    "http://example.com/v1",
    "http://127.0.0.1.example.com/v1",
    "http://localhost.example.com/v1",
    "http://10.0.0.1/v1",
    "http://0.0.0.0/v1",
    "http://[::ffff:127.0.0.1]/v1",
    "http://foo.localhost/v1",
  ])("sends no key to %s", async (baseUrl) => {
    for (const id of ["anthropic/x", "openai/x", "openai-compatible/x"]) {
      expect(await failureOf(id, baseUrl)).toMatchObject({ kind: "insecure_auth_transport", key: "MY_KEY" });
    }
  });

  test.each([
    "http://127.0.0.1:9/v1",
    "http://127.8.9.1/v1",
    "http://127.1/v1",
    "http://[::1]:9/v1/",
    "http://LOCALHOST/v1",
    "https://example.com/v1",
  ])("may send a key to %s", async (baseUrl) => {
    expect(await failureOf("openai-compatible/x", baseUrl)).toBeNull();
  });

  test("asks a server without a key over plain http anywhere", async () => {
    expect(await failureOf("openai-compatible/x", "http://10.0.0.1/v1", null)).toBeNull();
  });

  test.each(["anthropic/x", "openai/x"])("%s wants a key, whatever the environment holds", async (id) => {
    expect(await failureOf(id, undefined, null)).toMatchObject({ kind: "not_authenticated", reason: "no_key" });
  });

  test.each([
    ["sk-0123456789\n", "line_break"],
    ["sk-012\r\nx-evil: 1", "line_break"],
    [" sk-0123456789", "surrounding_blanks"],
    ["sk-0123\u20266789", "non_ascii"],
    ["sk-0123\u00006789", "control_character"],
    ["", "empty"],
  ])("refuses the key %j without showing it", async (value, reason) => {
    const failure = await failureOf("openai/x", undefined, { name: "MY_KEY", value });
    expect(failure).toMatchObject({ kind: "not_authenticated", reason, key: "MY_KEY" });
    expect(JSON.stringify(failure)).not.toContain("0123");
  });
});

test("no file of the room imports a provider package when it is itself imported", () => {
  const folder = new URL(".", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const statics = files.filter((name) =>
    /^(import|export)(?! type)[^;]*?from "(@ai-sdk|ai)\b/m.test(readFileSync(new URL(name, folder), "utf8")),
  );
  expect(files).toContain("adapter.ts");
  expect(statics).toEqual([]);
});
