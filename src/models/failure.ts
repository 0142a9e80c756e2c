import { type ApiKey, withoutKey } from "../base/api-key.ts";
import { type Failure, fail } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import { PROVIDERS } from "../base/providers.ts";
import { judge, type ProviderError, readProviderError } from "./provider-error.ts";

/** Bytes of a provider's own words that are kept for the details, and characters of them in the message. */
const EXCERPT_BYTES = 2048;
const MESSAGE_CHARS = 300;

/** The key that a server may want to which none was sent. */
const OPEN_KEY = PROVIDERS["openai-compatible"].keyEnv;

/** What every failure of a model call tells. */
export interface Origin {
  /** `provider/name`. */
  readonly model: string;
  /** Host and path, without a query. */
  readonly url: string;
  readonly key: ApiKey | null;
}

/** What came of a body, as text. */
export interface Beginning {
  readonly text: string;
  /** False: it was too large, too slow, or broke off. */
  readonly isWhole: boolean;
}

/** An answer that is none: its status, its headers, and the beginning of its body. */
export interface Refused {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Beginning;
  /** Milliseconds since the epoch, for a `retry-after` that is a date. */
  readonly now: number;
}

/** An HTTP status that is no success. */
export function httpFailure(origin: Origin, { status, headers, body, now }: Refused): Failure {
  const error = readProviderError(status, parsed(body.text));
  const verdict = judge(error);
  const hint = hintFor(origin, verdict.kind, verdict.reason);
  return fail(verdict.kind, told(origin, `HTTP ${status}`, error) + hint, {
    ...about(origin),
    status,
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    ...(error.words.length === 0 ? {} : { provider_error: clean(origin, error.words.join(" "), MESSAGE_CHARS) }),
    ...excerpt(origin, body.text),
    ...(body.isWhole ? {} : { body_truncated: true }),
    ...named("request_id", withoutKey(headers.get("request-id") ?? headers.get("x-request-id") ?? "", origin.key) || null),
    ...named("retry_after_ms", retryAfterMs(headers, now)),
    ...(verdict.reason === "redirected" ? named("location", withoutKey(hostOf(headers.get("location")) ?? "", origin.key) || null) : {}),
    ...(verdict.kind === "not_authenticated" ? { next_actions: [`export ${origin.key?.name ?? OPEN_KEY}=…`] } : {}),
    retryable: verdict.retryable,
  });
}

/** An error that arrives inside a stream which began well. */
export function frameFailure(origin: Origin, frame: unknown): Failure {
  const error = readProviderError(null, frame);
  const { kind, retryable } = judge(error);
  return fail(kind, told(origin, "error in the stream", error), {
    ...about(origin),
    ...(error.status === null ? {} : { status: error.status }),
    reason: "error_in_stream",
    ...(error.words.length === 0 ? {} : { provider_error: clean(origin, error.words.join(" "), MESSAGE_CHARS) }),
    ...excerpt(origin, typeof frame === "string" ? frame : (JSON.stringify(frame) ?? "")),
    retryable,
  });
}

const NETWORK_REASONS: { readonly [code: string]: string } = {
  ECONNREFUSED: "refused",
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  ECONNRESET: "reset",
  EPIPE: "reset",
  UND_ERR_SOCKET: "reset",
  ETIMEDOUT: "connect_timeout",
  UND_ERR_CONNECT_TIMEOUT: "connect_timeout",
  UND_ERR_HEADERS_TIMEOUT: "connect_timeout",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
};

/**
 * No answer at all. The reason is one of a fixed list (`refused dns reset connect_timeout unreachable tls other`), since the texts of the
 * layers below quote headers and addresses.
 */
export function networkFailure(origin: Origin, error: unknown): Failure {
  const code = codeOf(error);
  const isTls = code !== null && /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code);
  const reason = isTls ? "tls" : ((code === null ? undefined : NETWORK_REASONS[code]) ?? "other");
  const words = { refused: "refuses connections", dns: "has no address", reset: "closed the connection", tls: "has no valid certificate" };
  const word = reason in words ? words[reason as keyof typeof words] : "cannot be reached"; // the key was just looked up
  const isOwn = reason === "refused" && /^(?:https?:\/\/)?(?:localhost|127\.[\d.]+|\[::1\])(?=[:/]|$)/.test(origin.url);
  const next_actions = isOwn ? { next_actions: ["start the server, or name where it listens with --base-url"] } : {};
  const details = { ...about(origin), reason, ...named("code", code), ...next_actions, retryable: !isTls };
  const message = `${origin.model}: ${origin.url} ${word}${code === null ? "" : ` (${code})`}${isOwn ? "; is the server running?" : ""}`;
  return fail("network", message, details, { cause: error });
}

