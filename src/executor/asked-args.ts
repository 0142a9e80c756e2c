import { type Failure, fail, isFailure } from "../base/fail.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { plainJson } from "../base/plain-json.ts";
import { parseArgsText } from "../tools/index.ts";

/** The arguments of a call, read once: what is logged, planned and carried out is this copy, whatever the caller does with its own. */
export interface AskedArgs {
  /** As the log says them, also where they cannot be used. */
  readonly logged: JsonValue;
  /** Frozen; or why there are none: `invalid_args`. */
  readonly args: JsonObject | Failure;
}

/** Takes arguments at the door: an object of the host, or the text that a model or a person wrote. Does not throw. */
export function askedArgs(tool: string, given: unknown): AskedArgs {
  if (typeof given === "string") return fromText(given);
  const copied = plainJson(given);
  if (!copied.ok) {
    const message = `there is ${copied.what}, which cannot be taken`;
    return { logged: `(no JSON: there is ${copied.what} at "${copied.pointer}")`, args: refusal(tool, copied.pointer, message) };
  }
  return { logged: copied.value, args: isObject(copied.value) ? copied.value : refusal(tool, "", "one JSON object is wanted") };
}

/** Text that is JSON is logged as that, so that the log reads the same whoever parsed it; what the log cannot say, as the text that it is. */
function fromText(text: string): AskedArgs {
  try {
    const args = parseArgsText(text);
    return { logged: args, args };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { logged: parsed(text), args: error };
  }
}

function parsed(text: string): JsonValue {
  try {
    const plain = plainJson(JSON.parse(text));
    return plain.ok ? plain.value : text;
  } catch {
    return text;
  }
}

function refusal(tool: string, pointer: string, message: string): Failure {
  const place = pointer === "" ? "the arguments" : pointer;
  return fail("invalid_args", `the arguments do not fit ${tool}: ${place} ${message}`, { tool, problems: [{ pointer, message }] });
}
