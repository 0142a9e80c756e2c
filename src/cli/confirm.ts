import { CTRL_C, type Keyboard } from "./keyboard.ts";
import type { Output } from "./output.ts";
import { eraseKeys } from "./show-pages.ts";
import { keyRow } from "./view/key-row.ts";

export interface ConfirmOptions {
  readonly screen: Output;
  readonly keyboard: Keyboard;
  readonly signal: AbortSignal;
  /** What is asked when all was shown: it names the keys y and n. */
  readonly prompt: string;
}

/**
 * Shows the lines to their end, a page at a time where they are more than the screen holds, throws away what was typed until then, and waits for y
 * or n. `null`: Ctrl-C, or the terminal is gone.
 */
export async function confirm(lines: readonly string[], { screen, keyboard, signal, prompt }: ConfirmOptions): Promise<boolean | null> {
  const row = (keys: string) => `${keyRow(keys, screen.columns()).map(screen.colors.bold).join("\n")} `;
  const keysAt = (line: number) => `[space] more: line ${line} of ${lines.length}   [n] no`;
  for (let shown = 0; ; ) {
    // the keys stand below
    const height = keyRow(keysAt(lines.length), screen.columns()).length;
    const next = shown + Math.max(1, (screen.rows() ?? Number.POSITIVE_INFINITY) - height);
    await screen.write(`${lines.slice(shown, next).join("\n")}\n`);
    shown = next;
    if (shown >= lines.length) break;
    await screen.write(row(keysAt(shown)));
    const key = await pressed(keyboard, signal, /^[ \r\n]+$/);
    if (key !== "wanted") return key === "no" ? false : null;
    await screen.write(eraseKeys(keysAt(shown), screen));
  }
  await screen.flush();
  // nobody can have agreed to what was not on the screen yet
  if (await keyboard.drain(signal)) return null;
  await screen.write(row(prompt));
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
