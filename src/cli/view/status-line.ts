import type { Output } from "../output.ts";

/** One line at the foot of a screen that says what is waited for, and is gone again when something else is to be said. */
export interface StatusLine {
  /** `text` is safe to show and short enough for one line. Nothing happens on what is no screen. */
  show(text: string): Promise<void>;
  /** What takes the line away again; "" when it is not there. To be written before anything else. */
  erase(): string;
}

/** Return to the first column, and erase to the end of the line (ECMA-48, CR and EL). */
const ERASE = "\r\u001b[K";

export function createStatusLine(output: Output): StatusLine {
  let shown = "";
  return {
    async show(text) {
      if (!output.isScreen || text === shown) return;
      shown = text;
      await output.write(ERASE + output.colors.dim(text));
    },
    erase() {
      const erase = shown === "" ? "" : ERASE;
      shown = "";
      return erase;
    },
  };
}
