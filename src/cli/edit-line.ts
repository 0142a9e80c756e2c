import { showLine } from "../base/show.ts";
import { hasCtrlC, type Keyboard, pastedText } from "./keyboard.ts";
import type { Output } from "./output.ts";
import type { Asking, Left } from "./question-keys.ts";
import { widthOf } from "./view/width.ts";

export interface EditLineOptions extends Asking {
  readonly keyboard: Keyboard;
  /** What stands in the line at first. */
  readonly text?: string;
  /** More characters are not taken. */
  readonly maxChars: number;
}

/** `back`: Esc. */
export type EditedLine = { readonly end: "line"; readonly text: string } | { readonly end: "back" | Left };

const PROMPT = "> ";
/** A screen that does not say how wide it is. */
const COLUMNS = 80;
/** Keeps the place of the cursor, and goes back to it (DECSC, DECRC). */
const [KEEP, BACK] = ["\u001b7", "\u001b8"];
const ERASE_LINE = "\u001b[K";
/** Keys that move about, as terminals spell them, in whatever piece they come. */
const KEYS = /\u001b\[[0-9;]*[A-Za-z~]|\u001bO[A-Za-z]|\u001b?[\s\S]/gu;

/**
 * One line, typed or pasted, with the keys that a person expects: arrows, Home and End, Backspace and Delete, Ctrl-A, E, K, U and W; Esc
 * goes back. It keeps to one row of the screen, where a longer line is moved along. What is pasted goes into the line and never ends it.
 */
export async function editLine({ keyboard, screen, signal, text = "", maxChars }: EditLineOptions): Promise<EditedLine> {
  const line: Line = { chars: [...text], at: [...text].length };
  await draw(line, screen);
  for (;;) {
    const typed = await keyboard.next(signal);
    if (typed === null) return ended("gone", screen);
    if (hasCtrlC(typed)) return ended("interrupt", screen);
    if (typed === "\u001b") return ended("back", screen);
    const pasted = pastedText(typed);
    const before = line.chars.length;
    if (pasted !== null) insert(line, pasted.replace(/\r\n?|\n/g, " "), maxChars);
    else {
      for (const [key] of typed.matchAll(KEYS)) {
        if (key === "\r" || key === "\n" || key === "\u0004") {
          await screen.write("\n");
          return { end: "line", text: line.chars.join("").trim() };
        }
        obey(line, key, maxChars);
      }
    }
    await draw(line, screen, before);
  }
}

interface Line {
  chars: string[];
  /** Of the cursor, before the character of this index. */
  at: number;
}

async function ended(end: "back" | Left, screen: Output): Promise<EditedLine> {
  await screen.write("\n");
  return { end };
}

function obey(line: Line, key: string, maxChars: number): void {
  const { chars, at } = line;
  switch (key) {
    case "\u007f":
    case "\b":
      if (at > 0) chars.splice(--line.at, 1);
      return;
    case "\u001b[3~":
      chars.splice(at, 1);
      return;
    case "\u001b[D":
    case "\u001bOD":
      line.at = Math.max(0, at - 1);
      return;
    case "\u001b[C":
    case "\u001bOC":
      line.at = Math.min(chars.length, at + 1);
      return;
    case "\u001b[H":
    case "\u001bOH":
    case "\u001b[1~":
    case "\u0001":
      line.at = 0;
      return;
    case "\u001b[F":
    case "\u001bOF":
    case "\u001b[4~":
    case "\u0005":
      line.at = chars.length;
      return;
    case "\u000b":
      chars.length = at;
      return;
    case "\u0015":
      chars.splice(0, at);
      line.at = 0;
      return;
    case "\u0017": {
      const kept = chars
        .slice(0, at)
        .join("")
        .replace(/\S*\s*$/, "");
      chars.splice([...kept].length, at - [...kept].length);
      line.at = [...kept].length;
      return;
    }
    default:
      insert(line, key, maxChars);
  }
}

/** Control characters, and so what keys of no use here send, are left out. */
function insert(line: Line, text: string, maxChars: number): void {
  const wanted = [...text].filter((char) => char >= " " && char !== "\u007f" && !text.startsWith("\u001b"));
  const fitting = wanted.slice(0, Math.max(0, maxChars - line.chars.length));
  line.chars.splice(line.at, 0, ...fitting);
  line.at += fitting.length;
}

/** The part of the line round the cursor that fits one row. Widths count as the widest that a terminal may draw, so it never breaks. */
async function draw({ chars, at }: Line, screen: Output, before = 0): Promise<void> {
  if (!screen.isScreen) {
    // what was written stays there: typed words are shown, and a correction shows the line anew
    const text = chars.map(showLine).join("");
    await screen.write(chars.length === before + 1 && at === chars.length ? showLine(chars[at - 1] ?? "") : `\n${PROMPT}${text}`);
    return;
  }
  const room = (screen.columns() ?? COLUMNS) - PROMPT.length - 3;
  const cells = chars.map(showLine);
  const fits = (from: number, to: number) => widthOf(cells.slice(from, to).join("")) <= room;
  let from = at;
  while (from > 0 && widthOf(cells.slice(from - 1, at).join("")) <= Math.max(1, Math.floor(room * 0.7))) from--;
  let to = at;
  while (to < cells.length && fits(from, to + 1)) to++;
  while (from > 0 && fits(from - 1, to)) from--;
  const start = from > 0 ? "<" : "";
  const end = to < cells.length ? ">" : "";
  const [left, right] = [cells.slice(from, at).join(""), cells.slice(at, to).join("")];
  await screen.write(`\r${PROMPT}${start}${left}${KEEP}${right}${end}${ERASE_LINE}${BACK}`);
}
