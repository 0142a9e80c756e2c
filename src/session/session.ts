import { type Failure, fail } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import { type Call, type CallResult, createExecutor, type ExecutorParts, type Explanation, explain } from "../executor/index.ts";
import type { EphemeralEvent, LoggedEvent } from "../log/index.ts";
import type { Model } from "../models/index.ts";
import type { Run, Session, TurnResult } from "./contract.ts";
import { checkPrompt } from "./prompt-limit.ts";
import { createRunStream, type RunStream } from "./run-stream.ts";
import { runTurn, type TurnState } from "./turn.ts";

export interface SessionParts extends ExecutorParts {
  /** `null`: only single calls can be made. */
  readonly model: Model | null;
  readonly system: string;
  readonly maxIterations: number;
  readonly head: () => string;
}

/** A session as the runtime holds it: the door's session, single calls, events in, and an end. */
export interface OwnSession extends Session {
  call(
    tool: string,
    args: JsonObject | string,
    options?: { readonly dryRun?: boolean; readonly signal?: AbortSignal },
  ): Promise<CallResult>;
  /** How a call would be decided, with nothing run, asked or recorded. Does not throw. */
  explain(tool: string, args: JsonObject | string, options?: { readonly signal?: AbortSignal }): Promise<Explanation>;
  /** To be called with every event that the recorder makes. */
  heard(event: LoggedEvent | EphemeralEvent): void;
  /** Interrupts what runs and waits for its end; recording is over afterwards. Safe to call twice. */
  close(): Promise<void>;
}

/** One conversation: one turn at a time, single calls beside it, every call with an id of its own. */
export function createSession(parts: SessionParts): OwnSession {
  const executor = createExecutor(parts);
  const state: TurnState = { messages: [], assigns: Object.freeze({}) };
  const closing = new AbortController();
  const busy = new Set<Promise<unknown>>();
  let calls = 0;
  let stream: RunStream | null = null;
  const nextCallId = () => `c${++calls}`;
  const until = (signal: AbortSignal | undefined) => (signal ? AbortSignal.any([closing.signal, signal]) : closing.signal);
  const track = <T>(work: Promise<T>): Promise<T> => {
    busy.add(work);
    const done = () => busy.delete(work);
    work.then(done, done);
    return work;
  };

  const turn = (model: Model, prompt: string, { signal, events }: { signal: AbortSignal; events: RunStream }): Promise<TurnResult> => {
    const { system, recorder, maxIterations, head } = parts;
    const room = () => events.room(signal);
    const tools = parts.tools.list.map(({ name, description, jsonSchema }) => ({ name, description, parameters: jsonSchema }));
    return runTurn(prompt, state, { model, system, tools, executor, recorder, maxIterations, nextCallId, head, room, signal });
  };

  return {
    id: parts.recorder.sessionId,
    run(prompt, options): Run {
      if (closing.signal.aborted) throw closed(parts.recorder.sessionId);
      if (stream) {
        const details = { reason: "turn_running", session_id: parts.recorder.sessionId };
        throw fail("invalid_args", "a turn of this session is running; one at a time", details);
      }
      if (!parts.model) throw fail("invalid_args", "this runtime has no model; give createRuntime one", { option: "model" });
      checkPrompt(prompt, parts.recorder);
      const own = createRunStream(parts.clock);
      stream = own;
      const result = track(turn(parts.model, prompt, { signal: until(options?.signal), events: own })).finally(() => {
        stream = null;
        own.end();
      });
      result.catch(() => {});
      return { result, [Symbol.asyncIterator]: () => own[Symbol.asyncIterator]() };
    },
    async call(tool, args, options) {
      const call: Call = { callId: nextCallId(), providerCallId: null, tool, args, dryRun: options?.dryRun ?? false };
      const [outcome] = await track(executor.run([call], { signal: until(options?.signal), assigns: state.assigns }));
      if (!outcome) throw fail("internal", "a call had no outcome", { call_id: call.callId });
      if (outcome.assigns) state.assigns = Object.freeze({ ...state.assigns, ...outcome.assigns });
      return outcome.result;
    },
    explain: (tool, args, options) => track(explain(tool, args, parts, { signal: until(options?.signal), assigns: state.assigns })),
    heard(event) {
      stream?.push(event);
    },
    async close() {
      closing.abort();
      await Promise.allSettled(busy);
      parts.recorder.close();
    },
  };
}

function closed(sessionId: string): Failure {
  return fail("session_record_unavailable", `session ${sessionId} is closed`, { session_id: sessionId });
}