/** The stream ended before the answer did. `how`: the connection broke, or the server ended the body as if all had been said. */
export function cutFailure(origin: Origin, how: "broken" | "ended_early", cause?: unknown): Failure {
  const word = how === "broken" ? "the connection broke" : "the server ended the stream";
  const details = { ...about(origin), reason: "stream_cut", how, ...named("code", codeOf(cause)), retryable: true };
  return fail("network", `${origin.model}: ${word} in the middle of the answer`, details, { cause });
}

/** What came breaks the provider's protocol. */
export function protocolFailure(
  origin: Origin,
  reason: string,
  { text, cause }: { readonly text?: string; readonly cause?: unknown },
): Failure {
  const details = { ...about(origin), reason, ...(text === undefined ? {} : excerpt(origin, text)), retryable: false };
  return fail("invalid_response", `${origin.model}: the answer breaks the protocol (${reason})`, details, { cause });
}

/** More than an answer of a model can be. */
export function sizeFailure(origin: Origin, limit: number, unit: "bytes" | "characters" | "bytes in one line"): Failure {
  const words = `${origin.model}: the answer has no end; it was cut at ${limit.toLocaleString("en-US")} ${unit}`;
  return fail("invalid_response", words, { ...about(origin), reason: "too_large", limit, unit, retryable: false });
}

/** `silent`: not a byte came; `only_keep_alive`: bytes came, such as comments and pings, and nothing of an answer. */
export function idleFailure(origin: Origin, reason: "silent" | "only_keep_alive", ms: number): Failure {
  const details = { ...about(origin), reason, timeout_ms: ms, retryable: false };
  const what = reason === "silent" ? "nothing came" : "nothing but signs of life (comments, pings) came";
  return fail("stream_idle_timeout", `${origin.model}: ${what} for ${ms / 1000} s`, details);
}

export function cancelledFailure(origin: Origin): Failure {
  return fail("cancelled", `${origin.model}: the model call was cancelled`, about(origin));
}

/** The same failure, with more told. */
export function withDetails(failure: Failure, more: JsonObject): Failure {
  return fail(failure.kind, failure.message, { ...failure.details, ...more }, { cause: failure.cause });
}

function about({ model, url }: Origin): JsonObject {
  return { model, url };
}

function named(name: string, value: string | number | null): JsonObject {
  return value === null ? {} : { [name]: typeof value === "string" ? value.slice(0, 200) : value };
}

function told(origin: Origin, what: string, { words, message }: ProviderError): string {
  const word = words[0] === undefined ? "" : ` (${clean(origin, words[0], 80)})`;
  return `${origin.model}: ${what}${word}${message === "" ? "" : `: ${clean(origin, message, MESSAGE_CHARS)}`}`;
}

/** What a person can do that the provider does not say. */
function hintFor({ key, url }: Origin, kind: string, reason: string | undefined): string {
  if (kind === "not_authenticated") return key === null ? "; no key was sent" : `; the key came from ${key.name}`;
  if (reason === "no_such_endpoint") return `; nothing answers at ${url}: the base URL goes up to and including /v1`;
  return reason === "redirected" ? "; redirects are not followed, since they would take the key elsewhere" : "";
}

function excerpt(origin: Origin, body: string): JsonObject {
  const text = withoutKey(body, origin.key);
  const bytes = Buffer.from(text);
  if (bytes.length <= EXCERPT_BYTES) return text === "" ? {} : { body: text };
  // a cut inside a character leaves a replacement mark at the end, which goes
  return {
    body: bytes
      .subarray(0, EXCERPT_BYTES)
      .toString()
      .replace(/\ufffd$/, ""),
    body_truncated: true,
  };
}

function clean(origin: Origin, text: string, chars: number): string {
  const line = withoutKey(text, origin.key).replace(/\s+/g, " ").trim();
  return line.length <= chars ? line : `${line.slice(0, chars)}…`;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body.trimStart().startsWith("<") ? null : body; // a proxy's web page is no message
  }
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date; `null` when there is none that can be used. */
function retryAfterMs(headers: Headers, now: number): number | null {
  const exact = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact);
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : null;
}

function hostOf(location: string | null): string | null {
  try {
    return location === null ? null : new URL(location).host;
  } catch {
    return null; // a path on the same server
  }
}

/** The first error code down the chain of causes. */
function codeOf(error: unknown): string | null {
  let current = error;
  for (let depth = 0; depth < 8 && typeof current === "object" && current !== null; depth++) {
    const code = "code" in current ? current.code : undefined;
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code;
    const inner: unknown = "errors" in current && Array.isArray(current.errors) ? current.errors[0] : undefined;
    current = inner ?? ("cause" in current ? current.cause : undefined);
  }
  return null;
}
