import type { Input } from "../doing.ts";
import type { Word } from "../word.ts";

/** What a program prints that prints some or all lines of its standard input as they are, in any order: `undefined` when nobody can rely on it. */
export function someLines(stdin: Input, end: "\n" | "\0" = "\n"): Input | undefined {
  return stdin.kind === "empty" || (stdin.kind === "paths" && stdin.end === end) ? stdin : undefined;
}

/**
 * What a program prints that prints paths which begin as they were given: each operand itself or something below it. `undefined` when one
 * is not known so far, or when what lies below it cannot be said by its words.
 */
export function pathsBelow(operands: readonly Word[], end: "\n" | "\0"): Input | undefined {
  const below: string[] = [];
  for (const word of operands) {
    const starts = word.known ? [word.value] : (word.below ?? [""]);
    for (const start of starts) {
      const path = start.replace(/\/+$/, "");
      if (path === "" || /[\n\0]/.test(path) || /^[-+]/.test(path)) return undefined;
      below.push(path);
    }
  }
  return below.length === 0 ? undefined : { kind: "paths", below, end };
}
