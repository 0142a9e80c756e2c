import type { Decision, DecisionSource, Mode, Recovery } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";

/** One line of the log and of every `--json` stream. Key order is fixed as written here. */
export interface Envelope<Type extends string, Data> {
  /** Version of the envelope. Raised only when a reader of the old one would be wrong. */
  readonly v: 1;
  /** From 0, without gaps; `null` on events that are streamed but never logged. */
  readonly seq: number | null;
  /** Number of the writer, raised by each take-over of the session; a line of a lower epoch after a higher one is void. */
  readonly epoch: number;
  readonly id: string;
  readonly session_id: string;
  /** UTC, ISO 8601 with milliseconds. Never used for order. */
  readonly ts: string;
  readonly type: Type;
  readonly data: Data;
}

/** Bytes too long for a line, kept in the session's `blobs/` under their SHA-256 (hex, lower case). */
export type BlobRef = {
  readonly sha256: string;
  readonly size_bytes: number;
  readonly mime_type: string;
};

/** An error as it was logged. Not every `kind` need be one of `KINDS`: a later Collet, whose log this may be, may know more of them. */
export type LoggedError = {
  readonly kind: string;
  readonly message: string;
  readonly details: JsonObject;
};

/** A logged effect. A `diff` above 8 KiB is "" here and stands in `diff_blob`; `plan_sha256` is over the effect as it was. */
export type LoggedEffect = Effect & { readonly diff_blob?: BlobRef };
/** A part of a result for the model, as the log holds it: pictures stand in blobs. */
export type LoggedContent = { readonly type: "text"; readonly text: string } | { readonly type: "image"; readonly blob: BlobRef };

/** Logged events. New types may be added at any time; a reader keeps what it does not know. */
export interface LoggedData {
  session_started: {
    readonly collet: string;
    readonly workspace: string;
    readonly cwd: string;
    readonly mode: Mode;
    /** The session makes a plan and changes nothing. */
    readonly plan?: true;
    readonly rules: readonly { readonly rule: string; readonly effect: "allow" | "ask" | "deny"; readonly source: DecisionSource }[];
    readonly write_policy_sha256?: string;
    readonly tools_sha256: string;
  };
  user_message: { readonly text: string; readonly resources?: readonly BlobRef[] };
  model_request: { readonly model: string; readonly request_sha256: string; readonly iteration: number };
  assistant_message: { readonly text: string; readonly call_ids: readonly string[]; readonly stop_reason: string; readonly partial?: true };
  reasoning: { readonly model: string; readonly item: JsonValue };
  provider_usage: { readonly model: string; readonly usage: JsonObject };
  tool_call: {
    readonly call_id: string;
    readonly provider_call_id: string | null;
    readonly name: string;
    readonly args?: JsonValue;
    readonly args_blob?: BlobRef;
  };
  permission_decision: {
    readonly call_id: string;
    readonly plan_sha256: string;
    readonly effects: readonly LoggedEffect[];
    readonly decision: Decision;
    /** Of a plan made from arguments that were changed after `tool_call`: by whom, and what they are now. */
    readonly changed_by?: "person";
    readonly args?: JsonValue;
    readonly args_blob?: BlobRef;
    /** Allow rules that were kept with this decision, and how long they hold. */
    readonly remembered?: { readonly rules: readonly string[]; readonly scope: "session" | "workspace" };
  };
  /** Once for each attempt that began: more than one when a file changed just before anything was done, and the call was planned again. */
  tool_started: {
    readonly call_id: string;
    readonly plan_sha256: string;
    readonly effects: readonly LoggedEffect[];
    readonly recovery: Recovery;
    readonly before_images: readonly BlobRef[];
    /** Of a call that may do more than is known: the guarded files as they were before it. */
    readonly evidence?: readonly { readonly path: string; readonly mode: number; readonly blob: BlobRef }[];
  };
  tool_result: {
    readonly call_id: string;
    readonly ok: boolean;
    readonly error?: LoggedError;
    readonly details: JsonObject;
    readonly output?: string;
    readonly output_blob?: BlobRef;
    readonly value?: JsonValue;
    readonly value_blob?: BlobRef;
    readonly content?: readonly LoggedContent[];
    readonly assigns?: JsonObject;
    /** As in `permission_decision`: the arguments that ran, or failed, where they are not those of `tool_call`. */
    readonly changed_by?: "person";
    readonly args?: JsonValue;
    readonly args_blob?: BlobRef;
    /** `mode`: only reads, let through by the mode; such a call has no `permission_decision` of its own. */
    readonly decision?: "mode";
  };
  log_repaired: { readonly dropped_bytes: number; readonly after_seq: number };
  /** The end of a log that was closed in good order and whose last event ended no turn, such as one of single calls. `head` as in `turn_ended`. */
  log_closed: { readonly head: string };
  turn_ended: {
    readonly status: "done" | "failed" | "interrupted" | "capped" | "suspended" | "over_budget";
    readonly error: LoggedError | null;
    /** Running hash of the log up to the line before this one. */
    readonly head: string;
  };
}

/** Streamed to front doors, never logged. */
export interface EphemeralData {
  text_delta: { readonly text: string };
  reasoning_delta: { readonly text: string };
  tool_progress: { readonly call_id: string; readonly message: string };
}

type EventOf<Map> = { [Type in keyof Map & string]: Envelope<Type, Map[Type]> }[keyof Map & string];
/** A line of the log: an event that survives the process. */
export type LoggedEvent = EventOf<LoggedData>;
/** An event that is only streamed: `seq` is null, and it is gone once it was heard. */
export type EphemeralEvent = EventOf<EphemeralData>;
/**
 * Any line that parses, known or not. Narrow it with `isLoggedEvent`. Whatever stands in a logged event is written as a `type`, not as an
 * `interface`: only so does the type checker take it for JSON.
 */
export type AnyEvent = Envelope<string, JsonObject>;
