import { type Failure, fail, isFailure } from "../base/fail.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isObject } from "../base/json.ts";
import { childPointer } from "../base/json-pointer.ts";
import { plainJson } from "../base/plain-json.ts";
import type { Content } from "./contract.ts";

/** Names of the envelope. `id` is the caller's in a batch. */
export const RESERVED_DETAILS = [
  "ok",
  "error",
  "id",
  "call_id",
  "tool",
  "args",
  "dry_run",
  "effects",
  "plan_sha256",
  "decision",
  "value",
  "repairs",
  "bounded",
  "changed_by",
] as const;

type Reserved = (typeof RESERVED_DETAILS)[number];

interface Parts {
  /** The model's text. */
  readonly output: string;
  /** Further text and image parts, after the output. */
  readonly content?: readonly Content[];
  /** Merged into the session's assigns after the batch. */
  readonly assigns?: JsonObject;
}

/** Made by `result()` only, so that a value with a field called `output` stays a value. */
class ToolResult {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The parts of what `result()` made; `null` for anything else, a look-alike or a proxy too. */
  static partsOf(value: unknown): Parts | null {
    return typeof value === "object" && value !== null && #parts in value ? value.#parts : null;
  }
}

export type { ToolResult };

/**
 * What a tool returns when it has more to say than its text: details (plain JSON, flat beside `output` in the envelope), content parts and
 * assigns. The executor's names are refused, by the types and with a TypeError. `exit_code`, if given, is an integer or null, else
 * `tool_failed`; where it is not 0 the envelope says `ok: false`.
 */
export function result<Details extends object>(parts: Parts & { readonly [Name in Reserved]?: never } & Details): ToolResult {
  for (const name of RESERVED_DETAILS) {
    if (Object.hasOwn(parts, name)) throw new TypeError(`result(): "${name}" is the executor's name`);
  }
  return new ToolResult({ ...parts });
}

/** What a tool returned, taken apart. Details, assigns and value are frozen copies. */
export interface Taken {
  readonly output: string;
  readonly content: readonly Content[];
  /** `null`: none were given. */
  readonly assigns: JsonObject | null;
  /** An `exit_code` here, an integer or null, that is not 0 means that a command ran and failed: `ok` is false then, without an error. */
  readonly details: JsonObject;
  /** What was returned, when it was neither text nor a `result()`. */
  readonly value?: JsonValue;
}

/**
 * Takes apart what `execute` returned: text is the output; a `result()` has its parts; nothing (`undefined`) is an empty output; any other
 * JSON is the value, and its JSON text the output. Throws a returned `fail()`, and `tool_failed` with `reason` and `pointer`: `not_json`, or
 * `bad_exit_code` for a detail of that name that is neither an integer nor null (ended by a signal), since `ok` rests on it.
 */
export function takeResult(returned: unknown): Taken {
  if (isReturnedFailure(returned)) throw returned;
  if (returned === undefined) return { output: "", content: [], assigns: null, details: {} };
  if (typeof returned === "string") return { output: returned, content: [], assigns: null, details: {} };
  const parts = ToolResult.partsOf(returned);
  if (parts === null) {
    const value = jsonOf(returned, "");
    return { output: JSON.stringify(value), content: [], assigns: null, details: {}, value };
  }
  const { output, content, assigns, ...details } = parts;
  if (typeof output !== "string") throw notJson("/output", "no text");
  return {
    output,
    content: contentOf(content ?? []),
    assigns: assigns === undefined ? null : objectOf(assigns, "/assigns"),
    details: detailsOf(details),
  };
}

function detailsOf(given: unknown): JsonObject {
  const details = objectOf(given, "");
  const { exit_code: code } = details;
  if (code === undefined || code === null || Number.isInteger(code)) return details;
  throw fail("tool_failed", `the tool returned an exit_code that is neither an integer nor null: ${JSON.stringify(code).slice(0, 100)}`, {
    reason: "bad_exit_code",
    pointer: "/exit_code",
  });
}

function isReturnedFailure(returned: unknown): boolean {
  try {
    return isFailure(returned);
  } catch {
    // a proxy that throws when it is asked for its class is no failure of ours
    return false;
  }
}

function contentOf(content: unknown): readonly Content[] {
  if (!Array.isArray(content)) throw notJson("/content", "no list");
  return content.map((part: unknown, index): Content => {
    const pointer = childPointer("/content", index);
    const { type, text, data, mime_type } = readParts(part, pointer);
    if (type === "text" && typeof text === "string") return { type, text };
    if (type === "image" && data instanceof Uint8Array && typeof mime_type === "string" && IMAGE.test(mime_type)) {
      return { type, data: data.slice(), mime_type };
    }
    throw notJson(pointer, "neither a text part nor an image part (data: Uint8Array, mime_type: image/…)");
  });
}

function readParts(part: unknown, pointer: string): Record<string, unknown> {
  try {
    return { ...(part as object) };
  } catch (cause) {
    throw notJson(pointer, "a member that throws when it is read", cause);
  }
}

const IMAGE = /^image\/[a-z0-9][a-z0-9.+-]*$/;

function objectOf(value: unknown, pointer: string): JsonObject {
  const json = jsonOf(value, pointer);
  if (!isObject(json)) throw notJson(pointer, "no object");
  return json;
}

function jsonOf(value: unknown, pointer: string): JsonValue {
  const copied = plainJson(value);
  if (copied.ok) return copied.value;
  throw notJson(`${pointer}${copied.pointer}`, copied.what, copied.cause);
}

function notJson(pointer: string, what: string, cause?: unknown): Failure {
  return fail("tool_failed", `the tool returned what is not JSON: ${what}, at "${pointer}"`, { reason: "not_json", pointer }, { cause });
}
