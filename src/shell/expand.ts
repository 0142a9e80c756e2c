import type { WordPart } from "unbash";
import { computed } from "./arithmetic.ts";
import { expandBraces } from "./braces.ts";
import { createChoices } from "./choices.ts";
import type { Input } from "./doing.ts";
import type { Expander, Expanding } from "./expanding.ts";
import type { Machine, WordNode } from "./machine.ts";
import { parameterPieces, simplePieces } from "./parameter.ts";
import { type Field, fieldsOf, fieldWord, type Piece, pieceOf, quotedText, weightOfPieces } from "./pieces.ts";
import { readUnquoted } from "./second-reader.ts";
import { joinStates, type State } from "./state.ts";
import { surePaths } from "./sure-paths.ts";
import { homeOf } from "./tilde.ts";
import { wildcardWords } from "./wildcards.ts";
import { knownWord, unknownWord, type Word, wordsOfPaths } from "./word.ts";
import { COST } from "./work.ts";

/** Starts the expansion of what belongs to one command. */
export function createExpanding(state: State, machine: Machine): Expanding {
  return { state, machine, choices: createChoices(), printed: new Map(), listed: new Map() };
}

/**
 * What `expand` gives for every combination of the values that the variables in it may have. It is asked once for each; where there are too
 * many, once for all.
 */
export async function eachChoice<Result>(expanding: Expanding, expand: () => Promise<Result>): Promise<readonly Result[]> {
  const { state, choices } = expanding;
  const results: Result[] = [];
  const before = state.copy();
  results.push(await expand());
  let joined: State | null = null;
  while (choices.next()) {
    if (choices.isTooMany) results.length = 0;
    joined = joined ? joinStates(joined, state) : state.copy();
    // each begins where the first began; substitutions have run but once
    if (!state.lost) state.become(Object.assign(before.copy(), { stale: state.stale, stdin: state.stdin }));
    results.push(await expand());
  }
  if (joined) state.become(joinStates(joined, state));
  return results;
}

/** The words that a word of a command becomes: none, one or several. */
export async function expandFields(word: WordNode, expanding: Expanding): Promise<readonly Word[]> {
  expanding.machine.work.spend(COST.word + word.text.length * COST.char);
  if (isPlainText(word)) return [knownWord(word.value)];
  const words: Word[] = [];
  for (const each of await braced(word, expanding)) {
    if ("known" in each) words.push(each);
    else {
      for (const field of fieldsOf(await wordPieces(each, "command", expanding))) {
        const found = await wildcardWords(field, each.text, expanding);
        if (found) for (const one of found) words.push(one);
        else words.push(fieldWord(field, each.text));
      }
    }
  }
  return words;
}

/** The one word that the value of an assignment, or a word in quotes, becomes. */
export async function expandValue(word: WordNode, expanding: Expanding): Promise<Word> {
  return joined(await wordPieces(word, "value", expanding), word.text);
}

/** What `expand` needs of the parts of a here-document. */
export async function expandParts(parts: readonly WordPart[], raw: string, expanding: Expanding): Promise<Word> {
  return joined(await partsPieces(parts, { isQuoted: true, isStart: false, place: "value" }, expanding), raw);
}

function isPlainText(word: WordNode): boolean {
  return !word.parts && !/[~[{\\]/.test(word.text);
}

async function braced(word: WordNode, { machine }: Expanding): Promise<readonly (WordNode | Word)[]> {
  if (machine.dialect === "sh" || !word.text.includes("{") || !(word.parts ?? []).some(({ type }) => type === "BraceExpansion"))
    return [word];
  const texts = expandBraces(word.text);
  if (texts === null) return [unknownWord(word.text)];
  machine.work.spend(texts.length * COST.word + word.text.length * word.text.split("{").length * COST.brace);
  return texts.flatMap((text) => (text === "" ? [] : machine.wordsOf(text)));
}

type WordPlace = "command" | "value";

async function wordPieces(word: WordNode, place: WordPlace, expanding: Expanding): Promise<readonly Piece[]> {
  const parts: readonly WordPart[] = word.parts ?? [
    { type: "Literal", pos: word.pos, end: word.end, text: word.text, value: word.value } satisfies WordPart,
  ];
  if (word.text === "") return [];
  return partsPieces(parts, { isQuoted: false, isStart: true, place }, expanding);
}

interface Around {
  readonly isQuoted: boolean;
  /** True at the beginning of a word, where `~` may stand. */
  readonly isStart: boolean;
  readonly place: WordPlace;
}

async function partsPieces(parts: readonly WordPart[], around: Around, expanding: Expanding): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    const found = await partPieces(part, { ...around, isStart: around.isStart && index === 0 }, { expanding, next });
    expanding.machine.work.spend(COST.part + weightOfPieces(found));
    for (const piece of found) pieces.push(piece);
  }
  return pieces;
}

