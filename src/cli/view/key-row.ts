import { widthOf } from "./width.ts";

/** Between two keys of a row. */
const GAP = "   ";
/** Below this there is no room to show anything. */
const MIN_COLUMNS = 20;

/**
 * The row of keys that count, broken between two of them where it is wider than the screen: no key is cut, and each of ours begins a line. `room`: columns that are
 * left free behind it. `null` columns: no screen, one line.
 */
export function keyRow(keys: string, columns: number | null, room = 1): readonly string[] {
  if (columns === null || columns < MIN_COLUMNS) return [keys];
  const lines: string[] = [];
  for (const key of keys.split(GAP)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last + GAP + key) + room <= columns) lines[lines.length - 1] = last + GAP + key;
    else lines.push(...piecesOf(key, columns - room));
  }
  return lines;
}

/** One that is wider than the screen by itself, at its blanks. */
function piecesOf(key: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of key.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
