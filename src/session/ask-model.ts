import { isFailure } from "../base/fail.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Recorder } from "../executor/index.ts";
import { type Model, type ModelRequest, requestHash } from "../models/index.ts";
import type { Answer, AnsweredCall } from "./history.ts";

export interface AskOptions {
  readonly iteration: number;
  readonly signal: AbortSignal;
  readonly nextCallId: () => string;
}

/**
 * One request and its answer, recorded: `model_request` before (synced, with the results that it carries), then `reasoning`,
 * `provider_usage` and `assistant_message`. When the stream breaks, what came is recorded as `partial` and the failure thrown; calls of a
 * partial answer are never run.
 */
export async function askModel(model: Model, request: ModelRequest, recorder: Recorder, options: AskOptions): Promise<Answer> {
  const { iteration, signal, nextCallId } = options;
  recorder.record("model_request", { model: model.name, request_sha256: requestHash(request), iteration });
  await recorder.sync();

  let text = "";
  let usage: JsonObject = {};
  let stopReason: Answer["stopReason"] = "other";
  const reasoning: JsonValue[] = [];
  const calls: AnsweredCall[] = [];
  const write = (partial: boolean) => {
    for (const item of reasoning) recorder.record("reasoning", { model: model.name, item });
    if (Object.keys(usage).length > 0) recorder.record("provider_usage", { model: model.name, usage });
    const call_ids = partial ? [] : calls.map((call) => call.callId);
    recorder.record("assistant_message", {
      text,
      call_ids,
      stop_reason: partial ? "interrupted" : stopReason,
      ...(partial ? { partial: true } : {}),
    });
  };
  const shownText = recorder.deltas("text_delta");
  const shownReasoning = recorder.deltas("reasoning_delta");
  try {
    for await (const part of model.stream(request, { signal })) {
      switch (part.type) {
        case "text_delta":
          text += part.text;
          shownText.push(part.text);
          break;
        case "reasoning_delta":
          shownReasoning.push(part.text);
          break;
        case "reasoning":
          reasoning.push(part.item);
          break;
        case "tool_call":
          calls.push({ callId: nextCallId(), providerCallId: part.provider_call_id, name: part.name, argsText: part.args_text });
          break;
        case "usage":
          usage = part.usage;
          break;
        case "finish":
          stopReason = part.reason;
          break;
      }
    }
  } catch (error) {
    const isPartial = text !== "" || reasoning.length > 0 || calls.length > 0;
    if (isFailure(error) && isPartial) write(true);
    throw error;
  } finally {
    shownText.end();
    shownReasoning.end();
  }
  write(false);
  return { text: recorder.redact(text), reasoning, calls, stopReason, usage };
}
