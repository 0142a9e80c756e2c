import { PARTS } from "./width.ts";

/** Cuts a line of ours after `max` characters, with an ellipsis; its colours all stay, so that what follows is not coloured by it. */
export function cutLine(line: string, max: number): string {
  if (line.length <= max) return line;
  let count = 0;
  let kept = "";
  let isCut = false;
  for (const [part] of line.matchAll(PARTS)) {
    if (part.length > 1 && part.startsWith("\u001b")) kept += part;
    else if (!isCut && ++count <= max) kept += part;
    else if (!isCut) {
      kept += "…";
      isCut = true;
    }
  }
  return kept;
}
