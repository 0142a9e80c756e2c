import { type Input, open, type Program } from "../doing.ts";
import { unknownWord, type Word, wordsOfPaths } from "../word.ts";

/** What a program prints that prints some or all lines of its standard input as they are, in any order: `undefined` when nobody can rely on it. */
export function someLines(stdin: Input, end: "\n" | "\0" = "\n"): Input | undefined {
  if (stdin.kind === "paths") return stdin.end === end ? stdin : undefined;
  return stdin.kind === "empty" || (stdin.kind === "unknown" && stdin.numbers) ? stdin : undefined;
}

/**
 * What a program prints that prints paths which begin as they were given: each operand itself or something below it. `undefined` when one
 * is not known so far, or when what lies below it cannot be said by its words.
 */
export function pathsBelow(operands: readonly Word[], end: "\n" | "\0"): Input | undefined {
  const below: string[] = [];
  for (const word of operands) {
    if (!word.known && !word.below) return undefined;
    for (const start of word.known ? [word.value] : (word.below ?? [])) {
      const path = start.replace(/\/+$/, "");
      if ((path === "" && (word.known || start !== "")) || /[\n\0]/.test(path) || /^[-+]/.test(path)) return undefined;
      below.push(path);
    }
  }
  return below.length === 0 ? undefined : { kind: "paths", below, end };
}

/** A program that knows `--files0-from=-`: it takes the names on its standard input for more operands. */
export function namesFromStdin(program: Program): Program {
  return (invocation) => {
    const { args, stdin } = invocation;
    const at = args.findIndex((word) => word.known && word.value === "--files0-from=-");
    if (at < 0) return program(invocation);
    if (stdin.kind !== "paths" || stdin.end !== "\0") return open();
    const names = unknownWord("what is read from standard input", wordsOfPaths(stdin));
    return program({ ...invocation, args: args.with(at, names), stdin: { kind: "empty" } });
  };
}
