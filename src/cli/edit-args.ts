import { isObject, type JsonObject } from "../base/json.ts";
import { showLine } from "../base/show.ts";
import type { Question } from "../node.ts";
import { editLine } from "./edit-line.ts";
import type { Keyboard } from "./keyboard.ts";
import { type Asking, type Left, press } from "./question-keys.ts";
import { wrapText } from "./view/wrap-text.ts";
import { wrapWords } from "./view/wrap-words.ts";

export interface EditArgsOptions extends Asking {
  /** The keyboard of the question; `null`: there is none any more. */
  readonly keyboard: () => Keyboard | null;
  /** Edits text in a program of the user's, without the keyboard of the question; `null` when none is set. */
  readonly inEditor: ((text: string, signal: AbortSignal) => Promise<EditedText>) | null;
}

/** What an editor left behind, or why there is nothing, in words. */
export type EditedText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** Longer arguments are nothing for one line. */
const MAX_LINE_CHARS = 2000;

/**
 * Lets a person change the arguments, as JSON: in their editor, or in a line where they have none and the arguments are short. JSON that is
 * broken is said, and can be mended or dropped. `back`: nothing was changed.
 */
export async function editArgs({ args }: Question, options: EditArgsOptions): Promise<JsonObject | "back" | Left> {
  const before = options.inEditor ? `${JSON.stringify(args, null, 2)}\n` : JSON.stringify(args);
  let text = before;
  for (;;) {
    const edited = options.inEditor ? await inEditor(text, options.inEditor, options) : await inLine(text, options);
    if (typeof edited !== "object") return edited;
    text = edited.text;
    if (text.trim() === before.trim()) return said("Nothing was changed.", options);
    const read = argsOf(text);
    if (read.ok) return read.args;
    await options.screen.write(wrapText(`That cannot be taken: ${showLine(read.problem)}\n`, options.screen.columns()));
    const keyboard = options.keyboard();
    if (!keyboard) return "gone";
    const next = await press({
      ...options,
      keyboard,
      prompt: "[e] mend it   [Esc] drop it   [?] help",
      keys: { e: "mend", escape: "back", n: "back" },
      hint: "press e to mend it, or Esc to drop it",
      help: ["e      edit the text again, as it is now", "Esc    back to the question; nothing is changed", "Ctrl-C the whole turn ends"],
    });
    await options.screen.write("\n");
    if (next !== "mend") return next;
  }
}

async function inEditor(
  text: string,
  edit: NonNullable<EditArgsOptions["inEditor"]>,
  options: EditArgsOptions,
): Promise<{ readonly text: string } | "back" | Left> {
  await options.screen.flush();
  const edited = await edit(text, options.signal);
  if (options.signal.aborted) return "gone";
  return edited.ok ? { text: edited.text } : said(edited.problem, options);
}

async function inLine(text: string, options: EditArgsOptions): Promise<{ readonly text: string } | "back" | Left> {
  if (text.length > MAX_LINE_CHARS) return said("These arguments are too long for one line: set VISUAL or EDITOR to change them.", options);
  const keyboard = options.keyboard();
  if (!keyboard) return "gone";
  await options.screen.write(wrapWords("The arguments, as JSON. (Enter when done, Esc to go back)\n", options.screen.columns()));
  const edited = await editLine({ ...options, keyboard, text, maxChars: MAX_LINE_CHARS });
  return edited.end === "line" ? { text: edited.text } : edited.end;
}

async function said(text: string, { screen }: Asking): Promise<"back"> {
  await screen.write(wrapText(`${showLine(text)}\n`, screen.columns()));
  return "back";
}

function argsOf(text: string): { readonly ok: true; readonly args: JsonObject } | { readonly ok: false; readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    // what JSON.parse gives is JSON
    return isObject(value) ? { ok: true, args: value as JsonObject } : { ok: false, problem: "one JSON object is wanted" };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : "it is no JSON" };
  }
}
