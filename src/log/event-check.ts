import { isObject } from "../base/json.ts";
import { below, type Check, count, fields, type Misfit, orNull, that } from "../base/shape.ts";
import { EPHEMERAL_SHAPES, LOGGED_SHAPES } from "./event-shapes.ts";
import type { Envelope, EphemeralData, EphemeralEvent, LoggedData, LoggedEvent } from "./events.ts";

export const LOGGED_TYPES: readonly (keyof LoggedData)[] = Object.freeze(keysOf(LOGGED_SHAPES));
export const EPHEMERAL_TYPES: readonly (keyof EphemeralData)[] = Object.freeze(keysOf(EPHEMERAL_SHAPES));

const logged = new Map<string, Check>(Object.entries(LOGGED_SHAPES));
const ephemeral = new Map<string, Check>(Object.entries(EPHEMERAL_SHAPES));

/** Why a value is no event of a log. The pointer is a JSON pointer into the event. */
export interface EventProblem extends Misfit {
  readonly kind: "corrupt_log_line" | "ephemeral_not_loggable";
}

const filled = that("a string that is not empty", (value) => typeof value === "string" && value !== "");
const envelope = fields<Envelope<string, object>>({
  v: that("1, the version that this Collet reads", (value) => value === 1),
  seq: orNull(count),
  epoch: count,
  id: filled,
  session_id: filled,
  ts: that(
    "a UTC time in ISO 8601 with milliseconds",
    (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  ),
  type: filled,
  data: that("an object", isObject),
});

/**
 * Checks one parsed line of a log. `undefined`: it is an event, of a type known here (then its data fits) or of one that is not (then it
 * is kept as it is). Members that are not known stand freely beside those that are.
 */
export function checkEvent(value: unknown): EventProblem | undefined {
  const misfit = envelope(value);
  if (misfit) return { kind: "corrupt_log_line", ...misfit };
  // what passed the check above is an envelope
  const { type, seq, data } = value as Envelope<string, object>;
  if (ephemeral.has(type)) return { kind: "ephemeral_not_loggable", pointer: "/type", want: "a type that is logged" };
  if (seq === null) return { kind: "corrupt_log_line", pointer: "/seq", want: "a whole number from 0" };
  const dataMisfit = logged.get(type)?.(data);
  return dataMisfit && { kind: "corrupt_log_line", ...below("data", dataMisfit) };
}

/** Checks data before it becomes an event. The pointer is from the data. */
export function checkData(type: keyof LoggedData, data: unknown): Misfit | undefined {
  return LOGGED_SHAPES[type](data);
}

/** Narrows to the logged types that are known here, data included. */
export function isLoggedEvent(event: Envelope<string, object>): event is LoggedEvent {
  return logged.has(event.type) && checkEvent(event) === undefined;
}

/** Narrows to the streamed types that are known here, data included. */
export function isEphemeralEvent(event: Envelope<string, object>): event is EphemeralEvent {
  const shape = ephemeral.get(event.type);
  return shape !== undefined && event.seq === null && envelope(event) === undefined && shape(event.data) === undefined;
}

/** `Object.keys` with the type that it has for an object whose keys are all written out. */
function keysOf<Shapes extends Record<string, Check>>(shapes: Shapes): (keyof Shapes & string)[] {
  return Object.keys(shapes) as (keyof Shapes & string)[];
}
