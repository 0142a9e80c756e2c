import { closeSync, constants, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { ReadStream } from "node:tty";

/** The keyboard of the controlling terminal, read key by key, whatever standard input is. */
export interface Keyboard {
  /** The next thing typed: one key, or all that was pasted at once. `null`: the terminal is gone, or `signal` aborted. */
  next(signal: AbortSignal): Promise<string | null>;
  /** Throws away what was typed before now, until nothing came for so long that no key is held down. Ctrl-C typed meanwhile is returned. */
  drain(signal: AbortSignal): Promise<typeof CTRL_C | null>;
  /** Gives the terminal back as it was. */
  close(): void;
}

export const CTRL_C = "\u0003";
/**
 * How long nothing must come for the queue of typed keys to count as empty. A key that is held down comes again only after a while, by
 * default 500 ms on Windows, GNOME and KDE, 660 on X11; then every 30 to 50 ms.
 */
export const QUIET_MS = 700;

/** The part of a terminal's stream that a keyboard needs. */
export interface KeyStream extends Readable {
  setRawMode(on: boolean): unknown;
}

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
  try {
    return keyboardOf(new ReadStream(openSync("/dev/tty", constants.O_RDWR | constants.O_NOCTTY)));
  } catch {
    return null;
  }
}

export function keyboardOf(stream: KeyStream): Keyboard {
  const typed: string[] = [];
  let ended = false;
  let wake = () => {};
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
  // after the listener for errors: a terminal that is gone tells it here
  stream.setRawMode(true);
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
