import type { LanguageModelV3StreamPart, LanguageModelV3Usage, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "../base/json.ts";
import type { Exchange } from "./exchange.ts";
import { cutFailure, frameFailure, type Origin } from "./failure.ts";
import { asFrame } from "./frame.ts";
import { isUnknownEvent, packageFailure } from "./package-error.ts";
import type { ModelPart } from "./port.ts";

type FinishReason = Extract<ModelPart, { readonly type: "finish" }>["reason"];

/** A call as it comes in: pieces first, then, if all goes well, the whole. */
interface IncomingCall {
  readonly type: "call";
  readonly id: string;
  name: string;
  pieces: string;
  whole: string | undefined;
}

/**
 * Translates a provider package's stream into parts of the port. From the first call on everything is held back until the answer is whole:
 * no call of a broken answer ever leaves here, and a stream that breaks inside its calls can be asked again.
 *
 * Throws where the package is silent: a stream that ends without an end, an error that comes as a part, a bad frame.
 */
export async function* partsOf(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  origin: Origin,
  exchange: Exchange,
): AsyncGenerator<ModelPart> {
  const held: (ModelPart | IncomingCall)[] = [];
  const calls = new Map<string, IncomingCall>();
  const reasoning = new Map<string, { text: string; metadata: SharedV3ProviderMetadata | undefined }>();
  let refused = false;

  const callOf = (id: string, name: string): IncomingCall => {
    let call = calls.get(id);
    if (call === undefined) {
      call = { type: "call", id, name, pieces: "", whole: undefined };
      calls.set(id, call);
      held.push(call);
    }
    return call;
  };
  const holdOrGive = (part: ModelPart): ModelPart[] => {
    if (calls.size === 0) return [part];
    held.push(part);
    return [];
  };

  const read = (part: LanguageModelV3StreamPart): ModelPart[] => {
    switch (part.type) {
      case "raw": {
        if (isLastFrame(part.rawValue)) exchange.settle();
        const refusal = refusalIn(part.rawValue);
        if (refusal === null) return [];
        refused = true;
        return holdOrGive({ type: "text_delta", text: refusal });
      }
      case "text-delta":
        return part.delta === "" ? [] : holdOrGive({ type: "text_delta", text: part.delta });
      case "reasoning-start":
        reasoning.set(part.id, { text: "", metadata: part.providerMetadata });
        return [];
      case "reasoning-delta": {
        const item = reasoning.get(part.id);
        if (item !== undefined) {
          item.text += part.delta;
          item.metadata = merged(item.metadata, part.providerMetadata);
        }
        return part.delta === "" ? [] : holdOrGive({ type: "reasoning_delta", text: part.delta });
      }
      case "reasoning-end": {
        const item = reasoning.get(part.id);
        reasoning.delete(part.id);
        const metadata = merged(item?.metadata, part.providerMetadata);
        if (item === undefined || (item.text === "" && metadata === undefined)) return [];
        return holdOrGive({
          type: "reasoning",
          item: { text: item.text, ...(metadata === undefined ? {} : { metadata: metadata as JsonObject }) },
        });
      }
      case "tool-input-start":
        callOf(part.id, part.toolName);
        return [];
      case "tool-input-delta":
        callOf(part.id, "").pieces += part.delta;
        return [];
      case "tool-call": {
        const call = callOf(part.toolCallId, part.toolName);
        call.name = part.toolName;
        call.whole = part.input;
        return [];
      }
      case "error":
        if (isUnknownEvent(part.error)) return [];
        throw packageFailure(part.error, origin);
      case "finish": {
        const { unified, raw } = part.finishReason;
        if (unified === "error" && raw) throw frameFailure(origin, { error: { type: raw } });
        if ((unified === "other" || unified === "error") && !raw) throw cutFailure(origin, "ended_early");
        const reason = finishReason(unified, { refused, hasCalls: calls.size > 0 });
        const usage = usageOf(part.usage);
        return [
          ...held.map((item) => (item.type === "call" ? wholeCall(item, reason) : item)),
          ...(usage === null ? [] : [{ type: "usage" as const, usage }]),
          { type: "finish", reason },
        ];
      }
      default:
        return []; // starts and ends of text, metadata, sources, and what only provider-run tools have
    }
  };

  let finished = false;
  try {
    for await (const part of stream) {
      if (finished) continue;
      yield* read(part);
      finished = part.type === "finish";
      // the rest is read too, so that the connection can be used again, but not waited for
      if (finished) exchange.settle();
    }
  } catch (error) {
    if (!finished) throw error; // what breaks after the end takes nothing away
  }
  if (!finished) throw cutFailure(origin, "ended_early");
}

function wholeCall({ id, name, pieces, whole }: IncomingCall, reason: FinishReason): ModelPart {
  const written = whole ?? pieces;
  // a call without arguments is "" on some wires; a call that was cut before its arguments began is not that
  const cutBeforeArgs = reason === "length" && pieces === "" && (written === "" || written === "{}");
  const args_text = cutBeforeArgs ? "" : written.trim() === "" ? "{}" : written;
  return { type: "tool_call", provider_call_id: id, name, args_text };
}

interface Told {
  readonly refused: boolean;
  readonly hasCalls: boolean;
}

function finishReason(unified: string, { refused, hasCalls }: Told): FinishReason {
  switch (unified) {
    case "length":
      return "length";
    case "content-filter":
      return "refusal";
    case "stop":
    case "tool-calls":
      if (refused) return "refusal";
      return hasCalls ? "tool_calls" : "stop"; // some servers say `stop` after calls
    default:
      return "other";
  }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): JsonObject | null {
  const usage = {
    input_tokens: inputTokens.total,
    output_tokens: outputTokens.total,
    cache_read_tokens: inputTokens.cacheRead,
    cache_write_tokens: inputTokens.cacheWrite,
    reasoning_tokens: outputTokens.reasoning,
  };
  const told = Object.entries(usage).filter(([, tokens]) => tokens !== undefined);
  return told.length === 0 ? null : Object.fromEntries(told);
}

/** Later metadata fills in and overwrites, member by member: a signature comes in a piece of its own, encrypted content at the end. */
function merged(
  old: SharedV3ProviderMetadata | undefined,
  more: SharedV3ProviderMetadata | undefined,
): SharedV3ProviderMetadata | undefined {
  if (old === undefined || more === undefined) return more ?? old;
  const result = { ...old };
  for (const [provider, values] of Object.entries(more)) result[provider] = { ...result[provider], ...values };
  return result;
}

/** Whether nothing but bookkeeping can follow this frame: the last one of Responses, or the choice's end in Chat Completions. */
function isLastFrame(raw: unknown): boolean {
  const frame = asFrame(raw);
  if (frame?.type === "response.completed" || frame?.type === "response.incomplete" || frame?.type === "message_stop") return true;
  const choice = Array.isArray(frame?.choices) ? asFrame(frame.choices[0]) : null;
  return typeof choice?.finish_reason === "string" && choice.finish_reason !== "";
}

/** Responses sends a refusal in events of its own, which the provider package leaves out. */
function refusalIn(raw: unknown): string | null {
  const frame = asFrame(raw);
  return frame?.type === "response.refusal.delta" && typeof frame.delta === "string" ? frame.delta : null;
}
