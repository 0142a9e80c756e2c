import type { JsonValue } from "../base/json.ts";
import type { BlobRef, LoggedEffect } from "./events.ts";

type Resolve = (blob: BlobRef) => string | undefined;

/** Mime type of a blob that holds JSON; every other blob that the log makes of text holds it as UTF-8. */
export const JSON_MIME = "application/json";

/** The JSON that stands in a blob; `undefined` when it is not at hand or is none. */
export function resolveJson(blob: BlobRef | undefined, resolve: Resolve): JsonValue | undefined {
  const text = blob && resolve(blob);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text that stands in a blob. Text that is no valid Unicode was stored as a JSON string. */
export function resolveText(blob: BlobRef | undefined, resolve: Resolve): string | undefined {
  if (blob?.mime_type !== JSON_MIME) return blob && resolve(blob);
  const text = resolveJson(blob, resolve);
  return typeof text === "string" ? text : undefined;
}

/** The effect with its diff in place, as it was when its plan was hashed, if the blob is at hand. */
export function resolveEffect(effect: LoggedEffect, resolve: Resolve): LoggedEffect {
  if (!effect.diff_blob) return effect;
  const diff = resolveText(effect.diff_blob, resolve);
  if (diff === undefined) return effect;
  const { diff_blob: _, ...rest } = effect;
  // only an exact write has a diff, and so a blob of one
  return { ...rest, diff } as LoggedEffect;
}
