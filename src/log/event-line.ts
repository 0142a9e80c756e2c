import type { Clock } from "../base/clock.ts";
import { type Failure, fail } from "../base/fail.ts";
import type { Ids } from "../base/ids.ts";
import { plainJson } from "../base/plain-json.ts";
import { checkData, EPHEMERAL_TYPES, LOGGED_TYPES } from "./event-check.ts";
import type { EphemeralData, EphemeralEvent, LoggedData, LoggedEvent } from "./events.ts";
import { externalise, INLINE_BYTES, type PutBlob } from "./externalise.ts";

/** No line of a log is longer, its line feed not counted: readers hold one line at a time. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** What every event of one writer has in common. */
export interface Writer {
  readonly sessionId: string;
  /** Number of this writer of the session. */
  readonly epoch: number;
  readonly ids: Ids;
  readonly clock: Clock;
}

/**
 * Makes the event `seq` with its line, and puts what is too large into blobs. The data is checked as a reader will check it, so that
 * nothing is written that could not be read.
 * @param put `null`: nothing is stored, so everything stays in the event.
 * Kinds: log_encode_failed (reason, type, pointer), ephemeral_not_loggable, and those of `put`.
 */
export function encodeEvent<Type extends keyof LoggedData>(
  writer: Writer,
  { seq, type, data }: { readonly seq: number; readonly type: Type; readonly data: LoggedData[Type] },
  put: PutBlob | null,
): { readonly event: LoggedEvent; readonly line: Buffer } {
  const safe = checked(type, data);
  let event = stamp(writer, { seq, type, data: safe });
  let json = JSON.stringify(event);
  if (put && Buffer.byteLength(json) > INLINE_BYTES) {
    event = { ...event, data: externalise(type, safe, put) };
    json = JSON.stringify(event);
  }
  const line = Buffer.from(`${json}\n`);
  if (put && line.length > MAX_LINE_BYTES + 1) throw unencodable(type, { reason: "line_too_long", size_bytes: line.length, pointer: "" });
  // type and data belong together: both are of the parameter `Type`
  return { event: event as LoggedEvent, line };
}

/** An event that is streamed and never stored. */
export function ephemeralEvent<Type extends keyof EphemeralData>(writer: Writer, type: Type, data: EphemeralData[Type]): EphemeralEvent {
  // type and data belong together: both are of the parameter `Type`
  return stamp(writer, { seq: null, type, data }) as EphemeralEvent;
}

function stamp<Type extends string, Data>(writer: Writer, { seq, type, data }: { seq: number | null; type: Type; data: Data }) {
  const { ids, epoch, sessionId: session_id, clock } = writer;
  return { v: 1 as const, seq, epoch, id: ids.event(), session_id, ts: new Date(clock.now()).toISOString(), type, data };
}

/** A frozen copy that is of its type and is JSON: what is listened to later is what was written. */
function checked<Type extends keyof LoggedData>(type: Type, data: LoggedData[Type]): LoggedData[Type] {
  if ((EPHEMERAL_TYPES as readonly string[]).includes(type)) {
    throw fail("ephemeral_not_loggable", `an event of type ${type} is streamed and never logged`, { type });
  }
  if (!LOGGED_TYPES.includes(type)) throw unencodable(type, { reason: "unknown_type", pointer: "" });
  const plain = plainJson(data);
  if (!plain.ok) throw unencodable(type, { reason: "not_json", pointer: plain.pointer, want: `JSON, not ${plain.what}` }, plain.cause);
  const misfit = checkData(type, plain.value);
  if (misfit) throw unencodable(type, { reason: "unfit", ...misfit });
  // a copy of JSON is of the type of its original
  return plain.value as LoggedData[Type];
}

function unencodable(
  type: string,
  details: { reason: string; pointer: string; want?: string; size_bytes?: number },
  cause?: unknown,
): Failure {
  return fail(
    "log_encode_failed",
    `an event of type ${type} cannot be logged: ${details.want ?? details.reason}`,
    { type, ...details },
    { cause },
  );
}
