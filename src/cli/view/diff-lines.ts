import { showText } from "../../base/show.ts";
import type { Colors } from "../output.ts";

/** Lines of a unified diff in colour, safe to show. `max`: how many at most; what is left out is said in a last line. */
export function diffLines(diff: string, { colors, max }: { readonly colors: Colors; readonly max: number }): readonly string[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, max).map((line) => coloured(showText(line), colors));
  return lines.length > max ? [...shown, colors.dim(`… ${lines.length - max} more lines`)] : shown;
}

function coloured(line: string, colors: Colors): string {
  if (line.startsWith("+++") || line.startsWith("---")) return colors.bold(line);
  if (line.startsWith("@@")) return colors.cyan(line);
  if (line.startsWith("+")) return colors.green(line);
  if (line.startsWith("-")) return colors.red(line);
  return line;
}
