import { fail, isFailure } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import { splitLiteralWords } from "../base/words.ts";
import { refuseBrokenText } from "./file-change.ts";

/** Of all arguments together; a system takes some MiB, and 128 KiB in one. */
const MAX_ARGS_BYTES = 1024 * 1024;
const MAX_ARGS = 10_000;

/**
 * The arguments of a call with a text in the place of the list of words: split as a shell splits words that mean themselves. `said` is the
 * repair; `null`: there was none to make. Kind: invalid_args (`pointer`, `reason: "not_literal"`, `hint`) where the split is not certain.
 */
export function withSplitArgs(asked: JsonObject): { readonly args: JsonObject; readonly said: string | null } {
  const { args } = asked;
  // the general repair reads a list that was sent as its JSON
  if (typeof args !== "string" || isJsonList(args)) return { args: asked, said: null };
  const words = splitWords(args);
  return {
    args: { ...asked, args: words },
    said: `/args: the text was split into ${words.length} ${words.length === 1 ? "word" : "words"}`,
  };
}

function isJsonList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

function splitWords(text: string): readonly string[] {
  try {
    return splitLiteralWords(text.trim());
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { problem } = error.details;
    throw fail("invalid_args", `/args is a text, and how it splits into words is not certain (${problem}); there is no shell here`, {
      pointer: "/args",
      reason: "not_literal",
      ...(problem === undefined ? {} : { problem }),
      hint: 'give a list with one item for each word, such as ["log", "--oneline"]',
    });
  }
}

/** Kind: invalid_args (`pointer`, `reason`: `nul`, `lone_surrogate`, `too_long`). */
export function checkArgs(args: readonly string[]): void {
  for (const [index, arg] of args.entries()) {
    const pointer = `/args/${index}`;
    if (arg.includes("\0")) throw fail("invalid_args", `${pointer} holds a NUL, which no argument can`, { reason: "nul", pointer });
    refuseBrokenText(arg, pointer);
  }
  const bytes = new TextEncoder().encode(args.join("\0")).length;
  if (args.length <= MAX_ARGS && bytes <= MAX_ARGS_BYTES) return;
  throw fail("invalid_args", `/args has ${args.length} words of ${bytes} bytes; ${MAX_ARGS} and ${MAX_ARGS_BYTES} are the most`, {
    reason: "too_long",
    pointer: "/args",
  });
}
