/** What programs are told to run, by an option or a text of their own. */
import type { Run } from "../doing.ts";
import { knownWord, type Word } from "../word.ts";

/** A text that a program hands to a shell, which reads from the program. */
export function shellText(script: Word): Run {
  if (!script.known) return { script };
  return { words: [knownWord("sh"), knownWord("-c"), script], stdin: { kind: "unknown" } };
}

/** A program that is named with its first words in one text, without a shell, and reads from the one that starts it. */
export function namedProgram(text: Word, more: readonly Word[] = []): Run {
  if (!text.known || /[^\w@%+=:,./ -]/.test(text.value)) return shellText(text);
  const words = text.value.split(" ").filter((word) => word !== "");
  return { words: [...words.map(knownWord), ...more], stdin: { kind: "unknown" } };
}
