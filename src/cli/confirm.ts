import type { Keyboard } from "./keyboard.ts";
import { type Asking, type Left, press } from "./question-keys.ts";
import { type PagesOptions, showPages } from "./show-pages.ts";

export interface ConfirmOptions extends Asking {
  readonly keyboard: Keyboard;
  /** What is agreed to: safe to show, each line no wider than the screen. */
  readonly lines: readonly string[];
  /** How it is left without a yes, before its end was shown and there. */
  readonly way: PagesOptions["way"];
  /** What `way` is also called at the end. */
  readonly alsoNo?: readonly string[];
  /** The line that says which keys count when all was shown: `y`, and those of no. */
  readonly prompt: string;
  readonly hint: string;
  readonly help: readonly string[];
}

/** Shows the lines to their end, throws away what was typed until then, and waits for a yes or a no. */
export async function confirm(options: ConfirmOptions): Promise<"yes" | "no" | Left> {
  const { keyboard, screen, signal, lines, way, alsoNo = [], prompt, hint, help } = options;
  const pageHelp = ["space  the next page", ...help.filter((line) => !/^y\b/.test(line))];
  const shown = await showPages({ keyboard, screen, signal, lines, way, help: pageHelp });
  if (shown !== "end") return shown === "way" ? "no" : shown;
  const keys = { y: "yes", ...Object.fromEntries([way.key, ...alsoNo].map((key) => [key, "no" as const])) } as const;
  const pressed = await press<"yes" | "no">({ keyboard, screen, signal, prompt, keys, hint, help });
  await screen.write("\n");
  return pressed;
}
