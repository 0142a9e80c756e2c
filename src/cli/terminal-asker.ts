import type { Answer, Asker, Question } from "../node.ts";
import { chooseRules } from "./choose-rules.ts";
import { type EditedText, editArgs } from "./edit-args.ts";
import { editLine } from "./edit-line.ts";
import { type Keyboard, LEAVE_PASTES, MARK_PASTES } from "./keyboard.ts";
import type { Output } from "./output.ts";
import { type Left, press } from "./question-keys.ts";
import { showPages } from "./show-pages.ts";
import { wrapWords } from "./view/wrap-words.ts";

export interface AskerOptions {
  /** The terminal that the question is shown on. */
  readonly screen: Output;
  /** Takes the keyboard for one question; `null` when there is none any more. */
  readonly keyboard: () => Keyboard | null;
  /** The whole question as text, safe to show. */
  readonly render: (question: Question) => string;
  /** Breaks lines that are wider than the screen. */
  readonly wrap: (text: string) => string;
  /** Edits text in the user's own editor, which has the terminal for itself meanwhile; `null` when none is set. */
  readonly inEditor: ((text: string, signal: AbortSignal) => Promise<EditedText>) | null;
  /** Keeps other output off the screen while a question stands there; returns what lets it go on. */
  readonly hold: () => () => void;
  /** Ctrl-C at a question ends the turn as it does elsewhere. */
  readonly interrupt: () => void;
}

const MAX_REASON_CHARS = 500;
/** More rules than a person would read are not to be kept at a key. */
const MAX_RULES = 50;
/** Of a question that was left, by Ctrl-C or with the terminal. */
const INTERRUPTED: Answer = { answer: "deny", reason: "the question was interrupted" };
const HELP_NO = "n      this call is refused, and the model goes on; it reads why, if you say";
const HELP_END = "Ctrl-C the whole turn ends";

/**
 * Asks a person at the terminal. The question is shown whole, page by page where it is longer than the screen; then what was typed before
 * is thrown away, a key that is held down too, and only then can it be allowed, once or for good, or its arguments be changed: nobody can
 * have agreed to what was not on the screen yet. One question at a time.
 */
export function createTerminalAsker(options: AskerOptions): Asker {
  let last: Promise<unknown> = Promise.resolve();
  return (question, { signal }) => {
    const turn = last.then(() => ask(question, { ...options, signal }));
    last = turn.catch(() => {});
    return turn;
  };
}

/** A question that is open. */
interface Open extends AskerOptions {
  readonly signal: AbortSignal;
  /** Its keyboard, which an editor takes the place of for a while. */
  readonly keys: () => Keyboard | null;
}

async function ask(question: Question, options: AskerOptions & { readonly signal: AbortSignal }): Promise<Answer> {
  const { screen, signal, hold } = options;
  if (signal.aborted) return { answer: "deny" };
  const release = hold();
  let keyboard = options.keyboard();
  const marks = (text: string) => (screen.isScreen ? screen.write(text) : Promise.resolve());
  const { inEditor: edit } = options;
  const inEditor: Open["inEditor"] =
    edit &&
    (async (text, until) => {
      await marks(LEAVE_PASTES);
      keyboard?.close();
      keyboard = null;
      const edited = await edit(text, until);
      keyboard = options.keyboard();
      await marks(MARK_PASTES);
      // what was meant for an editor, which may have ended sooner than was thought, answers nothing
      if (await keyboard?.drain(until)) options.interrupt();
      return edited;
    });
  try {
    if (!keyboard) return { answer: "deny", reason: "the terminal is gone" };
    await marks(MARK_PASTES);
    const answer = await answerTo(question, { ...options, inEditor, keys: () => keyboard });
    // what follows begins with a blank line of its own, and tells of a turn that was ended
    if (answer !== INTERRUPTED) await screen.write(wrapWords(`${verdictOf(answer, screen.colors)}\n`, screen.columns()));
    return answer;
  } finally {
    await marks(LEAVE_PASTES);
    keyboard?.close();
    release();
  }
}

