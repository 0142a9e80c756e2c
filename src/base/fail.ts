import type { JsonObject } from "./json.ts";
import { isKind, type Kind } from "./kinds.ts";

/** A failure of the closed vocabulary. Made by `fail()`; callers branch on `kind`, never on the message. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly kind: Kind;
  readonly details: JsonObject;

  constructor(kind: Kind, message: string, details: JsonObject, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.kind = kind;
    this.details = details;
  }
}

/**
 * Makes a failure to throw: `throw fail("not_found", "…", { path })`. A tool may also return it.
 * @param details plain JSON for the caller to branch on; a tool puts its own word into `details.reason`.
 * @param options `cause`: the error behind it, kept for the host, never shown to the model.
 */
export function fail(kind: Kind, message: string, details: JsonObject = {}, options?: { readonly cause?: unknown }): Failure {
  if (!isKind(kind)) throw new TypeError(`fail(): "${String(kind)}" is no kind; see KINDS`);
  return new Failure(kind, message, details, options);
}

/** Whether the value is a failure of `fail`, made by this copy of the package. */
export function isFailure(value: unknown): value is Failure {
  return value instanceof Failure;
}

/** The error as it stands in envelopes and events. */
export type ErrorBody = {
  readonly kind: Kind;
  readonly message: string;
  readonly details: JsonObject;
};

export function errorBody(failure: Failure): ErrorBody {
  return { kind: failure.kind, message: failure.message, details: failure.details };
}

/** A failure as it is; anything else that was thrown, where only Collet itself can be at fault, as `faultOfCollet`. */
export function asFailure(error: unknown): Failure {
  return isFailure(error) ? error : faultOfCollet(error);
}

/** What was thrown and is no failure of the vocabulary: kind `internal`, the cause kept. */
export function faultOfCollet(error: unknown): Failure {
  return fail("internal", `a fault in Collet: ${thrownText(error)}`, {}, { cause: error });
}

function thrownText(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return "what was thrown cannot be looked at";
  }
}
