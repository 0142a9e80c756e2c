import type { JsonValue } from "./json.ts";
import { childPointer } from "./json-pointer.ts";

/** Deeper values are refused: hashing, logging and most readers of JSON go down by recursion. */
export const MAX_JSON_DEPTH = 200;
/** More values than this are refused: a small value can name one list a billion times. */
const MAX_JSON_NODES = 1_000_000;

/** A frozen copy, or the pointer of the first place that JSON cannot say and what stands there. */
export type PlainJson =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly pointer: string; readonly what: string; readonly cause?: unknown };

/**
 * Copies what is plain JSON: null, booleans, finite numbers, text, lists without holes, and objects without a class, whatever their keys
 * (`__proto__` too). Members that are `undefined` are left out. All else is refused, also what has a `toJSON`. Each member is read once;
 * a getter or proxy that throws is refused with its cause.
 */
export function plainJson(value: unknown): PlainJson {
  if (typeof value === "object" && value !== null && copies.has(value)) return { ok: true, value: value as JsonValue };
  const walk: Walk = { nodes: 0, above: new Set() };
  try {
    const copied = copy(value, { pointer: "", depth: 0, walk });
    if (typeof copied === "object" && copied !== null) copies.add(copied);
    return { ok: true, value: copied };
  } catch (error) {
    if (error instanceof NotPlain) return { ok: false, pointer: error.pointer, what: error.what, cause: error.cause };
    throw error;
  }
}

/** What was made here is frozen and plain: a copy of it would be the same again. */
const copies = new WeakSet<object>();

interface Walk {
  nodes: number;
  readonly above: Set<object>;
}

interface Place {
  readonly pointer: string;
  readonly depth: number;
  readonly walk: Walk;
}

class NotPlain {
  readonly pointer: string;
  readonly what: string;
  readonly cause: unknown;

  constructor({ pointer }: Place, what: string, cause?: unknown) {
    this.pointer = pointer;
    this.what = what;
    this.cause = cause;
  }
}

function copy(value: unknown, place: Place): JsonValue {
  const { depth, walk } = place;
  walk.nodes += 1;
  if (walk.nodes > MAX_JSON_NODES) throw new NotPlain(place, `more than ${MAX_JSON_NODES} values`);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new NotPlain(place, String(value));
  }
  if (typeof value !== "object") throw new NotPlain(place, typeof value);
  if (depth >= MAX_JSON_DEPTH) throw new NotPlain(place, walk.above.has(value) ? "a cycle" : `nested deeper than ${MAX_JSON_DEPTH} levels`);
  if (walk.above.has(value)) throw new NotPlain(place, "a cycle");
  walk.above.add(value);
  const copied = Object.freeze(members(value, place));
  walk.above.delete(value);
  return copied;
}

function members(value: object, place: Place): JsonValue {
  const below = (key: string | number): Place => ({
    pointer: childPointer(place.pointer, key),
    depth: place.depth + 1,
    walk: place.walk,
  });
  // a proxy may throw at any look at the value
  const look = <T>(read: () => T, at: Place): T => {
    try {
      return read();
    } catch (cause) {
      throw new NotPlain(at, "a member that throws when it is read", cause);
    }
  };
  if (look(() => Array.isArray(value), place)) {
    const list = value as readonly unknown[];
    const length = look(() => list.length, place);
    const items: JsonValue[] = [];
    for (let index = 0; index < length; index++) {
      const at = below(index);
      items.push(
        copy(
          look(() => list[index], at),
          at,
        ),
      );
    }
    return items;
  }
  const name = look(() => classOf(value), place);
  if (name !== null) throw new NotPlain(place, name);
  const entries: [string, JsonValue][] = [];
  for (const key of look(() => Object.keys(value), place)) {
    const at = below(key);
    const member = look(() => (value as Record<string, unknown>)[key], at);
    if (member !== undefined) entries.push([key, copy(member, at)]);
  }
  // defines own members, so that `__proto__` is one like any other
  return Object.fromEntries(entries);
}

/** `null` for an object without a class, of whatever realm. */
function classOf(value: object): string | null {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return null;
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${name.slice(0, 60)}` : "an instance of a class";
}
