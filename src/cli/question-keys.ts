import { CTRL_C, type Keyboard } from "./keyboard.ts";
import type { Output } from "./output.ts";

/** What a person can press at a question. `no_reason`: no, and the line of the reason ended with it. `gone`: the terminal is, or the question was interrupted. */
export type Pressed = "yes" | "no" | "no_reason" | "more" | "interrupt" | "gone";

export interface Pressing {
  readonly keyboard: Keyboard;
  readonly screen: Output;
  readonly signal: AbortSignal;
  /** The line that says which keys count. */
  readonly prompt: string;
  /** Besides `no`, `interrupt` and `gone`: what counts as an answer here. */
  readonly wanted: "yes" | "more";
  /** What is said, once, to any other key, with the choices below it. */
  readonly hint: string;
  readonly help: readonly string[];
}

/**
 * Writes the prompt and waits for a key that counts. One that comes in one piece with an end of a line counts too, as programs that drive a
 * terminal send it; any longer paste is none, nor is an escape sequence.
 */
export async function press({ keyboard, screen, signal, prompt, wanted, hint, help }: Pressing): Promise<Pressed> {
  await screen.write(`${screen.colors.bold(prompt)} `);
  let isTold = false;
  for (;;) {
    const key = meaningOf(await keyboard.next(signal));
    if (key === "help") {
      await screen.write(`\n${help.map((line) => `  ${line}\n`).join("")}${screen.colors.bold(prompt)} `);
      isTold = false;
    } else if (key === wanted || key === "no" || key === "no_reason" || key === "interrupt" || key === "gone") {
      return key;
    } else if (!isTold) {
      // once is enough for a key that is held down
      await screen.write(`\n${hint}\n${screen.colors.bold(prompt)} `);
      isTold = true;
    }
  }
}

function meaningOf(typed: string | null): Pressed | "help" | "none" {
  if (typed === null || typed === "\u0004") return "gone";
  // also in one piece with other keys: it must never be lost
  if (typed.includes(CTRL_C)) return "interrupt";
  if (/^y(?:\r\n?|\n)?$/i.test(typed)) return "yes";
  if (/^n$/i.test(typed)) return "no";
  if (/^n(?:\r\n?|\n)$/i.test(typed)) return "no_reason";
  // held down, it comes several times at once
  if (/^[ \r\n]+$/.test(typed)) return "more";
  return /^\?(?:\r\n?|\n)?$/.test(typed) ? "help" : "none";
}
