/**
 * Words of the grammar held against a second reading of their text: the parts must cover the word without gaps, and each part must be what
 * its text says. Throws `NotUnderstood` where the two disagree.
 */
import type { ArithmeticExpression, HereDocBody, ParameterExpansionPart, ParsedScript, Word, WordPart } from "unbash";
import { readLiteralWord } from "../base/words.ts";
import { expandBraces } from "./braces.ts";
import { brief, MAX_PARTS, NotUnderstood } from "./not-understood.ts";
import { readBackticks, readDoubleQuoted, readHereDocument, readUnquoted } from "./second-reader.ts";

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
type Around = "plain" | "double" | "document" | "pattern" | "operand";

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

interface Inside {
  readonly reading: Reading;
  readonly around: Around;
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
      agreeParameter(part, { reading, around });
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

/** In quotes the escape character means itself, as any letter does. */
function readAnsiQuoted(text: string): ReturnType<typeof readLiteralWord> {
  const mark = "\ue01b";
  if (!text.includes("\x1b") || text.includes(mark)) return readLiteralWord(text, 0);
  const literal = readLiteralWord(text.replaceAll("\x1b", mark), 0);
  return literal.ok ? { ...literal, value: literal.value.replaceAll(mark, "\x1b") } : literal;
}

interface TextPiece {
  readonly text: string;
  readonly value: string;
  readonly next: string;
  readonly isStart: boolean;
}

function agreeText({ text, value, next, isStart }: TextPiece, around: Around): void {
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

function agreeParameter(part: ParameterExpansionPart, { reading, around }: Inside): void {
  const { text, parameter, prefix = "", index, operation } = part;
  const { source, dialect } = reading;
  const [, head = ""] = /^\$\{([!#]?(?:[A-Za-z_]\w*|\d+|[@*#?$!-]))/.exec(text) ?? [];
  if (head !== `${prefix}${parameter}` || !text.endsWith("}")) throw disagree(text);
  let at = part.parameterEnd;
  if (index) {
    if (source.charAt(at) !== "[" || index.pos !== at + 1 || source.charAt(index.end) !== "]") throw disagree(text);
    agreeWord(index, reading, "operand");
    at = index.end + 1;
  }
  if (dialect === "sh" && (index || prefix === "!" || (operation && operation.type !== "Default" && operation.type !== "Remove"))) {
    throw new NotUnderstood(`not every sh reads ${brief(text)} in the same way`);
  }
  if (!operation) {
    if (at !== part.end - 1) throw disagree(text);
    return;
  }
  if (operation.pos !== at || operation.end !== part.end - 1) throw disagree(text);
  const rest = source.slice(operation.pos, operation.end);
  // within double quotes a single quote is a character, and the quotes of the operand are another matter in each shell and version
  if (around !== "plain" && around !== "operand" && /['"\\]/.test(rest))
    throw new NotUnderstood(`quotes in it can be read in two ways: ${brief(text)}`);
  if (operation.type === "Unknown" || !rest.startsWith(operation.operator)) throw disagree(text);
  const operands: (Word | undefined)[] = [];
  switch (operation.type) {
    case "Default":
    case "Remove":
    case "Transform":
    case "CaseModification":
      operands.push(operation.operand);
      break;
    case "Replace":
      operands.push(operation.pattern, operation.replacement);
      break;
    case "Slice":
      operands.push(operation.offset, operation.length);
      break;
    case "Names":
      break;
    default:
      throw unknownNode(operation);
  }
  let end = operation.operatorEnd;
  for (const operand of operands) {
    if (!operand || (operand.pos === operand.end && operand.text === "")) continue;
    if (!/^[:/]?[ \t]*$/.test(source.slice(end, operand.pos))) throw disagree(text);
    agreeOperand(operand, { reading, around });
    end = operand.end;
  }
  if (!/^\/?$/.test(source.slice(end, operation.end))) throw disagree(text);
}

function agreeOperand(operand: Word, { reading, around }: Inside): void {
  if (around === "plain" || around === "operand" || around === "pattern") {
    agreeWord(operand, reading, "operand");
    return;
  }
  if (operand.text !== reading.source.slice(operand.pos, operand.end)) throw disagree(operand.text);
  if (operand.parts) agreeParts(operand.parts, { start: operand.pos, end: operand.end }, { reading, around });
  else agreeText({ text: operand.text, value: operand.value, next: "", isStart: false }, around);
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

/** What is computed: beside the expansions in it, which the grammar must have found, only names, numbers and operators. */
export function agreeArithmetic(expressions: readonly (ArithmeticExpression | undefined)[], place: Place, reading: Reading): void {
  let rest = place.source.slice(place.start, place.end);
  const blank = (pos: number, end: number): void => {
    const [from, to] = [pos - place.start, end - place.start];
    if (from < 0 || to > rest.length) throw disagree(rest);
    rest = `${rest.slice(0, from)}${" ".repeat(to - from)}${rest.slice(to)}`;
  };
  const visit = (node: ArithmeticExpression): void => {
    switch (node.type) {
      case "ArithmeticBinary":
        visit(node.left);
        visit(node.right);
        return;
      case "ArithmeticUnary":
        visit(node.operand);
        return;
      case "ArithmeticTernary":
        visit(node.test);
        visit(node.consequent);
        visit(node.alternate);
        return;
      case "ArithmeticGroup":
        visit(node.expression);
        return;
      case "ArithmeticWord":
        for (const part of node.parts ?? []) {
          if (part.type === "Literal") continue;
          if (part.text !== place.source.slice(part.pos, part.end)) throw disagree(part.text);
          agreePart(part, { reading, around: "double" }, false);
          blank(part.pos, part.end);
        }
        if (/^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])$/.test(node.value)) blank(node.pos, node.end);
        return;
      case "ArithmeticCommandExpansion":
        if (!/^\$\(.*\)$/s.test(node.text) || node.text !== place.source.slice(node.pos, node.end)) throw disagree(node.text);
        reading.nested(node.script, { source: place.source, start: node.pos + 2, end: node.end - 1 });
        blank(node.pos, node.end);
        return;
      default:
        throw unknownNode(node);
    }
  };
  for (const expression of expressions) if (expression) visit(expression);
  // a parenthesis that closes too early makes it commands
  if (!isBalanced(place.source.slice(place.start, place.end)) || (expressions.length === 1 && rest.includes(";"))) throw disagree(rest);
  if (!/^[\w \t\n+\-*/%<>=!&|^~?:,()#;]*$/.test(rest)) throw new NotUnderstood(`what it computes is not plain: ${brief(rest.trim())}`);
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The body of a here-document that is expanded. */
export function agreeBody(body: HereDocBody, reading: Reading): void {
  if (body.parts) agreeParts(body.parts, { start: body.pos, end: body.end }, { reading, around: "document" });
  else if (readHereDocument(body.text, "") === null) throw disagree(body.text);
}

export function disagree(text: string): NotUnderstood {
  return new NotUnderstood(`it can be read in two ways: ${brief(text)}`);
}

/** A kind of node that was not thought of. */
export function unknownNode(node: never): NotUnderstood {
  return new NotUnderstood(`it holds something that is not known: ${brief(JSON.stringify(node))}`);
}
