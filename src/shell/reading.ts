/** What the second reader of a script is told, and what it says where the two disagree. */
import type { ParsedScript, Word, WordPart } from "unbash";
import { brief, NotUnderstood } from "./not-understood.ts";

/** The text that a script of the grammar speaks of, and what to do with the scripts in it. */
export interface Reading {
  readonly source: string;
  /** Other shells than bash read some of it in other ways. */
  readonly dialect: "bash" | "sh";
  /** Counts words and parts of words. */
  readonly count: (parts: number) => void;
  /** True for a word in which extended patterns may stand. */
  readonly isExtended?: true;
  /** A script in a word, and where it lies. */
  readonly nested: (script: ParsedScript | undefined, place: Place) => void;
}

export interface Place {
  readonly source: string;
  readonly start: number;
  readonly end: number;
}

/** Where a part stands: what quotes mean there, and what the text around it lets through. */
export type Around = "plain" | "double" | "document" | "pattern" | "operand";

export interface Inside {
  readonly reading: Reading;
  readonly around: Around;
}

/** What the parts of the second reader need of each other. */
export interface Agreeing {
  readonly word: (word: Word, reading: Reading, around: "operand") => void;
  readonly parts: (parts: readonly WordPart[], place: Omit<Place, "source">, inside: Inside) => void;
}

export function disagree(text: string): NotUnderstood {
  return new NotUnderstood(`it can be read in two ways: ${brief(text)}`);
}

/** A kind of node that was not thought of. */
export function unknownNode(node: never): NotUnderstood {
  return new NotUnderstood(`it holds something that is not known: ${brief(JSON.stringify(node))}`);
}
