import type { Keyboard } from "./keyboard.ts";
import type { Output } from "./output.ts";
import { type Asking, type Left, press } from "./question-keys.ts";
import { keyRow } from "./view/key-row.ts";

export interface PagesOptions extends Asking {
  readonly keyboard: Keyboard;
  /** Safe to show, each no wider than the screen. */
  readonly lines: readonly string[];
  /** What can be done before the end was shown, beside going on: its key, what that is called, and what it is. */
  readonly way: { readonly key: string; readonly label: string; readonly help: string };
  readonly help: readonly string[];
}

/** Return to the first column, and erase to the end of the line (ECMA-48, CR and EL). */
const ERASE = "\r\u001b[K";
/** The line above, erased as well (CUU and EL). */
const ERASE_ABOVE = "\u001b[A\u001b[K";

/** What takes a row of keys away again that the cursor stands behind. */
function eraseKeys(keys: string, { isScreen, columns }: Output): string {
  return isScreen ? ERASE + ERASE_ABOVE.repeat(keyRow(keys, columns()).length - 1) : "\n";
}

/**
 * Shows lines to their end, a page at a time where they are more than the screen has. What was typed before the first page and before the
 * end stood there is thrown away, a key that is held down too: nobody can have agreed to what was not on the screen yet. Returns what ended
 * it early: `way`, Ctrl-C, or a terminal that is gone.
 */
export async function showPages({ keyboard, screen, signal, lines, way, help }: PagesOptions): Promise<"end" | "way" | Left> {
  let shown = 0;
  const keysAt = (line: number) => `[space] more: line ${line} of ${lines.length}   ${way.label}   [?] help`;
  for (;;) {
    // the keys stand below
    const height = keyRow(keysAt(lines.length), screen.columns()).length;
    const next = shown + Math.max(1, (screen.rows() ?? Number.POSITIVE_INFINITY) - height);
    const from = shown;
    await screen.write(`${lines.slice(shown, next).join("\n")}\n`);
    shown = Math.min(next, lines.length);
    const isEnd = shown === lines.length;
    if (from === 0 || isEnd) {
      await screen.flush();
      if (await keyboard.drain(signal)) return "interrupt";
    }
    if (isEnd) return "end";
    const pressed = await press({
      keyboard,
      screen,
      signal,
      prompt: keysAt(shown),
      keys: { space: "more", [way.key]: "way" },
      hint: `there is more to read: press space, or ${way.help}`,
      help,
    });
    if (pressed !== "more") return pressed;
    await screen.write(eraseKeys(keysAt(shown), screen));
  }
}
