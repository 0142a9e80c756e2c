/**
 * Words of the grammar held against a second reading of their text: the parts must cover the word without gaps, and each part must be what
 * its text says. Throws `NotUnderstood` where the two disagree.
 */
import type { ArithmeticExpression, HereDocBody, Word, WordPart } from "unbash";
import { readLiteralWord } from "../base/words.ts";
import { agreeExpressions } from "./agree-arithmetic.ts";
import { agreeParameter } from "./agree-parameter.ts";
import { agreeText, readAnsiQuoted } from "./agree-text.ts";
import { expandBraces } from "./braces.ts";
import { brief, MAX_PARTS, NotUnderstood } from "./not-understood.ts";
import { disagree, type Inside, type Place, type Reading, unknownNode } from "./reading.ts";
import { readBackticks, readHereDocument } from "./second-reader.ts";

/** `plain`: a word of a command. `pattern`: of a `[[ … ]]`, where some operators are text. */
export function agreeWord(word: Word, reading: Reading, around: "plain" | "pattern" | "operand" = "plain"): void {
  reading.count(1);
  const text = reading.source.slice(word.pos, word.end);
  if (text !== word.text || (text === "" && around === "plain")) throw disagree(text);
  // the grammar looks for the parts only now, and takes its time
  if (text.length > MAX_PARTS && [/["'`$]/g, /[*?[]/g].some((special) => (text.match(special)?.length ?? 0) > MAX_PARTS))
    throw new NotUnderstood("a word in it has too many parts");
  const { parts } = word;
  if (!parts) {
    const literal = around === "plain" ? readLiteralWord(text, 0) : null;
    if (literal?.ok) {
      if (literal.value !== word.value || literal.end !== text.length) throw disagree(text);
      return;
    }
    agreeText({ text, value: word.value, next: "", isStart: around === "plain" }, around);
    if (reading.dialect === "bash" && around === "plain" && expandBraces(text)?.[0] !== text) throw disagree(text);
    return;
  }
  agreeParts(parts, { start: word.pos, end: word.end }, { reading, around });
}

function agreeParts(parts: readonly WordPart[], { start, end }: Omit<Place, "source">, { reading, around }: Inside): void {
  let at = start;
  reading.count(parts.length);
  for (const part of parts) {
    if (part.pos !== at || part.text !== reading.source.slice(part.pos, part.end)) throw disagree(reading.source.slice(start, end));
    agreePart(part, { reading, around }, part.pos === start);
    at = part.end;
  }
  if (at !== end) throw disagree(reading.source.slice(start, end));
}

function agreePart(part: WordPart, { reading, around }: Inside, isStart: boolean): void {
  const { source, dialect } = reading;
  const { text, pos, end } = part;
  const forBash = (what: string): void => {
    if (dialect === "sh") throw new NotUnderstood(`not every sh reads ${what} in the same way`);
  };
  switch (part.type) {
    case "Literal":
      agreeText({ text, value: part.value, next: source.charAt(end), isStart: isStart && around === "plain" }, around);
      return;
    case "Glob":
      if (part.kind !== "bracket") {
        if (part.value !== text || !/^(?:\*+|\?)$/.test(text)) throw disagree(text);
        // in some it reaches into all folders below
        if (text.length > 1) forBash("`**`");
      } else {
        if (!/^\[.*\]$/s.test(text)) throw disagree(text);
        agreeParts(part.parts, { start: pos + 1, end: end - 1 }, { reading, around: "operand" });
      }
      return;
    case "SingleQuoted":
      if (text !== `'${part.value}'` || part.value.includes("'")) throw disagree(text);
      return;
    case "AnsiCQuoted": {
      forBash("$'…'");
      const literal = readAnsiQuoted(text);
      if (!literal.ok) throw new NotUnderstood(`it holds ${literal.problem}: ${brief(text)}`);
      if (literal.value !== part.value || literal.end !== text.length) throw disagree(text);
      return;
    }
    case "LocaleString":
    case "DoubleQuoted": {
      const isLocale = part.type === "LocaleString";
      if (isLocale) forBash('$"…"');
      if (!(isLocale ? /^\$".*"$/s : /^".*"$/s).test(text)) throw disagree(text);
      if (around === "double" || around === "document")
        throw new NotUnderstood(`quotes within quotes can be read in two ways: ${brief(text)}`);
      agreeParts(part.parts, { start: pos + (isLocale ? 2 : 1), end: end - 1 }, { reading, around: "double" });
      return;
    }
    case "SimpleExpansion":
      if (!/^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])$/.test(text)) throw disagree(text);
      if (/^\$[A-Za-z_]/.test(text) && /\w/.test(source.charAt(end))) throw disagree(text);
      return;
    case "ParameterExpansion":
      agreeParameter(part, { reading, around }, { word: agreeWord, parts: agreeParts });
      return;
    case "CommandExpansion":
      agreeSubstitution(part, { reading, around });
      return;
    case "ArithmeticExpansion":
      if (!/^\$\(\(.*\)\)$/s.test(text)) throw new NotUnderstood(`it computes in an old way: ${brief(text)}`);
      agreeArithmetic([part.expression], { source, start: pos + 3, end: end - 2 }, reading);
      return;
    case "ProcessSubstitution":
      forBash("<(…)");
      if (!/^[<>]\(.*\)$/s.test(text) || text.charAt(0) !== part.operator || around === "double") throw disagree(text);
      reading.nested(part.script, { source, start: pos + 2, end: end - 1 });
      return;
    case "ExtendedGlob":
      if (reading.isExtended && around === "plain" && /^[?*+@!]\([\w.,*?%+=:@[\]!^|-]*\)$/.test(text)) return;
      throw new NotUnderstood(`it holds an extended pattern: ${brief(text)}`);
    case "BraceExpansion":
      forBash("braces");
      if (/\x1b/.test(text)) throw disagree(text);
      if (/\$\(|`|[<>]\(/.test(text)) throw new NotUnderstood(`it holds braces around a substitution: ${brief(text)}`);
      return;
    default:
      throw unknownNode(part);
  }
}

function agreeSubstitution(part: Extract<WordPart, { type: "CommandExpansion" }>, { reading, around }: Inside): void {
  const { text, pos, end, script } = part;
  const { source, nested } = reading;
  if (/^\$\(.*\)$/s.test(text)) {
    nested(script, { source, start: pos + 2, end: end - 1 });
    return;
  }
  if (!/^`.*`$/s.test(text) || text.length < 2) throw new NotUnderstood(`not every bash reads ${brief(text)}`);
  const inner = readBackticks(text.slice(1, -1), around === "double" || around === "document");
  if (script?.source !== undefined) {
    if (script.source !== inner) throw disagree(text);
    nested(script, { source: inner, start: 0, end: inner.length });
  } else {
    if (inner !== text.slice(1, -1)) throw disagree(text);
    nested(script, { source, start: pos + 1, end: end - 1 });
  }
}

/** What is computed, by its expressions, in their order. */
export function agreeArithmetic(expressions: readonly (ArithmeticExpression | undefined)[], place: Place, reading: Reading): void {
  agreeExpressions(expressions, { place, nested: reading.nested }, (part) => agreePart(part, { reading, around: "double" }, false));
}

/** The body of a here-document that is expanded. */
export function agreeBody(body: HereDocBody, reading: Reading): void {
  if (body.parts) agreeParts(body.parts, { start: body.pos, end: body.end }, { reading, around: "document" });
  else if (readHereDocument(body.text, "") === null) throw disagree(body.text);
}
