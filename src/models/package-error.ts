import type { Failure } from "../base/fail.ts";
import { cutFailure, frameFailure, type Origin, protocolFailure } from "./failure.ts";
import { asFrame, type Frame } from "./frame.ts";

const MESSAGES_EVENTS = /^(message|content_block)_|^(ping|error)$/;

/** Anthropic says that new events may appear at any time and are to be passed over; the package refuses them. */
export function isUnknownEvent(error: unknown): boolean {
  const failed = asFrame(error);
  if (failed?.name !== "AI_TypeValidationError") return false;
  const type = asFrame(failed.value)?.type;
  return typeof type === "string" && !MESSAGES_EVENTS.test(type) && !type.startsWith("response.");
}

/** The failure behind an error of a provider package, be it an error part or thrown. */
export function packageFailure(error: unknown, origin: Origin): Failure {
  const found = asFrame(error);
  switch (found?.name) {
    case "AI_JSONParseError":
      return protocolFailure(origin, "bad_frame", { text: typeof found.text === "string" ? found.text : "", cause: error });
    case "AI_TypeValidationError":
      // an error in a shape that the package does not know is an error nevertheless
      if (asFrame(found.value)?.error) return frameFailure(origin, found.value);
      return protocolFailure(origin, "unexpected_frame", { text: JSON.stringify(found.value) ?? "", cause: error });
    case "AI_InvalidResponseDataError":
      // without data it is the end of a stream that had none
      if (found.data === undefined) return cutFailure(origin, "ended_early");
      return protocolFailure(origin, "unexpected_frame", { text: JSON.stringify(found.data) ?? "", cause: error });
    case "AI_APICallError":
      // what the package makes of an error frame that comes first
      return firstFrameFailure(found, error, origin);
    default:
      if (error instanceof Error) return protocolFailure(origin, "unreadable", { text: error.message, cause: error });
      return frameFailure(origin, error);
  }
}

function firstFrameFailure(call: Frame, error: unknown, origin: Origin): Failure {
  let body: unknown = null;
  try {
    body = typeof call.responseBody === "string" ? JSON.parse(call.responseBody) : null;
  } catch {
    // no JSON: nothing is known but the message
  }
  const inner = asFrame(body);
  if (typeof inner?.name === "string" && inner.name.startsWith("AI_")) return packageFailure(inner, origin);
  if (inner === null) return protocolFailure(origin, "unreadable", { text: String(call.message), cause: error });
  return frameFailure(origin, body);
}
