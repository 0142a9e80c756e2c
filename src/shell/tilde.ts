import type { Expanding } from "./expanding.ts";
import { type Piece, pieceOf, quotedText } from "./pieces.ts";
import { anyOf } from "./value.ts";
import { knownWord, unknownWord, type Word } from "./word.ts";

interface TildePlace {
  /** True when the text begins the word. */
  readonly isStart: boolean;
  /** True when no other piece stands behind it. */
  readonly isLast: boolean;
  readonly place: "command" | "value";
}

/** The pieces of a text without quotes, home folders put in for `~`. */
export function homeOf(text: string, { isStart, isLast, place }: TildePlace, expanding: Expanding): readonly Piece[] {
  const written = (rest: string): readonly Piece[] => (rest === "" ? [] : [{ kind: "text", text: rest, as: "written" }]);
  if (!text.includes("~")) return written(text);
  if (place === "value" && /:~/.test(text)) return [pieceOf(unknownWord(text, { single: true }), true)];
  if (isStart && text.startsWith("~")) {
    const [prefix = ""] = /^~[^/:]*/.exec(text) ?? [];
    const rest = text.slice(prefix.length);
    // where the name goes on in another piece it is no plain one
    if (rest === "" && !isLast) return [pieceOf(unknownWord(text), false)];
    const home = folderOf(prefix, expanding);
    return [home.known ? quotedText(home.value) : pieceOf(home, home.single), ...written(rest)];
  }
  // words that look like assignments have it behind their sign
  return /[=:]~/.test(text) ? [pieceOf(unknownWord(text, { single: true }), true)] : written(text);
}

/** What a prefix such as `~` stands for. */
function folderOf(prefix: string, { state, machine }: Expanding): Word {
  const folders = prefix === "~+" ? state.folders : prefix === "~-" ? state.previous : null;
  if (folders && machine.dialect === "bash") return anyOf(folders.map(knownWord), prefix);
  if (prefix !== "~") return unknownWord(prefix);
  const home = state.get("HOME");
  if (home.kind === "list" || home.unset) return unknownWord("~", { single: true });
  return anyOf(home.options.length > 0 ? home.options : [knownWord("")], "~");
}
