import type { Effect } from "../base/effect.ts";
import { isFailure } from "../base/fail.ts";
import { splitLiteralWords } from "../base/words.ts";

/** Marks the first command of a script when its words are all that the script is; then all else that is planned is what that command does. */
export function markAlone(script: string, effects: readonly Effect[]): readonly Effect[] {
  const [first, ...others] = effects;
  if (first?.kind !== "command") return effects;
  const words = literalWords(script.replace(/^[ \t\n]+|[ \t\n]+$/g, ""));
  const isAlone = words?.length === first.argv.length && words.every((word, index) => word === first.argv[index]);
  return isAlone ? [{ ...first, alone: true }, ...others] : effects;
}

/** `null` when the words can only be told by running or looking up something. */
function literalWords(text: string): readonly string[] | null {
  try {
    return splitLiteralWords(text);
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}
