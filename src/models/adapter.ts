import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { ApiKey } from "../base/api-key.ts";
import type { Clock } from "../base/clock.ts";
import { fail, isFailure } from "../base/fail.ts";
import type { ModelId } from "../base/providers.ts";
import { VERSION } from "../base/version.ts";
import { partsOf } from "./answer.ts";
import { type Exchange, openExchange } from "./exchange.ts";
import { cancelledFailure, type Origin, withDetails } from "./failure.ts";
import { packageFailure } from "./package-error.ts";
import type { Model, ModelPart, ModelRequest } from "./port.ts";
import { type PromptWriter, promptWriter } from "./prompt.ts";

/**
 * Output tokens asked of Anthropic, which demands a number: room for a long file and for thinking, and far from the context's size. The
 * package lowers it to what a model of its list can do. The other protocols are asked for no number.
 */
const ANTHROPIC_MAX_TOKENS = 32_000;

export interface AdapterOptions {
  readonly id: ModelId;
  /** Checked, without a slash at its end. */
  readonly baseUrl: string;
  /** Checked to fit into a header. */
  readonly apiKey: ApiKey | null;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly idleTimeoutMs: number;
}

/** The one place that knows the provider packages. Loads the chosen one, and no other. */
export async function openAdapter(options: AdapterOptions): Promise<Model> {
  const { id, apiKey, baseUrl } = options;
  const name = `${id.provider}/${id.name}`;
  // a request's signal leads to its exchange: the packages take one fetch for all requests
  const exchanges = new WeakMap<AbortSignal, Exchange>();
  const send: typeof fetch = (input, init) => {
    const exchange = init?.signal ? exchanges.get(init.signal) : undefined;
    if (exchange === undefined) throw fail("internal", "a provider package sent a request that was not asked for", { model: name });
    const headers = new Headers(init?.headers);
    // the package announces what it might use of Anthropic's previews; nothing of them is used, and other servers may refuse the header
    headers.delete("anthropic-beta");
    return exchange.send(String(input), { ...init, headers });
  };
  const sdk = await load(options, send);
  const writer = promptWriter(id.provider, name);
  const origin: Origin = { model: name, url: `${baseUrl}${ENDPOINTS[id.provider]}`, key: apiKey };
  return {
    name,
    stream: (request, { signal }) => {
      return answer({ request, sdk, writer, origin, signal, exchanges, options });
    },
  };
}

const ENDPOINTS = { anthropic: "/messages", openai: "/responses", "openai-compatible": "/chat/completions" } as const;

/** Base URL and key are always given: left out, the packages would take them from the environment. */
async function load({ id, baseUrl, apiKey }: AdapterOptions, send: typeof fetch): Promise<LanguageModelV3> {
  const settings = { baseURL: baseUrl, fetch: send, headers: { "user-agent": `collet/${VERSION}` } };
  switch (id.provider) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ ...settings, apiKey: apiKey?.value ?? "" })(id.name);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ ...settings, apiKey: apiKey?.value ?? "" }).responses(id.name);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const key = apiKey === null ? {} : { apiKey: apiKey.value };
      return createOpenAICompatible({ ...settings, ...key, name: "compatible", includeUsage: true })(id.name);
    }
  }
}

interface Answering {
  readonly request: ModelRequest;
  readonly sdk: LanguageModelV3;
  readonly writer: PromptWriter;
  readonly origin: Origin;
  readonly signal: AbortSignal;
  readonly exchanges: WeakMap<AbortSignal, Exchange>;
  readonly options: AdapterOptions;
}

async function* answer({ request, sdk, writer, origin, signal, exchanges, options }: Answering): AsyncGenerator<ModelPart> {
  if (signal.aborted) throw cancelledFailure(origin);
  const exchange = openExchange({ ...options, origin, signal });
  exchanges.set(exchange.signal, exchange);
  let partial = false;
  try {
    const { stream } = await sdk.doStream(callOptions(request, writer, { provider: options.id.provider, signal: exchange.signal }));
    for await (const part of partsOf(stream, origin, exchange)) {
      partial = true;
      yield part;
    }
  } catch (error) {
    // whatever the package makes of it: what went wrong first, on the wire, is what happened
    const failure =
      exchange.failed ?? (isFailure(error) ? error : exchange.sent ? packageFailure(error, origin) : unsendable(error, origin));
    throw partial ? withDetails(failure, { partial }) : failure;
  } finally {
    exchange.close();
  }
}

function callOptions(request: ModelRequest, writer: PromptWriter, { provider, signal }: Target): LanguageModelV3CallOptions {
  const tools = writer.tools(request.tools);
  return {
    prompt: writer.prompt(request),
    ...(tools === undefined ? {} : { tools }),
    ...(provider === "anthropic" ? { maxOutputTokens: ANTHROPIC_MAX_TOKENS } : {}),
    abortSignal: signal,
    includeRawChunks: true,
    providerOptions: {
      // arguments are handed on whole, so nothing is gained by having them early; other servers of this protocol refuse the field
      anthropic: { toolStreaming: false },
      // nothing is kept at the provider: reasoning comes encrypted, and is sent back
      openai: { store: false },
    },
  };
}

interface Target {
  readonly provider: ModelId["provider"];
  readonly signal: AbortSignal;
}

/** The package found no way to write the request for this provider, such as an image type that it does not take. */
function unsendable(error: unknown, origin: Origin) {
  const reason = error instanceof Error ? error.name : "unknown";
  const words = error instanceof Error ? error.message.slice(0, 300) : "unknown error";
  const details = { model: origin.model, url: origin.url, reason, retryable: false };
  return fail("unsupported_backend_capability", `${origin.model}: the request cannot be written: ${words}`, details, { cause: error });
}
