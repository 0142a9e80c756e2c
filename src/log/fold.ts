/**
 * The fold: events in, a session as a person reads it out. Pure and free of Node, so that the live view of the command line, the replay
 * of a log and a page in a browser show the same. It never throws, whatever the events hold.
 */
import type { JsonObject } from "../base/json.ts";
import { isEphemeralEvent, isLoggedEvent } from "./event-check.ts";
import type { BlobRef, Envelope, EphemeralEvent, LoggedData, LoggedEvent } from "./events.ts";
import { changeCall, closeCall, endCall, newCall, type Open, type OpenCall, planCall, type Resolve } from "./fold-call.ts";
import type { SessionView, StepView, TurnStatus, TurnView } from "./session-view.ts";

type OpenStep = Open<Omit<StepView, "calls">> & { calls: OpenCall[] };
type OpenTurn = Open<Omit<TurnView, "steps">> & { steps: OpenStep[] };
type OpenSession = Open<Omit<SessionView, "turns">> & { turns: OpenTurn[] };

/** How a fold finds what does not stand in the lines themselves. */
export interface FoldOptions {
  /** The text of a blob, `undefined` when it is not at hand; then its reference stands in the view. Default: nothing is resolved. */
  readonly resolve?: (blob: BlobRef) => string | undefined;
}

/** A session being read, an event at a time. */
export interface Fold {
  /** Takes the next event of one session, logged or streamed. What is no event, and lines of a lower epoch after a higher, is passed over. */
  push(event: Envelope<string, object>): void;
  /** The session as it stands: always the same object, kept up to date by `push`. */
  view(): SessionView;
  /** Says that no event follows: what runs is interrupted, what was only asked for did not run. */
  end(): SessionView;
}

/** A whole log at once. Memory holds the view, which is about as large as the log's own text. */
export function foldSession(events: Iterable<Envelope<string, object>>, options: FoldOptions = {}): SessionView {
  const fold = createFold(options);
  for (const event of events) fold.push(event);
  return fold.end();
}

/** Starts a fold with no event yet. Memory holds the view. */
export function createFold(options: FoldOptions = {}): Fold {
  return new SessionFold(options.resolve ?? (() => undefined));
}