function verdictOf(answer: Answer, colors: Output["colors"]): string {
  if (answer.answer === "deny") return colors.red("denied");
  if (answer.answer === "change") return colors.yellow("changed: it is planned anew");
  return colors.green(answer.remember ? `allowed, and from now on for this ${answer.remember.scope}` : "allowed once");
}

/** Shows the question and whatever a person opens from it, until there is an answer. */
async function answerTo(question: Question, open: Open): Promise<Answer> {
  let isShown = false;
  for (;;) {
    const pressed = isShown ? await choose(question, open) : await show(question, open);
    isShown = true;
    // what the answer is stands on a line of its own
    await open.screen.write("\n");
    const answer = await carryOut(pressed, question, open);
    if (answer === "show") isShown = false;
    else if (answer !== "back") return answer;
  }
}

type Pressed = "yes" | "always" | "no" | "no_reason" | "change" | "show" | Left;

async function show(question: Question, open: Open): Promise<Pressed> {
  const keyboard = open.keys();
  if (!keyboard) return "gone";
  const lines = open.render(question).replace(/\n$/, "").split("\n");
  const way = { key: "n", label: "[n] deny", help: "n to deny" };
  const help = ["space  the next page; the call can be allowed when its end is shown", HELP_NO, HELP_END];
  const shown = await showPages({ ...open, keyboard, lines, way, help });
  if (shown === "end") return choose(question, open);
  return shown === "way" ? "no" : shown;
}

async function choose({ offers, narrowest }: Question, open: Open): Promise<Pressed> {
  const keyboard = open.keys();
  if (!keyboard) return "gone";
  const always = offers.length > 0 && narrowest <= MAX_RULES;
  return press<Exclude<Pressed, Left>>({
    ...open,
    keyboard,
    prompt: ["[y] allow once", ...(always ? ["[a] always"] : []), "[n] deny", "[c] change", "[?] help"].join("   "),
    keys: { y: "yes", n: "no", "n line": "no_reason", c: "change", s: "show", ...(always ? { a: "always" } : {}) },
    hint: `press y${always ? ", a" : ""}, n or c`,
    help: [
      "y      this call runs, now; the next one asks again",
      ...(always ? ["a      this call runs, and such calls from now on: you choose the rules and how long they hold"] : []),
      HELP_NO,
      "c      you change the arguments; the call is planned anew, and asked about again where it has to be",
      "s      show all of the question again",
      HELP_END,
    ],
  });
}

async function carryOut(pressed: Pressed, question: Question, open: Open): Promise<Answer | "back" | "show"> {
  const left = (how: Left): Answer => {
    if (how === "interrupt") open.interrupt();
    return INTERRUPTED;
  };
  const keyboard = open.keys();
  if (!keyboard) return left("gone");
  switch (pressed) {
    case "yes":
      return { answer: "allow" };
    case "no_reason":
      return { answer: "deny" };
    case "show":
      return "show";
    case "no": {
      await open.screen.write(wrapWords("Why? The model reads it. (Enter for no reason, Esc to go back)\n", open.screen.columns()));
      const line = await editLine({ ...open, keyboard, maxChars: MAX_REASON_CHARS });
      if (line.end === "line") return line.text === "" ? { answer: "deny" } : { answer: "deny", reason: line.text };
      return line.end === "back" ? "back" : left(line.end);
    }
    case "always": {
      const remember = await chooseRules(question, { ...open, keyboard });
      if (remember === "back") return "back";
      return typeof remember === "string" ? left(remember) : { answer: "allow", remember };
    }
    case "change": {
      const args = await editArgs(question, { ...open, keyboard: open.keys });
      if (args === "back") return "back";
      return typeof args === "string" ? left(args) : { answer: "change", args };
    }
    default:
      return left(pressed);
  }
}
