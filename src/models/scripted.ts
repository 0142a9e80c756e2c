import { fail } from "../base/fail.ts";
import { isObject } from "../base/json.ts";
import { plainJson } from "../base/plain-json.ts";
import type { Model, ModelPart, ScriptedStep } from "./port.ts";

/** Characters of one delta: small, so that what shows text as it comes is exercised. */
const DELTA_CHARS = 12;

/**
 * A model that answers from a list: the n-th request gets the n-th step, whatever was asked. For tests, examples and the demo. Past the end
 * of the list it fails the turn with `invalid_response`. Ids of calls are `scripted-STEP-INDEX`, both from 0.
 *
 * A step has text, calls, or both; text comes first. Fails with `invalid_args` on a step that has neither, or is malformed.
 */
export function scripted(steps: readonly ScriptedStep[]): Model {
  if (!Array.isArray(steps)) throw fail("invalid_args", "scripted() takes a list of steps", { reason: "no_list" });
  steps.forEach(checkStep);
  const script = structuredClone(steps);
  let requests = 0;
  return {
    name: "scripted/list",
    stream(_request, { signal }) {
      const index = requests++;
      return answer(script[index], { index, steps: script.length, signal });
    },
  };
}

interface Place {
  readonly index: number;
  readonly steps: number;
  readonly signal: AbortSignal;
}

async function* answer(step: ScriptedStep | undefined, { index, steps, signal }: Place): AsyncGenerator<ModelPart> {
  stopIfAborted(signal, false);
  if (step === undefined) {
    throw fail("invalid_response", `the script has ${steps} steps, and this is request ${index + 1}`, { reason: "script_ended", steps });
  }
  let text = step.text ?? "";
  let delivered = false;
  while (text !== "") {
    const delta = text.slice(0, endOfDelta(text));
    text = text.slice(delta.length);
    yield { type: "text_delta", text: delta };
    delivered = true;
    stopIfAborted(signal, delivered);
  }
  const calls = step.calls ?? [];
  for (const [place, call] of calls.entries()) {
    yield { type: "tool_call", provider_call_id: `scripted-${index}-${place}`, name: call.name, args_text: JSON.stringify(call.args) };
  }
  yield { type: "finish", reason: calls.length > 0 ? "tool_calls" : "stop" };
}

/** A delta never ends between the halves of a surrogate pair. */
function endOfDelta(text: string): number {
  const last = text.charCodeAt(DELTA_CHARS - 1);
  return last >= 0xd800 && last <= 0xdbff ? DELTA_CHARS + 1 : DELTA_CHARS;
}

function stopIfAborted(signal: AbortSignal, partial: boolean): void {
  if (signal.aborted) throw fail("cancelled", "the model call was cancelled", partial ? { partial } : {});
}

function checkStep(step: ScriptedStep, index: number): void {
  const problem = problemOf(step);
  if (problem === null) return;
  throw fail("invalid_args", `step ${index} of the script ${problem}`, { reason: "malformed_step", step: index, problem });
}

function problemOf(step: ScriptedStep): string | null {
  if (!isObject(step)) return "is no object";
  const unknown = Object.keys(step).find((key) => key !== "text" && key !== "calls");
  if (unknown !== undefined) return `has the unknown key ${JSON.stringify(unknown)}; there are text and calls`;
  if (step.text !== undefined && typeof step.text !== "string") return "has a text that is no string";
  if (step.calls !== undefined && !Array.isArray(step.calls)) return "has calls that are no list";
  for (const call of step.calls ?? []) {
    if (!isObject(call) || typeof call.name !== "string" || call.name === "") return "has a call without a name";
    if (!isObject(call.args) || !plainJson(call.args).ok) return `has a call of ${call.name} whose args are no JSON object`;
  }
  return step.text || step.calls?.length ? null : "has neither text nor calls";
}
