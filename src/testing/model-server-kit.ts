import { type Clock, systemClock } from "../base/clock.ts";
import { type Failure, isFailure } from "../base/fail.ts";
import { type CreateModelOptions, createModel, type Model, type ModelMessage, type ModelPart, type ModelRequest } from "../models/index.ts";
import type { ModelServer } from "./model-server.ts";

/** The three protocols by the model that speaks each, for tests that run over all. */
export const WIRES = [
  { wire: "messages", id: "anthropic/claude-sonnet-5-5" },
  { wire: "responses", id: "openai/gpt-6.1-sol" },
  { wire: "chat", id: "openai-compatible/qwen" },
] as const;

export const TEST_KEY = { name: "TEST_KEY", value: "sk-test-0123456789abcdef" } as const;

export interface FastClock extends Clock {
  /** What was waited for, in ms. */
  readonly timers: readonly number[];
  /** How many timers have neither been called back nor cancelled. */
  open(): number;
}

/** A real clock that runs fifty times as fast. */
export function fastClock(): FastClock {
  const speed = 50;
  const timers: number[] = [];
  const open = new Set<object>();
  return {
    now: systemClock.now,
    monotonic: () => systemClock.monotonic() * speed,
    timers,
    open: () => open.size,
    timer(ms, callback) {
      timers.push(Math.round(ms));
      const mark = {};
      open.add(mark);
      const cancel = systemClock.timer(ms / speed, () => {
        open.delete(mark);
        callback();
      });
      return () => {
        open.delete(mark);
        cancel();
      };
    },
  };
}

export function modelAt(server: Pick<ModelServer, "baseUrl">, id: string, more: Partial<CreateModelOptions> = {}): Promise<Model> {
  return createModel({ id, baseUrl: server.baseUrl, apiKey: TEST_KEY, clock: fastClock(), random: () => 0.5, ...more });
}

export function user(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

export const READ_TOOL = {
  name: "read",
  description: "Read a file.",
  parameters: {
    type: "object",
    properties: { path: { type: "string" }, limit: { type: "integer" } },
    required: ["path"],
    additionalProperties: false,
  },
};

export function requestOf(messages: readonly ModelMessage[] = [user("hi")]): ModelRequest {
  return { system: "You are a tool.", messages, tools: [READ_TOOL] };
}

export interface Heard {
  readonly parts: readonly ModelPart[];
  readonly text: string;
  readonly failure: Failure | null;
}

/** Asks, and listens to the end, good or bad. Anything but a failure of the closed list is thrown on. */
export async function ask(model: Model, request: ModelRequest = requestOf(), signal = new AbortController().signal): Promise<Heard> {
  const parts: ModelPart[] = [];
  const textOf = () => parts.map((part) => (part.type === "text_delta" ? part.text : "")).join("");
  try {
    for await (const part of model.stream(request, { signal })) parts.push(part);
    return { parts, text: textOf(), failure: null };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { parts, text: textOf(), failure: error };
  }
}

/** What was said, as the next request sends it back. */
export function assistantOf(model: Model, { parts }: Heard): ModelMessage {
  const text = parts.map((part) => (part.type === "text_delta" ? part.text : "")).join("");
  return {
    role: "assistant",
    parts: [
      ...parts.flatMap((part) => (part.type === "reasoning" ? [{ type: "reasoning" as const, model: model.name, item: part.item }] : [])),
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...parts.flatMap((part) =>
        part.type === "tool_call"
          ? [{ type: "tool_call" as const, provider_call_id: part.provider_call_id, name: part.name, args: JSON.parse(part.args_text) }]
          : [],
      ),
    ],
  };
}
