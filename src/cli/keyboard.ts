import { closeSync, constants, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { ReadStream } from "node:tty";

/** The keyboard of the controlling terminal, read key by key, whatever standard input is. */
export interface Keyboard {
  /**
   * The next thing typed: one key, or all that came at once. What was pasted where the terminal marks that comes whole and with its marks:
   * see `pastedText`. `null`: the terminal is gone, or `signal` aborted.
   */
  next(signal: AbortSignal): Promise<string | null>;
  /** Throws away what was typed before now, until nothing came for so long that no key is held down. Ctrl-C typed meanwhile is returned. */
  drain(signal: AbortSignal): Promise<typeof CTRL_C | null>;
  /** Gives the terminal back as it was. */
  close(): void;
}

export const CTRL_C = "\u0003";
/** Asks the terminal to mark what is pasted, and takes that back; one that does not know it ignores both. */
export const MARK_PASTES = "\u001b[?2004h";
export const LEAVE_PASTES = "\u001b[?2004l";
const PASTE = "\u001b[200~";
const PASTE_END = "\u001b[201~";
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

/** The text of a paste without its marks; `null` for what was typed. */
export function pastedText(typed: string): string | null {
  return typed.startsWith(PASTE) ? typed.slice(PASTE.length).replace(PASTE_END, "") : null;
}

/** True when Ctrl-C was typed, alone or with other keys; one that was pasted is text. */
export function hasCtrlC(typed: string): boolean {
  return pastedText(typed) === null && typed.includes(CTRL_C);
}

export function keyboardOf(stream: KeyStream): Keyboard {
  const typed: string[] = [];
  const pieces = createPieces();
  let ended = false;
  let wake = () => {};
  stream.setEncoding("utf8");
  stream.on("data", (text) => {
    typed.push(...pieces(String(text)));
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
        if (typed.some(hasCtrlC)) return CTRL_C;
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

/** Takes pastes out of what comes, each whole, however it is cut. Ctrl-C alone ends one whose end never comes. */
function createPieces(): (text: string) => readonly string[] {
  let open: string | null = null;
  return (text) => {
    const found: string[] = [];
    let rest = text;
    while (rest !== "") {
      if (open !== null) {
        if (rest === CTRL_C) {
          open = null;
          found.push(rest);
          break;
        }
        // the mark of the end may itself be cut
        const whole: string = open + rest;
        const end = whole.indexOf(PASTE_END);
        if (end < 0) {
          open = whole;
          break;
        }
        found.push(whole.slice(0, end + PASTE_END.length));
        rest = whole.slice(end + PASTE_END.length);
        open = null;
        continue;
      }
      const start = rest.indexOf(PASTE);
      if (start !== 0) found.push(start < 0 ? rest : rest.slice(0, start));
      open = start < 0 ? null : PASTE;
      rest = start < 0 ? "" : rest.slice(start + PASTE.length);
    }
    return found;
  };
}
