import { errorBody, fail, isFailure } from "../base/fail.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { createTextPieces } from "../base/text-pieces.ts";
import type { Recorder } from "../executor/index.ts";
import { type Model, type ModelRequest, requestHash } from "../models/index.ts";
import type { Answer, AnsweredCall } from "./history.ts";

export interface AskOptions {
  readonly model: Model;
  readonly recorder: Recorder;
  readonly iteration: number;
  readonly signal: AbortSignal;
  readonly nextCallId: () => string;
  /** Asked after each part: `null`, or what settles when whoever listens has room again. */
  readonly room: () => Promise<void> | null;
  /** Told the tokens of the request once they are recorded, also of an answer that broke. */
  readonly onUsage: (usage: JsonObject) => void;
}

/**
 * What a model may say in one answer, thoughts and names of calls included, in UTF-16 units: four times what 128k tokens of prose come to,
 * and, as JSON, never more than a line of the log.
 */
const MAX_SAID = 2 * 1024 * 1024;
/** The provider's own items of reasoning, as JSON: each is a line of the log. */
const MAX_REASONING = 4 * 1024 * 1024;
/** Arguments of calls, which are kept beside the log. A call counts for at least 64. */
const MAX_ARGS = 16 * 1024 * 1024;

/**
 * One request and its answer, recorded: `model_request` before (synced, with the results that it carries), then `reasoning`,
 * `provider_usage` and `assistant_message`. When the stream breaks, what came is recorded as `partial` and the failure thrown; calls of a
 * partial answer are never run. An answer without end is cut: `budget_exceeded`.
 */
export async function askModel(request: ModelRequest, options: AskOptions): Promise<Answer> {
  const { model, recorder, iteration, signal, nextCallId, room, onUsage } = options;
  recorder.record("model_request", { model: model.name, request_sha256: requestHash(request), iteration });
  await recorder.sync();

  const said = createTextPieces();
  // beside the text: thoughts, and what names the calls
  let beside = 0;
  let reasoningChars = 0;
  let argsChars = 0;
  let usage: JsonObject = {};
  let stopReason: Answer["stopReason"] = "other";
  const reasoning: JsonValue[] = [];
  const calls: AnsweredCall[] = [];
  const write = (partial: boolean) => {
    for (const item of reasoning) recorder.record("reasoning", { model: model.name, item });
    if (Object.keys(usage).length > 0) {
      recorder.record("provider_usage", { model: model.name, usage });
      onUsage(usage);
    }
    const call_ids = partial ? [] : calls.map((call) => call.callId);
    recorder.record("assistant_message", {
      text: said.text(),
      call_ids,
      stop_reason: partial ? "interrupted" : stopReason,
      ...(partial ? { partial: true } : {}),
    });
  };
  const shownText = recorder.deltas("text_delta");
  const shownReasoning = recorder.deltas("reasoning_delta");
  try {
    for await (const part of model.stream(request, { signal })) {
      if (signal.aborted) throw fail("cancelled", `${model.name}: the model call was cancelled`, { model: model.name });
      switch (part.type) {
        case "text_delta":
          checkSize(model, said.length + beside + part.text.length, MAX_SAID);
          said.add(part.text);
          shownText.push(part.text);
          break;
        case "reasoning_delta":
          beside += part.text.length;
          checkSize(model, said.length + beside, MAX_SAID);
          shownReasoning.push(part.text);
          break;
        case "reasoning":
          reasoningChars += JSON.stringify(part.item)?.length ?? 0;
          checkSize(model, reasoningChars, MAX_REASONING);
          reasoning.push(part.item);
          break;
        case "tool_call":
          beside += part.name.length + part.provider_call_id.length;
          argsChars += Math.max(64, part.args_text.length);
          checkSize(model, said.length + beside, MAX_SAID);
          checkSize(model, argsChars, MAX_ARGS);
          calls.push({ callId: nextCallId(), providerCallId: part.provider_call_id, name: part.name, argsText: part.args_text });
          break;
        case "usage":
          usage = part.usage;
          break;
        case "finish":
          stopReason = part.reason;
          break;
      }
      const wait = room();
      if (wait) await wait;
    }
  } catch (error) {
    const isPartial = said.length > 0 || reasoning.length > 0 || calls.length > 0 || Object.keys(usage).length > 0;
    if (isPartial) recordBroken(() => write(true), error);
    throw error;
  } finally {
    shownText.end();
    shownReasoning.end();
  }
  write(false);
  return { text: recorder.redact(said.text()), reasoning, calls, stopReason };
}

function checkSize(model: Model, size: number, limit: number): void {
  if (size <= limit) return;
  const words = `${model.name}: the answer has no end; it was cut at ${limit.toLocaleString("en-US")} characters`;
  throw fail("budget_exceeded", words, { reason: "answer_too_long", limit_chars: limit, model: model.name });
}

/** Records what came of a broken answer. Where that fails too, both are told: how it broke is the cause. */
function recordBroken(write: () => void, broken: unknown): void {
  try {
    write();
  } catch (unrecorded) {
    if (!isFailure(unrecorded)) throw unrecorded;
    const first = isFailure(broken) ? errorBody(broken) : { kind: "internal", message: String(broken), details: {} };
    const { kind, message, details } = unrecorded;
    throw fail(kind, `${message}; before that: ${first.message}`, { ...details, model_error: first }, { cause: broken });
  }
}
