import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Outcome } from "../executor/index.ts";
import type { AssistantPart, ModelContent, ModelMessage } from "../models/index.ts";

/** One answer of the model, as it came. */
export interface Answer {
  readonly text: string;
  readonly reasoning: readonly JsonValue[];
  readonly calls: readonly AnsweredCall[];
  readonly stopReason: "stop" | "tool_calls" | "length" | "refusal" | "other";
}

export interface AnsweredCall {
  readonly callId: string;
  readonly providerCallId: string;
  readonly name: string;
  readonly argsText: string;
}

export function userMessage(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

/** The answer as it is sent back. Arguments that were no JSON object go back as `{}`: providers refuse anything else, and the result says what was wrong. */
export function assistantMessage(answer: Answer, model: string): ModelMessage {
  const parts: AssistantPart[] = answer.reasoning.map((item) => ({ type: "reasoning", model, item }));
  if (answer.text !== "") parts.push({ type: "text", text: answer.text });
  for (const { providerCallId, name, argsText } of answer.calls) {
    parts.push({ type: "tool_call", provider_call_id: providerCallId, name, args: objectOrEmpty(argsText) });
  }
  return { role: "assistant", parts };
}

export function toolMessage(calls: readonly AnsweredCall[], outcomes: readonly Outcome[]): ModelMessage {
  const results = outcomes.flatMap((outcome, index) => {
    const call = calls[index];
    if (!call) return [];
    const content: ModelContent[] = [{ type: "text", text: outcome.text }, ...outcome.content];
    return [{ provider_call_id: call.providerCallId, name: call.name, content, is_error: outcome.isError }];
  });
  return { role: "tool", results };
}

function objectOrEmpty(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}
