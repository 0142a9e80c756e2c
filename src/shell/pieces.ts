import { type UnknownWord, unknownWord, type Word } from "./word.ts";
import { COST } from "./work.ts";

/** A piece of a word whose expansions have been done. */
export type Piece =
  /** `quoted`: means itself. `expanded`: what an expansion without quotes gave, which is split at blanks. */
  | { readonly kind: "text"; readonly text: string; readonly as: "quoted" | "written" | "expanded" }
  | { readonly kind: "unknown"; readonly word: UnknownWord; readonly quoted: boolean }
  /** Here a word ends, as between two of `"$@"`. */
  | { readonly kind: "end" };

/** A word that is no longer split. */
export type Field = readonly Exclude<Piece, { readonly kind: "end" }>[];

export function quotedText(text: string): Piece {
  return { kind: "text", text, as: "quoted" };
}

/** What it costs to make words of them. */
export function weightOfPieces(pieces: readonly Piece[]): number {
  return pieces.reduce((weight, piece) => weight + COST.word + (piece.kind === "text" ? piece.text.length * COST.char : 0), 0);
}

/** The piece that a known or unknown word is. */
export function pieceOf(word: Word, isQuoted: boolean): Piece {
  if (word.known) return { kind: "text", text: word.value, as: isQuoted ? "quoted" : "expanded" };
  return { kind: "unknown", word, quoted: isQuoted };
}

/** Splits as bash does when IFS has not been changed. */
export function fieldsOf(pieces: readonly Piece[]): readonly Field[] {
  const fields: Field[] = [];
  let current: Exclude<Piece, { kind: "end" }>[] | null = null;
  const add = (piece: Exclude<Piece, { kind: "end" }>): void => {
    if (current === null) current = [piece];
    else current.push(piece);
  };
  const end = (): void => {
    if (current !== null) fields.push(current);
    current = null;
  };
  for (const piece of pieces) {
    if (piece.kind === "end") end();
    else if (piece.kind === "unknown" || piece.as === "quoted") add(piece);
    else if (piece.as === "written") {
      if (piece.text !== "") add(piece);
    } else {
      for (const text of piece.text.split(/([ \t\n]+)/)) {
        if (/^[ \t\n]+$/.test(text)) end();
        else if (text !== "") add({ ...piece, text });
      }
    }
  }
  end();
  return fields;
}

/** The word that a field is, wildcards left alone. `raw`: as written. */
export function fieldWord(field: Field, raw: string): Word {
  let prefix = "";
  const unknown: { readonly word: UnknownWord; readonly quoted: boolean }[] = [];
  let suffix = "";
  for (const piece of field) {
    if (piece.kind === "unknown") {
      unknown.push(piece);
      suffix = "";
    } else if (unknown.length === 0) prefix += piece.text;
    else suffix += piece.text;
  }
  const [first, ...others] = unknown;
  if (!first) return { known: true, value: prefix };
  const isSingle = unknown.every(({ word, quoted }) => (quoted ? true : word.number === true));
  const { word } = first;
  if (others.length === 0 && prefix === "" && suffix === "") return { ...word, raw, single: isSingle || (word.single && first.quoted) };
  const below = others.length === 0 ? belowOf(word, { prefix, suffix, isQuoted: first.quoted }) : null;
  const nonEmpty = prefix !== "" || suffix !== "" || unknown.some((each) => each.word.nonEmpty);
  return unknownWord(raw, {
    single: isSingle,
    prefix: prefix === "" ? (word.number || !first.quoted ? "" : word.prefix) : prefix,
    ...(below ? { below } : {}),
    ...(nonEmpty && isSingle ? { nonEmpty: true } : {}),
  });
}

/** What a path that is known to lie below some others still lies below, when text stands before or behind it. */
function belowOf(word: UnknownWord, around: { readonly prefix: string; readonly suffix: string; readonly isQuoted: boolean }) {
  const { prefix, suffix, isQuoted } = around;
  // without quotes it may be several words, or none, and the text stands at the first and the last only
  if (!word.below || !word.nonEmpty || !isQuoted || !word.single || `${suffix}/`.includes("../")) return null;
  if (prefix !== "" && !(prefix.endsWith("/") && word.below.every((path) => !path.startsWith("/")))) return null;
  if (`/${prefix}`.includes("/../")) return null;
  const inPlace = word.below.map((path) => (suffix === "" || suffix.startsWith("/") ? path : parentOf(path)));
  if (inPlace.some((path) => path === null)) return null;
  return inPlace.map((path) => `${prefix}${path ?? ""}`.replace(/(?<=.)\/$/, ""));
}

/** `null`: there is none that can be told by its name. */
function parentOf(path: string): string | null {
  if (path === "") return "";
  const names = path.split("/");
  const last = names.at(-1) ?? "";
  if (last === "." || last === ".." || last === "") return null;
  return names.length === 1 ? "" : names.slice(0, -1).join("/") || "/";
}
