import { type Doing, declared, type FileUse, open, type Program } from "../doing.ts";
import { fileUses } from "../program.ts";
import type { Word } from "../word.ts";

/** Operators before one operand: what that is to them. `-v` and `-R` are none of them, since bash computes what stands in their operand. */
const UNARY = new Map<string, "text" | "stat">([
  ...["-n", "-z", "-t", "-o"].map((name) => [name, "text"] as const),
  ...[..."abcdefgGhkLNOprsSuwx"].map((letter) => [`-${letter}`, "stat"] as const),
]);

/** Operators between two operands. */
const BINARY = new Map<string, "text" | "stat">([
  ...["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"].map((name) => [name, "text"] as const),
  ...["-nt", "-ot", "-ef"].map((name) => [name, "stat"] as const),
]);

/**
 * `test` and `[`. A word whose value is not known is an operand only where the words around it leave no other reading: as an operator it
 * could be `-v`.
 */
export const testCommand: Program = ({ name, args }): Doing => {
  const last = args.at(-1);
  if (name === "[" && !(last?.known && last.value === "]")) return open();
  const words = name === "[" ? args.slice(0, -1) : args;
  if (words.some((word) => !word.known && !word.single)) return open();
  const files = condition(words);
  return files === null ? open() : declared({ files });
};

/** `null`: it can be read in more than one way, or holds what is not known. */
function condition(words: readonly Word[]): readonly FileUse[] | null {
  const [first, second, third] = words;
  if (!first) return [];
  if (!second) return [];
  if (words.length === 3 && third) {
    const role = BINARY.get(textOf(second));
    if (role !== undefined) return [...fileUses(role, first), ...fileUses(role, third)];
  }
  if (words.length === 2) {
    if (textOf(first) === "!") return [];
    const role = UNARY.get(textOf(first));
    return role === undefined ? null : fileUses(role, second);
  }
  if (words.length <= 4 && textOf(first) === "!") return condition(words.slice(1));
  if (words.length <= 4 && textOf(first) === "(" && textOf(words.at(-1)) === ")") return condition(words.slice(1, -1));
  return joined(words);
}

/** Conditions joined by `-a` and `-o`: each must be of a form in which every word but its operands is known. */
function joined(words: readonly Word[]): readonly FileUse[] | null {
  const files: FileUse[] = [];
  let at = 0;
  for (;;) {
    while (textOf(words[at]) === "!") at += 1;
    const binary = BINARY.get(textOf(words[at + 1]));
    const unary = UNARY.get(textOf(words[at]));
    const size = binary !== undefined ? 3 : 2;
    const part = words.slice(at, at + size);
    // `! = x` and `-n = x` are told apart by the number of words only, and differently by each shell
    if (part.length < size || (binary === undefined && unary === undefined) || (binary !== undefined && unary !== undefined)) return null;
    for (const operand of size === 3 ? [part[0], part[2]] : [part[1]])
      if (operand) files.push(...fileUses(binary ?? unary ?? "text", operand));
    at += size;
    if (at === words.length) return files;
    if (textOf(words[at]) !== "-a" && textOf(words[at]) !== "-o") return null;
    at += 1;
  }
}

/** The text of a known word; of any other one that is no operator. */
function textOf(word: Word | undefined): string {
  return word?.known ? word.value : "";
}
