import { hasCtrlC, type Keyboard, pastedText } from "./keyboard.ts";
import type { Output } from "./output.ts";
import { keyRow } from "./view/key-row.ts";
import { wrapWords } from "./view/wrap-words.ts";

/** What a question at a terminal works with. */
export interface Asking {
  readonly screen: Output;
  /** Aborted when the question is over. */
  readonly signal: AbortSignal;
}

/** `interrupt`: Ctrl-C. `gone`: the terminal is, or the question was interrupted. */
export type Left = "interrupt" | "gone";

export interface Pressing<Wanted extends string> extends Asking {
  readonly keyboard: Keyboard;
  /** The line that says which keys count. */
  readonly prompt: string;
  /** What a key means here: a letter in lower case or another character, `space`, `escape`; `n line`: `n` with the end of its line. */
  readonly keys: Readonly<Record<string, Wanted>>;
  /** What is said, once, to any other key, with the choices below it. */
  readonly hint: string;
  readonly help: readonly string[];
}

/**
 * Writes the prompt and waits for a key that counts. One that comes in one piece with an end of a line counts too, as programs that drive a
 * terminal send it; any longer paste is none, nor is what the terminal marks as pasted, nor an escape sequence.
 */
export async function press<Wanted extends string>(pressing: Pressing<Wanted>): Promise<Wanted | Left> {
  const { keyboard, screen, signal, prompt, keys, hint, help } = pressing;
  const columns = screen.columns();
  const say = () => screen.write(`${keyRow(prompt, columns).map(screen.colors.bold).join("\n")} `);
  const wide = (text: string) => wrapWords(text, columns);
  await say();
  let isTold = false;
  for (;;) {
    const key = keyOf(await keyboard.next(signal));
    if (key === "gone" || key === "interrupt") return key;
    const wanted = Object.hasOwn(keys, key) ? keys[key] : keys[key.replace(/ line$/, "")];
    if (wanted !== undefined) return wanted;
    if (/^\?(?: line)?$/.test(key)) {
      await screen.write(`\n${wide(help.map((line) => `  ${line}\n`).join(""))}`);
      await say();
      isTold = false;
    } else if (!isTold) {
      // once is enough for a key that is held down
      await screen.write(`\n${wide(hint)}\n`);
      await say();
      isTold = true;
    }
  }
}

/** The name of a key; `""` for what is none. */
function keyOf(typed: string | null): string {
  if (typed === null || typed === "\u0004") return "gone";
  // also in one piece with other keys: it must never be lost
  if (hasCtrlC(typed)) return "interrupt";
  if (pastedText(typed) !== null) return "";
  if (typed === "\u001b") return "escape";
  // held down, it comes several times at once
  if (/^[ \r\n]+$/.test(typed)) return "space";
  const [, key = "", end = ""] = /^([!-~])(\r\n?|\n)?$/.exec(typed) ?? [];
  return key === "" ? "" : `${key.toLowerCase()}${end === "" ? "" : " line"}`;
}
