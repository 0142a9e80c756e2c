import type { LanguageModelV3StreamPart, LanguageModelV3Usage, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "../base/json.ts";
import { createTextPieces, type TextPieces } from "../base/text-pieces.ts";
import { createCallLedger } from "./call-ledger.ts";
import type { Exchange } from "./exchange.ts";
import { cutFailure, frameFailure, type Origin, protocolFailure, sizeFailure } from "./failure.ts";
import { asFrame } from "./frame.ts";
import { createHeldAnswer, type FinishReason } from "./held-answer.ts";
import { isUnknownEvent, packageFailure } from "./package-error.ts";
import type { ModelPart } from "./port.ts";

/**
 * What an answer may come to in UTF-16 units, calls and reasoning included: 128k tokens are some 0.5 Mi. What reads the parts may have a
 * lower limit; this one is for what is held back here.
 */
const MAX_ANSWER_CHARS = 16 * 1024 * 1024;

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
  const held = createHeldAnswer();
  const ledger = createCallLedger();
  const reasoning = new Map<string, { readonly text: TextPieces; metadata: SharedV3ProviderMetadata | undefined }>();
  let refused = false;
  let chars = 0;

  const grow = (more: number) => {
    chars += more;
    if (chars > MAX_ANSWER_CHARS) throw sizeFailure(origin, MAX_ANSWER_CHARS, "characters");
  };
  const holdOrGive = (part: ModelPart): ModelPart[] => {
    if (part.type === "text_delta" || part.type === "reasoning_delta") grow(part.text.length);
    if (!held.hasCalls()) return [part];
    held.hold(part);
    return [];
  };

  const read = (part: LanguageModelV3StreamPart): ModelPart[] => {
    switch (part.type) {
      case "raw": {
        ledger.count(part.rawValue);
        if (!isKeepAlive(part.rawValue)) exchange.progress();
        if (isLastFrame(part.rawValue)) exchange.settle();
        const refusal = refusalIn(part.rawValue);
        if (refusal === null) return [];
        refused = true;
        return holdOrGive({ type: "text_delta", text: refusal });
      }
      case "text-delta":
        return part.delta === "" ? [] : holdOrGive({ type: "text_delta", text: part.delta });
      case "reasoning-start":
        reasoning.set(part.id, { text: createTextPieces(), metadata: part.providerMetadata });
        return [];
      case "reasoning-delta": {
        const item = reasoning.get(part.id);
        if (item !== undefined) {
          item.text.add(part.delta);
          item.metadata = merged(item.metadata, part.providerMetadata);
        }
        return part.delta === "" ? [] : holdOrGive({ type: "reasoning_delta", text: part.delta });
      }
      case "reasoning-end": {
        const item = reasoning.get(part.id);
        reasoning.delete(part.id);
        const metadata = merged(item?.metadata, part.providerMetadata);
        if (item === undefined || (item.text.length === 0 && metadata === undefined)) return [];
        return holdOrGive({
          type: "reasoning",
          item: { text: item.text.text(), ...(metadata === undefined ? {} : { metadata: metadata as JsonObject }) },
        });
      }
      case "tool-input-start":
        grow(part.toolName.length + 64); // calls without arguments are not for nothing either
        held.beginCall(part.id, part.toolName);
        return [];
      case "tool-input-delta":
        grow(part.delta.length);
        held.addArgs(part.id, part.delta);
        return [];
      case "tool-call":
        held.endCall(part.toolCallId, { name: part.toolName, argsText: part.input });
        return [];
      case "error":
        if (isUnknownEvent(part.error)) return [];
        throw packageFailure(part.error, origin);
      case "finish": {
        const { unified, raw } = part.finishReason;
        if (unified === "error" && raw) throw frameFailure(origin, { error: { type: raw } });
        if ((unified === "other" || unified === "error") && !raw) throw cutFailure(origin, "ended_early");
        const reason = finishReason(unified, { refused, hasCalls: held.hasCalls() });
        const unended = held.unended();
        // which of them the model meant, and with what arguments, cannot be told: none may run
        if (ledger.isShort(held.sizes()) || unended === "of_one_id") throw protocolFailure(origin, "calls_run_together", {});
        if (unended === "some" && reason !== "length") throw protocolFailure(origin, "call_without_end", {});
        const usage = usageOf(part.usage);
        return [...held.parts(reason), ...(usage === null ? [] : [{ type: "usage" as const, usage }]), { type: "finish", reason }];
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

/** Frames that say no more than that the server is still there. */
function isKeepAlive(raw: unknown): boolean {
  const type = asFrame(raw)?.type;
  return type === "ping" || type === "keepalive";
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
