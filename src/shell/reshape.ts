import type { ParameterOperation } from "unbash";
import { knownWord, type Word } from "./word.ts";

type Reshaping = Extract<ParameterOperation, { readonly type: "Remove" | "Replace" | "CaseModification" }>;

/**
 * A known text with a piece taken away, replaced, or in other letters; `null` when that is not told here. `operands`: the words of the operation
 * as in quotes; only those that are text as written are taken, beside `*` in front or behind.
 */
export function reshaped(text: string, operation: Reshaping, operands: readonly Word[]): Word | null {
  if (!/^[\t\n -~]*$/.test(text)) return null;
  switch (operation.type) {
    case "CaseModification":
      if (operation.operand) return null;
      return knownWord(changeCase(text, operation.operator));
    case "Replace": {
      const [pattern, replacement] = operands;
      const isPlain =
        isText(operation.pattern.text) && operation.pattern.text !== "" && replacement?.known && !/[&\\]/.test(replacement.value);
      if (!isPlain || !pattern?.known || !replacement?.known) return null;
      const [from, to] = [pattern.value, replacement.value];
      switch (operation.operator) {
        case "/":
          return knownWord(text.replace(from, () => to));
        case "//":
          if (text.length * to.length > MAX_RESULT) return null;
          return knownWord(text.replaceAll(from, () => to));
        case "/#":
          return knownWord(text.startsWith(from) ? `${to}${text.slice(from.length)}` : text);
        case "/%":
          return knownWord(text.endsWith(from) ? `${text.slice(0, text.length - from.length)}${to}` : text);
      }
      return null;
    }
    case "Remove":
      return remove(text, operation.operator, operation.operand.text);
  }
}

function changeCase(text: string, operator: "^" | "^^" | "," | ",,"): string {
  const change = (part: string): string => (operator.startsWith("^") ? part.toUpperCase() : part.toLowerCase());
  return operator.length === 2 ? change(text) : `${change(text.slice(0, 1))}${text.slice(1)}`;
}

function remove(text: string, operator: "#" | "##" | "%" | "%%", pattern: string): Word | null {
  const isFront = operator.startsWith("#");
  const star = isFront ? pattern.startsWith("*") : pattern.endsWith("*");
  const fixed = star ? (isFront ? pattern.slice(1) : pattern.slice(0, -1)) : pattern;
  if (!isText(fixed) || fixed === "") return null;
  if (!star) {
    if (isFront) return knownWord(text.startsWith(fixed) ? text.slice(fixed.length) : text);
    return knownWord(text.endsWith(fixed) ? text.slice(0, text.length - fixed.length) : text);
  }
  // the shortest or the longest piece that ends, or begins, with the fixed text
  const isLongest = operator.length === 2;
  const at = isFront === isLongest ? text.lastIndexOf(fixed) : text.indexOf(fixed);
  if (at < 0) return knownWord(text);
  return knownWord(isFront ? text.slice(at + fixed.length) : text.slice(0, at));
}

/** In characters: a few steps of such replacements fill a memory. */
const MAX_RESULT = 1 << 20;

/** True for what means itself in a pattern, as written. */
function isText(text: string): boolean {
  return /^[\w ./:,@%+=-]*$/.test(text);
}
