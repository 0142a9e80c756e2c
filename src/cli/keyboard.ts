import { closeSync, constants, openSync } from "node:fs";
import { ReadStream } from "node:tty";

/** The keyboard of the controlling terminal, read key by key, whatever standard input is. */
export interface Keyboard {
  /** The next thing typed: one key, or all that was pasted at once. `null`: the terminal is gone, or `signal` aborted. */
  next(signal: AbortSignal): Promise<string | null>;
  /** Throws away what was typed before now, until nothing came for a moment. Ctrl-C typed meanwhile is returned. */
  drain(signal: AbortSignal): Promise<typeof CTRL_C | null>;
  /** Gives the terminal back as it was. */
  close(): void;
}

export const CTRL_C = "\u0003";
/** How long nothing must come for the queue of typed keys to count as empty; a key that is held down repeats every 30 to 50 ms. */
const QUIET_MS = 120;

export function hasKeyboard(): boolean {
  try {
    closeSync(openSync("/dev/tty", constants.O_RDWR | constants.O_NOCTTY));
    return true;
  } catch {
    return false;
  }
}

/** `null` when there is no terminal to read from. */
export function openKeyboard(): Keyboard | null {
  let stream: ReadStream;
  try {
    stream = new ReadStream(openSync("/dev/tty", constants.O_RDWR | constants.O_NOCTTY));
  } catch {
    return null;
  }
  const typed: string[] = [];
  let ended = false;
  let wake = () => {};
  stream.setRawMode(true);
  stream.setEncoding("utf8");
  stream.on("data", (text) => {
    typed.push(String(text));
    wake();
  });
  for (const end of ["end", "error", "close"]) {
    stream.on(end, () => {
      ended = true;
      wake();
    });
  }
  const changed = (signal: AbortSignal, ms?: number) =>
    new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        wake = () => {};
        resolve();
      }
      wake = done;
      signal.addEventListener("abort", done);
    });
  return {
    async next(signal) {
      while (typed.length === 0 && !ended && !signal.aborted) await changed(signal);
      return signal.aborted ? null : (typed.shift() ?? null);
    },
    async drain(signal) {
      do {
        if (typed.some((text) => text.includes(CTRL_C))) return CTRL_C;
        typed.length = 0;
        if (ended || signal.aborted) return null;
        await changed(signal, QUIET_MS);
      } while (typed.length > 0);
      return null;
    },
    close() {
      stream.setRawMode(false);
      stream.destroy();
    },
  };
}
