import { expect, test } from "vitest";
import { judge, readProviderError } from "./provider-error.ts";

/** Bodies as the providers send them. */
test.each([
  [
    "usage_limit_reached",
    429,
    { error: { type: "insufficient_quota", code: "insufficient_quota", message: "You exceeded your current quota" } },
  ],
  [
    "usage_limit_reached",
    400,
    { type: "error", error: { type: "invalid_request_error", message: "Your credit balance is too low to access the API." } },
  ],
  ["usage_limit_reached", 429, { error: { type: "usage_limit_reached", message: "limit", resets_at: 1 } }],
  ["usage_limit_reached", 402, { error: { message: "Insufficient credits", code: 402 } }],
  ["rate_limited", 429, { type: "error", error: { type: "rate_limit_error", message: "slow down" } }],
  ["rate_limited", 429, null],
  ["not_authenticated", 401, { error: { message: "Incorrect API key provided", type: "invalid_request_error", code: "invalid_api_key" } }],
  ["not_authenticated", 403, { type: "error", error: { type: "permission_error", message: "no" } }],
  ["context_overflow", 400, { error: { code: "context_length_exceeded", message: "too much" } }],
  ["context_overflow", 413, { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } }],
  ["context_overflow", 400, { error: { message: "input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000" } }],
  ["context_overflow", 400, { error: { type: "exceed_context_size_error", message: "the request exceeds the available context size" } }],
  ["context_overflow", 400, { object: "error", message: "This model's maximum context length is 4096 tokens.", code: 400 }],
  ["model_not_supported", 404, { type: "error", error: { type: "not_found_error", message: "model: claude-nope" } }],
  [
    "model_not_supported",
    404,
    { error: { message: "The model 'x' does not exist or you do not have access to it.", code: "model_not_found" } },
  ],
  ["model_not_supported", 404, { error: "model 'llama9' not found" }],
  ["model_not_supported", 404, { error: { message: 'model "llama9" not found, try pulling it first' } }],
  ["model_not_supported", 400, { error: { message: "The 'gpt-9' model is not supported when using this account." } }],
  ["provider_http_error", 404, { detail: "Not Found" }],
  ["provider_http_error", 400, { error: { type: "invalid_request_error", message: "messages: roles must alternate" } }],
  ["provider_http_error", 400, { error: { message: "Invalid schema for function 'read': request body wrong" } }],
  ["provider_http_error", 502, null],
  ["provider_http_error", 529, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
  ["provider_refusal", 400, { error: { code: "content_filter", message: "The response was filtered" } }],
  // inside a stream: no status
  ["context_overflow", null, { type: "error", error: { type: "invalid_request_error", message: "prompt is too long: 1 > 0" } }],
  ["rate_limited", null, { type: "response.failed", response: { error: { code: "rate_limit_exceeded", message: "slow" } } }],
  ["provider_http_error", null, { message: "boom", type: "server_error", code: 500 }],
  ["provider_http_error", null, "boom"],
])("is %s for %s %j", (kind, status, body) => {
  expect(judge(readProviderError(status, body)).kind).toBe(kind);
});

test.each([
  [true, 500, null],
  [true, 408, null],
  [true, 529, null],
  [true, null, { error: { type: "overloaded_error" } }],
  [true, null, { error: { message: "x", code: 503 } }],
  [false, null, { error: { message: "what" } }],
  [false, 400, null],
  [false, 404, null],
  [false, 307, null],
  [false, 429, { error: { type: "insufficient_quota" } }],
])("is worth another try: %s for %s %j", (retryable, status, body) => {
  expect(judge(readProviderError(status, body)).retryable).toBe(retryable);
});
