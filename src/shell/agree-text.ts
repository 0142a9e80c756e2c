/** Text without expansions held against a second reading. */
import { readLiteralWord } from "../base/words.ts";
import { type Around, disagree } from "./reading.ts";
import { readDoubleQuoted, readHereDocument, readUnquoted } from "./second-reader.ts";

/** The text in `$'…'`. In quotes the escape character means itself, as any letter does. */
export function readAnsiQuoted(text: string): ReturnType<typeof readLiteralWord> {
  const mark = "\ue01b";
  if (!text.includes("\x1b") || text.includes(mark)) return readLiteralWord(text, 0);
  const literal = readLiteralWord(text.replaceAll("\x1b", mark), 0);
  return literal.ok ? { ...literal, value: literal.value.replaceAll(mark, "\x1b") } : literal;
}

/** A piece of text, what the grammar made of it, and what stands behind it. */
export interface TextPiece {
  readonly text: string;
  readonly value: string;
  readonly next: string;
  readonly isStart: boolean;
}

/** Throws `NotUnderstood` unless it means the same where it stands. */
export function agreeText({ text, value, next, isStart }: TextPiece, around: Around): void {
  const read = (): string | null => {
    switch (around) {
      case "plain":
        return readUnquoted(text, { next, isStart })?.value ?? null;
      case "operand":
        return readUnquoted(text, { next, isStart: false, allows: /[ \t\n;&|<>()]/ })?.value ?? null;
      case "pattern":
        return readUnquoted(text, { next, isStart: false, allows: /[()|<>;&]/ })?.value ?? null;
      case "double":
        return readDoubleQuoted(text, next);
      case "document":
        return readHereDocument(text, next);
    }
  };
  if (read() !== value) throw disagree(text);
}
