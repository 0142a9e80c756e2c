import { showLine } from "../base/show.ts";
import type { Answer, Asker, Question } from "../node.ts";
import { CTRL_C, type Keyboard } from "./keyboard.ts";
import type { Output } from "./output.ts";

export interface AskerOptions {
  /** The terminal that the question is shown on. */
  readonly screen: Output;
  /** Takes the keyboard for one question; `null` when there is none any more. */
  readonly keyboard: () => Keyboard | null;
  /** The whole question as text, safe to show. */
  readonly render: (question: Question) => string;
  /** Keeps other output off the screen while a question stands there; returns what lets it go on. */
  readonly hold: () => () => void;
  /** Ctrl-C at a question ends the turn as it does elsewhere. */
  readonly interrupt: () => void;
}

const MAX_REASON_CHARS = 500;
const CHOICES = "[y] allow once   [n] deny   [?] help";
const HELP = [
  "y      this call runs, now; the next one asks again",
  "n      this call is refused, and the model goes on; you may say why, which it reads",
  "Ctrl-C the whole turn ends",
  "To allow such calls without being asked, start with one of the --allow rules above.",
];

/**
 * Asks a person at the terminal. The question is shown whole, then what was typed before is thrown away, and only then does a key count:
 * nobody can have agreed to what was not on the screen yet. One question at a time.
 */
export function createTerminalAsker(options: AskerOptions): Asker {
  let last: Promise<unknown> = Promise.resolve();
  return (question, { signal }) => {
    const turn = last.then(() => ask(question, { ...options, signal }));
    last = turn.catch(() => {});
    return turn;
  };
}

type Asking = AskerOptions & { readonly signal: AbortSignal };

async function ask(question: Question, asking: Asking): Promise<Answer> {
  const { screen, signal, hold } = asking;
  if (signal.aborted) return { answer: "deny" };
  const release = hold();
  const keyboard = asking.keyboard();
  try {
    if (!keyboard) return { answer: "deny", reason: "the terminal is gone" };
    await screen.write(asking.render(question));
    const answer = await choose(keyboard, asking);
    const verdict = answer.answer === "allow" ? screen.colors.green("allowed once") : screen.colors.red("denied");
    await screen.write(`${verdict}\n\n`);
    return answer;
  } finally {
    keyboard?.close();
    release();
  }
}

async function choose(keyboard: Keyboard, asking: Asking): Promise<Answer> {
  const { screen, signal, interrupt } = asking;
  const cancelled: Answer = { answer: "deny", reason: "the question was interrupted" };
  await screen.flush();
  if (await keyboard.drain(signal)) {
    interrupt();
    return cancelled;
  }
  await screen.write(`${screen.colors.bold(CHOICES)} `);
  let isTold = false;
  for (;;) {
    const key = await keyboard.next(signal);
    if (key === "?") {
      await screen.write(`\n${HELP.map((line) => `  ${line}\n`).join("")}${screen.colors.bold(CHOICES)} `);
      isTold = false;
      continue;
    }
    const isAnswer = key === null || key === "\u0004" || key === CTRL_C || /^[yn]$/i.test(key);
    if (!isAnswer) {
      // once is enough for a key that is held down
      if (!isTold) await screen.write("\npress y or n ");
      isTold = true;
      continue;
    }
    // what the answer is stands on a line of its own
    await screen.write("\n");
    if (key === CTRL_C) interrupt();
    if (key === "y" || key === "Y") return { answer: "allow" };
    return key === "n" || key === "N" ? deny(keyboard, asking) : cancelled;
  }
}

async function deny(keyboard: Keyboard, asking: Asking): Promise<Answer> {
  await asking.screen.write("Why? The model reads it. (Enter for no reason) ");
  const reason = await line(keyboard, asking);
  return reason === "" ? { answer: "deny" } : { answer: "deny", reason };
}

/** One line, with backspace; Ctrl-C ends the turn. */
async function line(keyboard: Keyboard, { screen, signal, interrupt }: Asking): Promise<string> {
  const chars: string[] = [];
  for (;;) {
    const typed = await keyboard.next(signal);
    if (typed === null) return "";
    // keys that move about, such as arrows, have no use here
    if (typed.startsWith("\u001b")) continue;
    for (const char of typed) {
      if (char === CTRL_C) {
        await screen.write("\n");
        interrupt();
        return "";
      }
      if (char === "\r" || char === "\n" || char === "\u0004") {
        await screen.write("\n");
        return chars.join("").trim();
      }
      if (char === "\u007f" || char === "\b") {
        const gone = chars.pop();
        if (gone !== undefined) await screen.write("\b \b".repeat(showLine(gone).length));
      } else if (chars.length < MAX_REASON_CHARS && char >= " ") {
        chars.push(char);
        await screen.write(showLine(char));
      }
    }
  }
}
