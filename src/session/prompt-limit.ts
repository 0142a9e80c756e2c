import { fail } from "../base/fail.ts";
import type { Recorder } from "../executor/index.ts";

/**
 * A prompt is one line of the log, which ends at 16 MiB: this leaves room for what stands beside it. More than any model's context holds.
 */
export const MAX_PROMPT_BYTES = 16_000_000;
/** A control character or half a surrogate pair is `\uXXXX` in JSON. */
const MAX_BYTES_OF_UNIT = 6;

/** Fails with `invalid_args` when a prompt is no text, or too large to be recorded. Nothing is recorded or sent by then. */
export function checkPrompt(prompt: unknown, recorder: Recorder): void {
  if (typeof prompt !== "string") throw fail("invalid_args", "a prompt is text", { reason: "prompt_no_text", type: typeof prompt });
  if (prompt.length * MAX_BYTES_OF_UNIT <= MAX_PROMPT_BYTES / 2) return;
  // as it will be recorded: a secret's mark can be longer than the secret
  const size = new TextEncoder().encode(JSON.stringify(recorder.redact(prompt))).length;
  if (size <= MAX_PROMPT_BYTES) return;
  const words = `the prompt is too large: ${inEnglish(size)} bytes as a JSON string, and ${inEnglish(MAX_PROMPT_BYTES)} are the limit`;
  throw fail("invalid_args", words, { reason: "prompt_too_large", size_bytes: size, limit_bytes: MAX_PROMPT_BYTES });
}

function inEnglish(count: number): string {
  return count.toLocaleString("en-US");
}
