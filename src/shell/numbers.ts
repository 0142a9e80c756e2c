/**
 * Where bash computes, it takes the value of a variable for an expression again, and what stands in a subscript of it is run. So all that is
 * computed must be known to be numbers.
 */
import { isSetByBash } from "./environment.ts";
import type { Expanding } from "./expanding.ts";
import { lose, mayDrop } from "./machine.ts";
import type { Word } from "./word.ts";

const DECIMAL = /^[ \t]*[-+]?\d{1,15}[ \t]*$/;

/**
 * The number that a variable holds in an expression; `null`: some number, or nothing that can run a command. A text that is no number would
 * be an error.
 */
export function numberOf(name: string, expanding: Expanding): number | null {
  const number = numberIn(name, expanding);
  if (number === null) mayDrop(expanding.machine, expanding.state);
  return number;
}

function numberIn(name: string, { state, machine }: Expanding): number | null {
  if (state.isUntouched(name)) {
    // what the host's environment holds no script has written
    if (!isSetByBash(name)) return null;
    lose(machine, state, `it computes with $${name}, which bash sets by what it runs`);
    return null;
  }
  const value = state.get(name);
  const words = value.kind === "scalar" ? value.options : (value.elements ?? [null]);
  const isPlain = words.every(
    (word) => word !== null && (word.known ? word.value === "" || DECIMAL.test(word.value) : word.number === true),
  );
  if (!isPlain) lose(machine, state, `it computes with $${name}, whose value is not known to be a number`);
  const [only] = words;
  return value.kind === "scalar" && !value.unset && words.length === 1 && only?.known ? decimal(only.value) : null;
}

/** The same for a word whose text is computed. */
export function numberOfWord(word: Word, raw: string, expanding: Expanding): number | null {
  if (word.known && (word.value === "" || DECIMAL.test(word.value))) {
    const number = decimal(word.value);
    if (number === null && word.value !== "") mayDrop(expanding.machine, expanding.state);
    return number;
  }
  if (word.known && /^[A-Za-z_]\w*$/.test(word.value)) return numberOf(word.value, expanding);
  mayDrop(expanding.machine, expanding.state);
  if (!word.known && word.number) return null;
  lose(expanding.machine, expanding.state, `it computes with ${raw}, whose value is not known to be a number`);
  return null;
}

/** A number as it is written without a leading zero, which would make it octal. */
export function decimal(text: string): number | null {
  const plain = text.trim();
  return /^[-+]?(?:0|[1-9]\d{0,14})$/.test(plain) ? Number(plain) : null;
}
