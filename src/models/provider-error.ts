import type { Kind } from "../base/kinds.ts";
import { asFrame } from "./frame.ts";

/** What a provider said was wrong, in whatever shape it said it. */
export interface ProviderError {
  /** HTTP status; of an error inside a stream only when the provider names one. */
  readonly status: number | null;
  /** Its own words for the class of the error: types and codes. */
  readonly words: readonly string[];
  readonly message: string;
}

/** What that means to us. `retryable`: the same request may succeed in a moment. */
export interface Verdict {
  readonly kind: Kind;
  readonly retryable: boolean;
  readonly reason?: string;
}

/**
 * Reads an error body or error frame: `{ error: { type, code, message } }` (both big providers), `{ error: "text" }` (Ollama),
 * `{ message }`, `{ detail }` (FastAPI servers), or the text itself.
 */
export function readProviderError(status: number | null, body: unknown): ProviderError {
  const top = asFrame(body);
  const inner = asFrame(top?.error) ?? asFrame(asFrame(top?.response)?.error) ?? top;
  const words = [inner?.type, inner?.code, asFrame(inner?.error)?.type, asFrame(inner?.metadata)?.error_type].flatMap((word) =>
    typeof word === "string" ? [word] : [],
  );
  const texts = [inner?.message, top?.error, top?.message, top?.detail, body];
  const message = texts.find((text) => typeof text === "string" && text !== "");
  return {
    status: status ?? httpStatus(inner?.code) ?? httpStatus(inner?.status),
    words,
    message: typeof message === "string" ? message : "",
  };
}

const USED_UP = /insufficient_quota|usage_limit|usage_not_included|billing|credit_balance|quota_exceeded/;
const USED_UP_TEXT = /credit balance is too low|exceeded your current quota|insufficient (credits|balance|quota)|usage limit/i;
const OVERFLOW = /context_length|context_window|context_size|request_too_large|string_above_max_length/;
const OVERFLOW_TEXT =
  /(prompt|input|request|conversation) is too (long|large)|(maximum|available|model'?s?) (context|prompt) (length|size|window)|exceed\w* (the |its |model'?s? |available )*context|context (length|window|size|limit)|too many (input )?tokens|input token count .{0,40}exceeds/i;
const NO_MODEL = /model_not_found|model_not_supported|invalid_model|unknown_model/;
const NO_MODEL_TEXT =
  /model\b.{0,80}\b(not found|does ?n[o']t exist|not exist|not supported|not available|unknown)|(unknown|invalid|no such) model/is;

/**
 * The kind of a provider's error. First match wins; the order follows Pixir's table (an account's limit before a rate, a rate before the
 * context), with 401, 403 and 404 added.
 */
export function judge({ status, words, message }: ProviderError): Verdict {
  const says = (pattern: RegExp) => words.some((word) => pattern.test(word.toLowerCase()));
  const badRequest = status === 400 || status === 413 || status === 422 || status === null;
  if (status === 402 || says(USED_UP) || USED_UP_TEXT.test(message)) return { kind: "usage_limit_reached", retryable: false };
  if (status === 401 || status === 403 || says(/authentication|permission|invalid_api_key/))
    return { kind: "not_authenticated", retryable: false };
  if (status === 429 || says(/rate_limit|too_many_requests/)) return { kind: "rate_limited", retryable: true };
  if (says(OVERFLOW) || status === 413 || (badRequest && OVERFLOW_TEXT.test(message)))
    return { kind: "context_overflow", retryable: false };
  if (says(/content_filter|content_policy|moderation/)) return { kind: "provider_refusal", retryable: false };
  if (says(NO_MODEL) || ((badRequest || status === 404) && NO_MODEL_TEXT.test(message)) || (status === 404 && aboutModel(message))) {
    return { kind: "model_not_supported", retryable: false };
  }
  if (status === 404) return { kind: "provider_http_error", retryable: false, reason: "no_such_endpoint" };
  if (status !== null && status >= 300 && status < 400) return { kind: "provider_http_error", retryable: false, reason: "redirected" };
  const overloaded = says(/overloaded|server_error|api_error|service_unavailable|timeout|internal/);
  return { kind: "provider_http_error", retryable: status === null ? overloaded : status === 408 || status >= 500 };
}

/** Anthropic's 404 for a model says no more than `model: NAME`. */
function aboutModel(message: string): boolean {
  return /^\s*model\s*:/i.test(message);
}

function httpStatus(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 400 && number <= 599 ? number : null;
}
