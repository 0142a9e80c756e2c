import { widthOf } from "./width.ts";

/** A narrower screen gets the text as it is. */
const MIN_COLUMNS = 40;
/** A column of explanations that begins further to the right leaves no room below it. */
const MAX_INDENT_SHARE = 0.6;
const COMMAND = /^\s+(?:.*\| )?collet /;

/**
 * Our own help texts and tables, broken at blanks where they are wider than the screen; a line goes on below its last column. Commands to
 * be copied are left whole, and what explains one stands below it. Not for text of others: `wrapText` is for that. `null` columns: no screen, nothing is broken.
 */
export function wrapWords(text: string, columns: number | null): string {
  if (columns === null || columns < MIN_COLUMNS) return text;
  return paragraphs(text.split("\n"), columns)
    .flatMap((line) => (widthOf(line) > columns && COMMAND.test(line) ? explained(line) : [line]))
    .map((line) => (widthOf(line) <= columns || COMMAND.test(line) ? line : wrapLine(line, columns)))
    .join("\n");
}

/** Lines of prose that stand below each other are one, where one of them does not fit; tables and indented lines stay lines. */
function paragraphs(lines: readonly string[], columns: number): readonly string[] {
  const whole: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const isProse = /^\S/.test(line) && !line.includes("  ");
    if (isProse && isOpen) whole.at(-1)?.push(line);
    else whole.push([line]);
    isOpen = isProse;
  }
  return whole.flatMap((each) => (each.some((line) => widthOf(line) > columns) ? [each.join(" ")] : each));
}

/** A command that is explained behind it, with the explanation in a line of its own. */
function explained(line: string): readonly string[] {
  const [, command, why] = /^(\s*\S.*?\S) {2,}(\S.*)$/.exec(line) ?? [];
  return command === undefined ? [line] : [command, `      ${why}`];
}

function wrapLine(line: string, columns: number): string {
  const indent = indentOf(line, columns * MAX_INDENT_SHARE);
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\S)(?= \S)/)) {
    if (current !== "" && widthOf(current + word) > columns) {
      lines.push(current);
      current = " ".repeat(indent) + word.trimStart();
    } else current += word;
  }
  return [...lines, current].join("\n");
}

/** Where the last column of a table begins, else where the line does. */
function indentOf(line: string, max: number): number {
  const plain = line.replace(/\u001b\[[\d;]*m/g, "");
  const columns = [...plain.matchAll(/(?:^| ) +(?=\S)/g)].map(({ index, 0: gap }) => index + gap.length);
  return columns.findLast((column) => column <= max) ?? 0;
}
