import { isObject } from "../base/json.ts";
import type { BlobRef, LoggedData } from "./events.ts";
import { JSON_MIME } from "./resolve-blob.ts";

/** A diff, argument, value or output above this many bytes is a blob of its own. */
export const INLINE_BYTES = 8 * 1024;

export type PutBlob = (bytes: Uint8Array, mimeType: string) => BlobRef;
type Members = Readonly<Record<string, unknown>>;

/**
 * Data with what is above 8 KiB put into blobs: arguments, value and output under the same name with `_blob`; a diff, and the output in
 * the details of an error, with "" in its place. Arguments and values are put as JSON, the others as UTF-8, or as JSON when they are no
 * valid Unicode.
 */
export function externalise<Type extends keyof LoggedData>(type: Type, data: LoggedData[Type], put: PutBlob): LoggedData[Type] {
  // what was moved is optional in the type of the data, and so is the `_blob` in its place
  return rewrite(type, data as Members, put) as LoggedData[Type];
}

function rewrite(type: keyof LoggedData, data: Members, put: PutBlob): Members {
  switch (type) {
    case "tool_call":
      return move(data, "args", toJson(data.args, put));
    case "permission_decision":
    case "tool_started": {
      const rest = move(data, "args", toJson(data.args, put));
      return Array.isArray(data.effects) ? { ...rest, effects: data.effects.map((effect: unknown) => empty(effect, "diff", put)) } : rest;
    }
    case "tool_result": {
      const { error } = data;
      const asked = move(data, "args", toJson(data.args, put));
      const result = move(move(asked, "output", toText(data.output, put)), "value", toJson(data.value, put));
      const details = empty(data.details, "diff", put);
      if (!isObject(error)) return { ...result, details };
      return { ...result, details, error: { ...error, details: empty(empty(error.details, "output", put), "diff", put) } };
    }
    default:
      return data;
  }
}

/** Takes a member out when it became a blob. */
function move(holder: Members, name: string, blob: BlobRef | undefined): Members {
  if (!blob) return holder;
  const { [name]: _, ...rest } = holder;
  return { ...rest, [`${name}_blob`]: blob };
}

/** Leaves "" where a text became a blob: there the member is not optional. */
function empty(holder: unknown, name: string, put: PutBlob): unknown {
  if (!isObject(holder)) return holder;
  const blob = toText(holder[name], put);
  return blob ? { ...holder, [name]: "", [`${name}_blob`]: blob } : holder;
}

function toText(text: unknown, put: PutBlob): BlobRef | undefined {
  if (typeof text !== "string") return undefined;
  return /\p{Surrogate}/u.test(text) ? toJson(text, put) : putLarge(Buffer.from(text), "text/plain", put);
}

function toJson(value: unknown, put: PutBlob): BlobRef | undefined {
  return value === undefined ? undefined : putLarge(Buffer.from(JSON.stringify(value)), JSON_MIME, put);
}

function putLarge(bytes: Uint8Array, mimeType: string, put: PutBlob): BlobRef | undefined {
  return bytes.length > INLINE_BYTES ? put(bytes, mimeType) : undefined;
}
