import { asFailure, errorBody, type Failure, fail } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import type { Kind } from "../base/kinds.ts";
import type { Call, Executor, Outcome, Recorder } from "../executor/index.ts";
import type { Model, ModelMessage, ModelTool } from "../models/index.ts";
import { askModel } from "./ask-model.ts";
import type { TurnResult } from "./contract.ts";
import { type Answer, assistantMessage, toolMessage, userMessage } from "./history.ts";

/** What a session keeps between turns. */
export interface TurnState {
  readonly messages: ModelMessage[];
  assigns: JsonObject;
}

export interface TurnParts {
  readonly model: Model;
  readonly system: string;
  readonly tools: readonly ModelTool[];
  readonly executor: Executor;
  readonly recorder: Recorder;
  readonly maxIterations: number;
  readonly nextCallId: () => string;
  /** Running hash of the log up to its last line. */
  readonly head: () => string;
  /** `null`: go on. Else settles when whoever reads the events has room again. Never rejects. */
  readonly room: () => Promise<void> | null;
  readonly signal: AbortSignal;
}

/** One turn: from the user's words to the model's last answer. Never throws: how it ended is in the result and in `turn_ended`. */
export async function runTurn(prompt: string, state: TurnState, parts: TurnParts): Promise<TurnResult> {
  const { signal } = parts;
  let usage: JsonObject = {};
  let text = "";
  const end = async (status: TurnResult["status"], failure: Failure | null): Promise<TurnResult> => {
    const error = failure && parts.recorder.redact(errorBody(failure));
    try {
      parts.recorder.record("turn_ended", { status, error, head: parts.head() });
      await parts.recorder.sync();
      return { status, text, usage, error };
    } catch (cause) {
      // the end could not be recorded: the first failure tells more, when there is one
      const unrecorded = asFailure(cause);
      return { status: "failed", text, usage, error: error ?? parts.recorder.redact(errorBody(unrecorded)) };
    }
  };
  try {
    parts.recorder.record("user_message", { text: prompt });
    state.messages.push(userMessage(parts.recorder.redact(prompt)));
    for (let iteration = 1; ; iteration++) {
      const request = { system: parts.system, messages: [...state.messages], tools: parts.tools };
      await parts.room();
      const answer = await askModel(request, { ...parts, iteration, onUsage: (tokens) => (usage = addUsage(usage, tokens)) });
      text = answer.text;
      state.messages.push(assistantMessage(answer, parts.model.name));
      if (answer.calls.length === 0) return await endOfAnswer(answer, end);

      const isLast = iteration >= parts.maxIterations;
      const outcomes = await runCalls(answer, { state, parts, isLast });
      state.messages.push(toolMessage(answer.calls, outcomes));
      if (signal.aborted) return await end("interrupted", interrupted());
      const endsTurn = outcomes.find((outcome) => outcome.endsTurn)?.endsTurn;
      if (endsTurn) return await end("failed", endsTurn);
      if (isLast) return await end("capped", capped(parts.maxIterations));
    }
  } catch (error) {
    if (signal.aborted) return await end("interrupted", interrupted());
    const failure = asFailure(error);
    return await end(STATUS_OF[failure.kind] ?? "failed", failure);
  }
}

const STATUS_OF: { readonly [kind in Kind]?: TurnResult["status"] } = { cancelled: "interrupted", budget_exceeded: "over_budget" };

type End = (status: TurnResult["status"], failure: Failure | null) => Promise<TurnResult>;

function endOfAnswer(answer: Answer, end: End): Promise<TurnResult> {
  switch (answer.stopReason) {
    case "length":
      return end("over_budget", fail("budget_exceeded", "the answer was cut at the model's output limit", { reason: "max_output_tokens" }));
    case "refusal":
      return end("failed", fail("provider_refusal", "the model or its provider refused to answer", { stop_reason: "refusal" }));
    case "stop":
    case "tool_calls":
    case "other":
      return end("done", null);
  }
}

interface CallsScope {
  readonly state: TurnState;
  readonly parts: TurnParts;
  /** The last iteration: the calls are recorded and not run, since nobody would read their results. */
  readonly isLast: boolean;
}

async function runCalls(answer: Answer, { state, parts, isLast }: CallsScope): Promise<readonly Outcome[]> {
  const calls = answer.calls.map(
    (call): Call => ({ callId: call.callId, providerCallId: call.providerCallId, tool: call.name, args: call.argsText, dryRun: false }),
  );
  const outcomes = await parts.executor.run(calls, {
    signal: isLast ? AbortSignal.abort(capped(parts.maxIterations)) : parts.signal,
    assigns: state.assigns,
  });
  for (const { assigns } of outcomes) if (assigns) state.assigns = Object.freeze({ ...state.assigns, ...assigns });
  return outcomes;
}

function addUsage(total: JsonObject, usage: JsonObject): JsonObject {
  const sum: Record<string, JsonObject[string]> = { ...total };
  for (const [name, tokens] of Object.entries(usage)) {
    const before = sum[name];
    sum[name] = typeof tokens === "number" && typeof before === "number" ? before + tokens : tokens;
  }
  return sum;
}

function interrupted(): Failure {
  return fail("cancelled", "the turn was interrupted");
}

function capped(maxIterations: number): Failure {
  return fail("iteration_cap", `the model still asked for tools after ${maxIterations} requests`, { cap: maxIterations });
}