class SessionFold implements Fold {
  readonly #resolve: Resolve;
  readonly #calls = new Map<string, OpenCall>();
  readonly #unknown = new Map<string, number>();
  readonly #session: OpenSession = {
    session_id: null,
    started: null,
    turns: [],
    usage: {},
    events: 0,
    last_seq: -1,
    unknown_types: {},
    repaired_bytes: 0,
  };
  #epoch = 0;

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  view(): SessionView {
    return this.#session;
  }

  end(): SessionView {
    this.#closeTurn("unfinished");
    return this.#session;
  }

  push(event: Envelope<string, object>): void {
    if (isEphemeralEvent(event)) {
      this.#streamed(event);
      return;
    }
    if (typeof event.seq !== "number" || event.epoch < this.#epoch) return;
    this.#epoch = event.epoch;
    this.#session.session_id ??= event.session_id;
    this.#session.events++;
    this.#session.last_seq = Math.max(this.#session.last_seq, event.seq);
    if (isLoggedEvent(event)) {
      this.#logged(event);
      return;
    }
    this.#unknown.set(event.type, (this.#unknown.get(event.type) ?? 0) + 1);
    this.#session.unknown_types = Object.fromEntries(this.#unknown);
  }

  #logged(event: LoggedEvent): void {
    switch (event.type) {
      case "session_started":
        this.#session.started = { ...event.data, ts: event.ts };
        break;
      case "user_message":
        this.#closeTurn("unfinished");
        this.#openTurn(event).resources = event.data.resources ?? [];
        break;
      case "model_request":
        this.#turn(event).steps.push(newStep(event.data));
        break;
      case "reasoning":
        this.#step(event).reasoning++;
        break;
      case "assistant_message": {
        const { text, stop_reason, partial = false } = event.data;
        Object.assign(this.#step(event), { text, stop_reason, partial, streamed_text: "", streamed_reasoning: "" });
        break;
      }
      case "provider_usage": {
        const turn = this.#turn(event);
        turn.usage = sum(turn.usage, event.data.usage);
        this.#session.usage = sum(this.#session.usage, event.data.usage);
        break;
      }
      case "tool_call":
      case "permission_decision":
      case "tool_started":
      case "tool_result":
        this.#ofCall(event);
        break;
      case "log_repaired":
        this.#session.repaired_bytes += event.data.dropped_bytes;
        break;
      case "log_closed":
        break;
      case "turn_ended": {
        const turn = this.#turn(event);
        turn.error = event.data.error;
        turn.ended_ts = event.ts;
        this.#closeTurn(event.data.status);
        break;
      }
      default:
        event satisfies never;
    }
  }

  #ofCall(event: LoggedEvent & { readonly data: { readonly call_id: string } }): void {
    const call = this.#calls.get(event.data.call_id);
    if (event.type === "tool_call" && !call) {
      const asked = newCall(event.data, this.#resolve);
      this.#calls.set(asked.call_id, asked);
      this.#step(event).calls.push(asked);
    }
    if (!call) return;
    const isOpen = call.result === null;
    if (event.type === "permission_decision") {
      planCall(call, event.data, this.#resolve);
      changeCall(call, event.data, this.#resolve);
      call.decision = event.data.decision;
      if (isOpen) call.status = event.data.decision.outcome === "ask" ? "waiting" : "asked";
    }
    if (event.type === "tool_started") {
      planCall(call, event.data, this.#resolve);
      call.started_ts = event.ts;
      if (isOpen) call.status = "running";
    }
    if (event.type === "tool_result") endCall(call, event.data, { ts: event.ts, resolve: this.#resolve });
  }

  #streamed(event: EphemeralEvent): void {
    switch (event.type) {
      case "text_delta":
        this.#step(event).streamed_text += event.data.text;
        break;
      case "reasoning_delta":
        this.#step(event).streamed_reasoning += event.data.text;
        break;
      case "tool_progress": {
        const call = this.#calls.get(event.data.call_id);
        if (call && !call.result) call.progress = event.data.message;
        break;
      }
      default:
        event satisfies never;
    }
  }

  #openTurn({ ts, type, data }: LoggedEvent | EphemeralEvent): OpenTurn {
    const prompt = type === "user_message" ? data.text : null;
    const turn: OpenTurn = {
      prompt,
      resources: [],
      started_ts: ts,
      ended_ts: null,
      steps: [],
      usage: {},
      status: prompt === null ? "calls" : "running",
      error: null,
    };
    this.#session.turns.push(turn);
    return turn;
  }

  /** The open turn. An event outside of one opens one without a prompt: calls that are made without a model. */
  #turn(event: LoggedEvent | EphemeralEvent): OpenTurn {
    const last = this.#session.turns.at(-1);
    return last && isOpen(last) ? last : this.#openTurn(event);
  }

  #step(event: LoggedEvent | EphemeralEvent): OpenStep {
    const { steps } = this.#turn(event);
    const last = steps.at(-1);
    if (last) return last;
    const step = newStep(null);
    steps.push(step);
    return step;
  }

  #closeTurn(status: TurnStatus): void {
    const turn = this.#session.turns.at(-1);
    if (!turn || !isOpen(turn)) return;
    // calls without a model are no turn, so the end of the log does not leave them unfinished
    if (turn.status === "running" || status !== "unfinished") turn.status = status;
    for (const step of turn.steps) step.calls.forEach(closeCall);
  }
}

function isOpen(turn: OpenTurn): boolean {
  return turn.status === "running" || turn.status === "calls";
}

function newStep(request: LoggedData["model_request"] | null): OpenStep {
  return {
    model: request?.model ?? null,
    iteration: request?.iteration ?? null,
    text: null,
    streamed_text: "",
    streamed_reasoning: "",
    stop_reason: null,
    partial: false,
    reasoning: 0,
    calls: [],
  };
}

/** The whole numbers of both, added by name. */
function sum(before: JsonObject, more: JsonObject): JsonObject {
  const total = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(more)) {
    if (Number.isSafeInteger(value)) total.set(name, Number(total.get(name) ?? 0) + Number(value));
  }
  return Object.fromEntries(total);
}