async function partPieces(
  part: WordPart,
  around: Around,
  { expanding, next }: { readonly expanding: Expanding; readonly next: WordPart | undefined },
): Promise<readonly Piece[]> {
  const { isQuoted, place } = around;
  const expander: Expander = { expanding, value: (word) => expandValue(word, expanding) };
  switch (part.type) {
    case "Literal":
      return isQuoted ? [quotedText(part.value)] : literalPieces(part.text, { ...around, isLast: !next }, expanding);
    case "Glob":
      if (part.kind !== "bracket") return [{ kind: "text", text: part.value, as: "written" }];
      // some shells take it for `[!`, others for a set with `^` in it
      if (expanding.machine.dialect === "sh" && part.text.startsWith("[^")) return [pieceOf(unknownWord(part.text), false)];
      return bracketPieces(part.parts, around, expanding);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [quotedText(part.value)];
    case "LocaleString":
    case "DoubleQuoted": {
      const inner = await partsPieces(part.parts, { ...around, isQuoted: true, isStart: false }, expanding);
      // translated where there are translations
      const isTranslated = part.type === "LocaleString" && !expanding.state.isUntouched("TEXTDOMAIN");
      if (isTranslated) return [pieceOf(unknownWord(part.text, { single: true }), true)];
      // only `"$@"` without a parameter is no word at all
      const isNoWord = inner.length === 0 && part.parts.length > 0;
      return isNoWord ? [] : [quotedText(""), ...inner];
    }
    case "SimpleExpansion":
      return simplePieces(part.text.slice(1), isQuoted || place === "value", expanding);
    case "ParameterExpansion":
      return parameterPieces(part, isQuoted || place === "value", expander);
    case "CommandExpansion": {
      const word = printedWord(await printed(part, expanding), { raw: part.text, isQuoted: isQuoted || place === "value" });
      return [pieceOf(word, isQuoted || place === "value")];
    }
    case "ArithmeticExpansion": {
      const value = (inner: readonly WordPart[], raw: string): Promise<Word> => expandParts(inner, raw, expanding);
      return [pieceOf(await computed(part.expression, { expanding, value }), isQuoted || place === "value")];
    }
    case "ProcessSubstitution":
      await printed(part, expanding);
      return [pieceOf(unknownWord(part.text, { single: true, nonEmpty: true, prefix: "/dev/fd/", below: ["/dev/fd"] }), true)];
    case "ExtendedGlob":
      return [{ kind: "text", text: part.text, as: "written" }];
    case "BraceExpansion":
      // where braces are not expanded: nobody looks at the value
      return [pieceOf(unknownWord(part.text), isQuoted)];
  }
}

function literalPieces(text: string, around: Around & { readonly isLast: boolean }, expanding: Expanding): readonly Piece[] {
  const read = readUnquoted(text, { next: "", isStart: false, allows: /[\s\S]/ });
  const pieces: Piece[] = [];
  const runs = read?.runs ?? [];
  for (const [index, run] of runs.entries()) {
    if (run.quoted) pieces.push(quotedText(run.text));
    else if (!run.text.includes("~")) pieces.push({ kind: "text", text: run.text, as: "written" });
    else {
      const place = { ...around, isStart: around.isStart && index === 0, isLast: around.isLast && index === runs.length - 1 };
      pieces.push(...homeOf(run.text, place, expanding));
    }
  }
  return read ? pieces : [pieceOf(unknownWord(text), false)];
}

/** `[…]` of a pattern; what is expanded in it is not looked into. */
async function bracketPieces(parts: readonly WordPart[], around: Around, expanding: Expanding): Promise<readonly Piece[]> {
  const inner = await partsPieces(parts, { ...around, isStart: false }, expanding);
  const isPlain = inner.every((piece) => piece.kind === "text" && piece.as !== "expanded");
  const open: Piece = { kind: "text", text: "[", as: "written" };
  const close: Piece = { kind: "text", text: "]", as: "written" };
  return isPlain ? [open, ...inner, close] : [pieceOf(unknownWord("[…]"), false)];
}

async function printed(
  part: Extract<WordPart, { type: "CommandExpansion" | "ProcessSubstitution" }>,
  { machine, state, printed }: Expanding,
): Promise<Input> {
  const known = printed.get(part);
  if (known) return known;
  const prints: Input = part.script ? await machine.substitution(part.script, state) : { kind: "unknown" };
  const input = await surePaths(prints, { state, machine });
  printed.set(part, input);
  return input;
}

function printedWord(input: Input, { raw, isQuoted }: { readonly raw: string; readonly isQuoted: boolean }): Word {
  switch (input.kind) {
    case "empty":
      return knownWord("");
    case "text":
      return knownWord(input.text.replace(/\n+$/, "").replaceAll("\0", ""));
    case "paths":
      // as one word it would hold several lines
      return input.end === "\n" && input.plain && !isQuoted
        ? unknownWord(raw, wordsOfPaths(input))
        : unknownWord(raw, { single: isQuoted });
    case "unknown":
      return unknownWord(raw, { single: isQuoted, ...(input.numbers ? { number: true } : {}) });
  }
}

function joined(pieces: readonly Piece[], raw: string): Word {
  const whole: Field = pieces.map((piece) => {
    if (piece.kind === "unknown") return { ...piece, quoted: true };
    return { kind: "text", text: piece.kind === "end" ? " " : piece.text, as: "quoted" };
  });
  const word = fieldWord(whole, raw);
  return word.known || word.single ? word : { ...word, single: true };
}
