import { errorBody, type Failure } from "../base/fail.ts";
import { KINDS } from "../base/kinds.ts";
import { showLine } from "../base/show.ts";
import { envelopeLine } from "./envelope-line.ts";
import { ENDING, statusOf } from "./interrupts.ts";
import type { Output } from "./output.ts";

/** How a command tells its failure: as lines for a person, as a document, or as the envelope of a call that was not made. */
export type FailureForm = "text" | "json" | "envelope";

export interface FailurePlace {
  readonly output: Output;
  readonly form: FailureForm;
  /** How the person starts Collet: it stands where a next action says `collet`. */
  readonly command: string;
}

/**
 * Tells why a command ended: one line, `collet: <message> (<kind>)`, and below it the next actions that the details name in `next_actions`; or,
 * as JSON, one line `{"ok":false,"error":{…}}`, in an envelope with `call_id` null. Returns the exit status of the kind.
 */
export async function reportFailure(failure: Failure, { output, form, command }: FailurePlace): Promise<number> {
  const error = errorBody(failure);
  if (form === "envelope") await output.write(envelopeLine({ ok: false, call_id: null, error }));
  else if (form === "json") await output.write(`${JSON.stringify({ ok: false, error })}\n`);
  else await output.write(failureLines(failure, command, output));
  return exitOfFailure(failure);
}

/** By the kind; of what a signal interrupted, 128 + n. */
function exitOfFailure({ kind, details: { signal } }: Failure): number {
  const ending = ENDING.find((name) => name === signal);
  return kind === "cancelled" && ending ? statusOf(ending) : KINDS[kind].exit;
}

/** Where a command begins: at the start, after a pipe, or after a variable that is set for it. */
const OWN_NAME = /(?<=^(?:.*\| |[A-Z_]+=\S* )?)collet(?= |$)/;

function failureLines({ kind, message, details }: Failure, command: string, { colors }: Output): string {
  const next = Array.isArray(details.next_actions) ? details.next_actions.filter((line) => typeof line === "string") : [];
  // a message made for those who see nothing else ends with the actions: here they stand below it
  const line = next.length > 0 ? (message.split(/\.? Next:\n/)[0] ?? "") : message;
  const actions = next.map((line) => `  try: ${showLine(line.replace(OWN_NAME, () => command))}\n`);
  return `${colors.red("collet:")} ${showLine(line)} ${colors.dim(`(${kind})`)}\n${actions.join("")}`;
}
