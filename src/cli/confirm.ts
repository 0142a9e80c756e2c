import { CTRL_C, type Keyboard } from "./keyboard.ts";
import type { Output } from "./output.ts";

export interface ConfirmOptions {
  readonly screen: Output;
  readonly keyboard: Keyboard;
  readonly signal: AbortSignal;
  /** What is asked when all was shown: it names the keys y and n. */
  readonly prompt: string;
}

/** Return to the first column, and erase to the end of the line (ECMA-48, CR and EL). */
const ERASE = "\r\u001b[K";

/**
 * Shows the lines to their end, a page at a time where they are more than the screen holds, throws away what was typed until then, and waits for y
 * or n. `null`: Ctrl-C, or the terminal is gone.
 */
export async function confirm(lines: readonly string[], { screen, keyboard, signal, prompt }: ConfirmOptions): Promise<boolean | null> {
  for (let shown = 0; ; ) {
    // the line of the prompt stands below
    const next = shown + Math.max(1, (screen.rows() ?? Number.POSITIVE_INFINITY) - 1);
    await screen.write(`${lines.slice(shown, next).join("\n")}\n`);
    shown = next;
    if (shown >= lines.length) break;
    await screen.write(screen.colors.bold(`[space] more: line ${shown} of ${lines.length}   [n] no `));
    const key = await pressed(keyboard, signal, /^[ \r\n]+$/);
    if (key !== "wanted") return key === "no" ? false : null;
    await screen.write(screen.isScreen ? ERASE : "\n");
  }
  await screen.flush();
  // nobody can have agreed to what was not on the screen yet
  if (await keyboard.drain(signal)) return null;
  await screen.write(screen.colors.bold(`${prompt} `));
  const key = await pressed(keyboard, signal, /^y(?:\r\n?|\n)?$/i);
  await screen.write("\n");
  return key === "wanted" ? true : key === "no" ? false : null;
}

async function pressed(keyboard: Keyboard, signal: AbortSignal, wanted: RegExp): Promise<"wanted" | "no" | "gone"> {
  for (;;) {
    const typed = await keyboard.next(signal);
    if (typed === null || typed === "\u0004" || typed.includes(CTRL_C)) return "gone";
    if (wanted.test(typed)) return "wanted";
    if (/^n(?:\r\n?|\n)?$/i.test(typed)) return "no";
  }
}
