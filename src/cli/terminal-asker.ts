import { showLine } from "../base/show.ts";
import type { Answer, Asker, Question } from "../node.ts";
import { CTRL_C, type Keyboard } from "./keyboard.ts";
import type { Output } from "./output.ts";
import { type Pressed, press } from "./question-keys.ts";

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
const HELP_NO = "n      this call is refused, and the model goes on; it reads why, if you say";
const HELP_END = "Ctrl-C the whole turn ends";
const AT_THE_END = {
  prompt: "[y] allow once   [n] deny   [?] help",
  wanted: "yes",
  hint: "press y or n",
  help: [
    "y      this call runs, now; the next one asks again",
    HELP_NO,
    HELP_END,
    "To allow such calls without being asked, start with one of the --allow rules above.",
  ],
} as const;
const ON_THE_WAY = {
  wanted: "more",
  hint: "there is more to read: press space, or n to deny",
  help: ["space  the next page; the call can be allowed when its end is shown", HELP_NO, HELP_END],
} as const;
/** Return to the first column, and erase to the end of the line (ECMA-48, CR and EL). */
const ERASE = "\r\u001b[K";

/**
 * Asks a person at the terminal. The question is shown whole, page by page where it is longer than the screen; then what was typed before
 * is thrown away, a key that is held down too, and only then can it be allowed: nobody can have agreed to what was not on the screen yet.
 * One question at a time.
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
    const answer = await answerTo(await choose(question, keyboard, asking), keyboard, asking);
    const verdict = answer.answer === "allow" ? screen.colors.green("allowed once") : screen.colors.red("denied");
    // what follows begins with a blank line of its own
    await screen.write(`${verdict}\n`);
    return answer;
  } finally {
    keyboard?.close();
    release();
  }
}

/** Shows the question to its end, a page at a time where it is longer than the screen, and returns what was pressed last. */
async function choose(question: Question, keyboard: Keyboard, asking: Asking): Promise<Pressed> {
  const { screen, signal } = asking;
  const lines = asking.render(question).replace(/\n$/, "").split("\n");
  let shown = 0;
  for (;;) {
    // the line of the prompt stands below
    const next = shown + Math.max(1, (screen.rows() ?? Number.POSITIVE_INFINITY) - 1);
    const from = shown;
    await screen.write(`${lines.slice(shown, next).join("\n")}\n`);
    shown = Math.min(next, lines.length);
    const isEnd = shown === lines.length;
    if (from === 0 || isEnd) {
      await screen.flush();
      if (await keyboard.drain(signal)) return "interrupt";
    }
    if (isEnd) return press({ keyboard, screen, signal, ...AT_THE_END });
    const prompt = `[space] more: line ${shown} of ${lines.length}   [n] deny   [?] help`;
    const pressed = await press({ keyboard, screen, signal, prompt, ...ON_THE_WAY });
    if (pressed !== "more") return pressed;
    await screen.write(screen.isScreen ? ERASE : "\n");
  }
}

async function answerTo(pressed: Pressed, keyboard: Keyboard, asking: Asking): Promise<Answer> {
  // what the answer is stands on a line of its own
  await asking.screen.write("\n");
  if (pressed === "interrupt") asking.interrupt();
  if (pressed === "yes") return { answer: "allow" };
  if (pressed === "no_reason") return { answer: "deny" };
  return pressed === "no" ? deny(keyboard, asking) : { answer: "deny", reason: "the question was interrupted" };
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
    if (typed.startsWith("\u001b") && !typed.includes(CTRL_C)) continue;
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
