import type { Decision } from "../base/decision.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { BlobRef, LoggedContent, LoggedData, LoggedEffect, LoggedError } from "./events.ts";

/** A session as a person reads it, made from its events by the fold. Plain data. */
export interface SessionView {
  readonly session_id: string | null;
  readonly started: (LoggedData["session_started"] & { readonly ts: string }) | null;
  readonly turns: readonly TurnView[];
  /** Tokens of the whole session, summed as in a turn. */
  readonly usage: JsonObject;
  /** Logged events seen; void and streamed ones are not counted. */
  readonly events: number;
  /** Highest `seq` seen; -1 when there is none. */
  readonly last_seq: number;
  /** Types that this Collet does not know, each with how often it came. */
  readonly unknown_types: Readonly<Record<string, number>>;
  /** Repairs that the log tells of, in bytes dropped. */
  readonly repaired_bytes: number;
}

/**
 * How a turn stands. As `turn_ended` says; else `running`, or `unfinished` when the log ends or another turn begins before the turn's end.
 * `calls`: no turn of a model, but calls that a person or program made one by one.
 */
export type TurnStatus = LoggedData["turn_ended"]["status"] | "running" | "unfinished" | "calls";

/** One turn of a session: a person's words, and what came of them. Also a run of calls that no model made. */
export interface TurnView {
  /** `null`: calls without a model. */
  readonly prompt: string | null;
  readonly resources: readonly BlobRef[];
  readonly started_ts: string;
  readonly ended_ts: string | null;
  readonly steps: readonly StepView[];
  /** Whole numbers of `provider_usage` under the provider-free names of the model port, summed over the turn's requests. */
  readonly usage: JsonObject;
  readonly status: TurnStatus;
  readonly error: LoggedError | null;
}

/** One request to the model with its answer and the calls of the answer. */
export interface StepView {
  /** `null` where calls were made without a model. */
  readonly model: string | null;
  readonly iteration: number | null;
  /** The answer's text; `null` until it is whole. */
  readonly text: string | null;
  /** What was streamed of an answer that is not whole yet; empty afterwards. */
  readonly streamed_text: string;
  readonly streamed_reasoning: string;
  readonly stop_reason: string | null;
  readonly partial: boolean;
  /** How many pieces of reasoning the provider gave. */
  readonly reasoning: number;
  readonly calls: readonly CallView[];
}

/**
 * `asked`: nothing but the call is known yet. `waiting`: a rule says ask. `running`: started. `done`: ended well. `exited`: a command ran
 * and exited non-zero. `failed`, `denied`, `cancelled`: by the kind of its error. `interrupted`: started, and no result: its outcome is
 * unknown. `not_run`: asked, never started, and the turn is over.
 */
export type CallStatus =
  | "asked"
  | "waiting"
  | "running"
  | "done"
  | "exited"
  | "failed"
  | "denied"
  | "cancelled"
  | "interrupted"
  | "not_run";

/** One call as far as its events tell, from the model's words to the result. */
export interface CallView {
  readonly call_id: string;
  readonly provider_call_id: string | null;
  readonly name: string;
  /** Absent when they stand in `args_blob` and that was not resolved. */
  readonly args?: JsonValue;
  readonly args_blob?: BlobRef;
  /** Who changed the arguments after the call was asked for, and what they are now; `null`: nobody did. */
  readonly changed: ChangedArgs | null;
  /** What the last plan said; `null` until it is known. */
  readonly effects: readonly LoggedEffect[] | null;
  readonly plan_sha256: string | null;
  /** `mode`: reads that the mode let through. */
  readonly decision: Decision | "mode" | null;
  readonly started_ts: string | null;
  readonly ended_ts: string | null;
  /** What the running tool said last. */
  readonly progress: string | null;
  readonly result: ResultView | null;
  readonly status: CallStatus;
}

/** Arguments that took the place of those that were asked for. `args` is absent when they stand in `args_blob` and that was not resolved. */
export interface ChangedArgs {
  readonly by: "person";
  readonly args?: JsonValue;
  readonly args_blob?: BlobRef;
}

/** What a call gave; a reference stands where the text is in a blob that was not resolved. */
export interface ResultView {
  readonly ok: boolean;
  readonly error: LoggedError | null;
  readonly details: JsonObject;
  readonly output?: string;
  readonly output_blob?: BlobRef;
  readonly value?: JsonValue;
  readonly value_blob?: BlobRef;
  readonly content: readonly LoggedContent[];
}
