import type { JsonObject, JsonValue } from "../base/json.ts";

/** The port behind which language models live. One conversation, one stream of parts; no retry, no loop, no tools run here. */

/** A part of what a person or a tool says to a model. */
export type ModelContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: Uint8Array; readonly mime_type: string };

/** A part of what the model said earlier, sent back as it came. */
export type AssistantPart =
  | { readonly type: "text"; readonly text: string }
  /** `item` is the provider's own (signature, encrypted content), opaque to all but the adapter of `model`. */
  | { readonly type: "reasoning"; readonly model: string; readonly item: JsonValue }
  | { readonly type: "tool_call"; readonly provider_call_id: string; readonly name: string; readonly args: JsonObject };

/** One message of the conversation so far. A `tool` message answers every call of the assistant's message before it. */
export type ModelMessage =
  | { readonly role: "user"; readonly content: readonly ModelContent[] }
  | { readonly role: "assistant"; readonly parts: readonly AssistantPart[] }
  | {
      readonly role: "tool";
      readonly results: readonly {
        readonly provider_call_id: string;
        readonly name: string;
        readonly content: readonly ModelContent[];
        readonly is_error: boolean;
      }[];
    };

/** A tool as a model is told of it; `parameters` is JSON Schema with an object as its root. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** All that a model is sent for one answer. Nothing is kept between requests. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
}

/** A part of an answer, in the order in which it came. */
export type ModelPart =
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "reasoning_delta"; readonly text: string }
  /** A finished piece of reasoning, to be logged and sent back. */
  | { readonly type: "reasoning"; readonly item: JsonValue }
  /** A whole call. `args_text` is what the model wrote, perhaps no JSON at all; the executor judges it. */
  | { readonly type: "tool_call"; readonly provider_call_id: string; readonly name: string; readonly args_text: string }
  /** Tokens, snake_case: input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens; absent when not told. */
  | { readonly type: "usage"; readonly usage: JsonObject }
  /** The last part of every whole answer. `length`: cut at the token limit. `refusal`: the provider or model refused. */
  | { readonly type: "finish"; readonly reason: "stop" | "tool_calls" | "length" | "refusal" | "other" };

/**
 * Streams one answer. A stream that ends without `finish` does not exist: the adapter throws instead. Every throw is a `Failure` of an
 * origin `provider` or `auth` kind, `invalid_response`, or `cancelled` after `signal` aborted. `details.partial: true` when parts were
 * delivered before the failure.
 */
export interface Model {
  /** `provider/name`, as it stands in the log. */
  readonly name: string;
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelPart>;
}

/** A model that answers from a list, one step a request; `network` failure-free and deterministic. */
export interface ScriptedStep {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args: JsonObject }[];
}
