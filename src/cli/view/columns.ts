import { widthOf } from "./width.ts";

/** Rows whose cells stand below each other, two blanks apart; the last column is as it is. Cells are safe to show; colours do not count. */
export function columns(rows: readonly (readonly string[])[], indent = "  "): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
  return rows.map((row) => {
    const cells = row.map((cell, at) => (at === row.length - 1 ? cell : cell + " ".repeat((widths[at] ?? 0) - widthOf(cell))));
    return `${indent}${cells.join("  ")}`.trimEnd();
  });
}
