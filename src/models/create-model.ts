import { type ApiKey, apiKeyProblem } from "../base/api-key.ts";
import type { Clock } from "../base/clock.ts";
import { fail } from "../base/fail.ts";
import { type ModelId, PROVIDERS, parseModelId } from "../base/providers.ts";
import { baseUrlOf, checkKeyTransport } from "./base-url.ts";
import type { Model } from "./port.ts";
import { withRetry } from "./retry.ts";

/** Pixir waits for 180 s; nobody measured shows less than one. Local servers read a long prompt in silence. */
const IDLE_TIMEOUT_MS = 120_000;

export interface CreateModelOptions {
  /** `provider/name`: `anthropic/…` (Messages), `openai/…` (Responses), `openai-compatible/…` (Chat Completions). */
  readonly id: string;
  /** Up to and including `/v1`. Default: the provider's public URL; `openai-compatible` has none. */
  readonly baseUrl?: string;
  /** `null` sends none, which only `openai-compatible` allows. */
  readonly apiKey: ApiKey | null;
  readonly clock: Clock;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
  /** How long the provider may be silent, in ms; default 120,000. Five times as long, when comments and pings are all that comes. */
  readonly idleTimeoutMs?: number;
  /** For the jitter of waits; default `Math.random`. */
  readonly random?: () => number;
}

/**
 * A model of a provider, ready to be asked; retries are in it. Nothing is sent before the first request, and only the chosen provider's
 * package is loaded. Fails with `invalid_args` (id, base URL), `model_not_supported` (provider), `not_authenticated` (no key, or one that
 * cannot be sent), `insecure_auth_transport` (a key over plain http to another machine).
 */
export async function createModel(options: CreateModelOptions): Promise<Model> {
  const { apiKey, clock, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const id = parseModelId(options.id);
  const baseUrl = baseUrlOf(id, options.baseUrl);
  checkKey(id, apiKey);
  checkKeyTransport(baseUrl, apiKey);
  if (!(idleTimeoutMs > 0)) throw fail("invalid_args", "idleTimeoutMs is no positive number", { reason: "bad_idle_timeout" });
  const { openAdapter } = await import("./adapter.ts");
  const adapter = await openAdapter({ id, baseUrl, apiKey, clock, idleTimeoutMs, fetch: options.fetch ?? globalThis.fetch });
  return withRetry(adapter, { clock, random: options.random ?? Math.random });
}

function checkKey({ provider }: ModelId, key: ApiKey | null): void {
  const { keyEnv, needsKey } = PROVIDERS[provider];
  if (key === null) {
    if (!needsKey) return;
    const command = `export ${keyEnv}=…`;
    throw fail("not_authenticated", `${provider} needs a key: ${command}`, { reason: "no_key", key: keyEnv, next_actions: [command] });
  }
  const problem = apiKeyProblem(key.value);
  if (problem === null) return;
  throw fail("not_authenticated", `the key in ${key.name} cannot be sent (${problem.replaceAll("_", " ")})`, {
    reason: problem,
    key: key.name,
  });
}
