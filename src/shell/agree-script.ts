/**
 * A script of the grammar held against a second reading of its text. What no word, redirection or assignment covers may only be blanks,
 * comments, line ends, operators and reserved words. Every script within it is read, wherever it hides; an error in any of them, and what only
 * one reader accepts, is `NotUnderstood`.
 */
import type {
  AndOr,
  Assignment,
  CaseItem,
  Command,
  CompoundList,
  Coproc,
  Function as FunctionNode,
  ParsedScript,
  Pipeline,
  Redirected,
  Redirection,
  Statement,
  TestCommand,
  TestExpression,
  Word,
} from "unbash";
import { readLiteralWord } from "../base/words.ts";
import { agreeArithmetic, agreeBody, agreeWord, disagree, type Place, type Reading, unknownNode } from "./agree-words.ts";
import { isGapInCommand, isGapInTest, readGap } from "./gaps.ts";
import { MAX_COMMANDS, MAX_NESTING, MAX_PARTS, MAX_SUBSTITUTIONS, NotUnderstood } from "./not-understood.ts";

type Node = Statement["command"] | Pipeline["commands"][number] | Redirected["command"] | Coproc["body"] | FunctionNode["body"];

/** A stretch of the text that is read by itself. `unit`: those of one command have the same, and only blanks stand between them. */
interface Leaf {
  readonly pos: number;
  readonly end: number;
  readonly unit: number;
  readonly redirects: boolean;
}

/** Throws `NotUnderstood` unless both readers find the same in the whole text. */
export function agreeScript(script: ParsedScript, source: string, dialect: "bash" | "sh"): void {
  const counts = { commands: 0, parts: 0, scripts: 0 };
  const count = (parts: number): void => {
    counts.parts += parts;
    if (counts.parts > MAX_PARTS) throw new NotUnderstood(`it holds more than ${MAX_PARTS} words and parts of words`);
  };
  const read = (nested: ParsedScript | undefined, place: Place, depth: number): void => {
    counts.scripts += 1;
    if (counts.scripts > MAX_SUBSTITUTIONS) throw new NotUnderstood(`it holds more than ${MAX_SUBSTITUTIONS} substitutions`);
    if (!nested) throw new NotUnderstood("a substitution in it cannot be read");
    const error = nested.errors?.[0];
    if (error) throw new NotUnderstood(`bash would not accept it: ${error.message}`);
    if (depth > MAX_NESTING) throw new NotUnderstood(`it is nested more than ${MAX_NESTING} levels deep`);
    const reading: Reading = { source: place.source, dialect, count, nested: (inner, where) => read(inner, where, depth + 1) };
    new Reader(reading, counts, depth).script(nested, place);
  };
  read(script, { source, start: 0, end: source.length }, 0);
}

class Reader {
  private readonly leaves: Leaf[] = [];
  private unit = 0;
  private readonly reading: Reading;
  private readonly count: { commands: number };
  private depth: number;

  constructor(reading: Reading, count: { commands: number }, depth: number) {
    this.reading = reading;
    this.count = count;
    this.depth = depth;
  }

  script(script: ParsedScript, { start, end }: Omit<Place, "source">): void {
    for (const statement of script.commands) this.statement(statement);
    const { source, dialect } = this.reading;
    let at = start;
    let unit = -1;
    for (const leaf of [...this.leaves.sort((a, b) => a.pos - b.pos), { pos: end, end, unit: -1, redirects: false }]) {
      if (leaf.pos < at) throw new NotUnderstood("its words and operators cannot be told apart for certain");
      const isEdge = at === start || leaf.pos === end;
      if (leaf.unit === unit && unit >= 0) {
        if (!isGapInCommand(source, { start: at, end: leaf.pos, redirects: leaf.redirects })) throw disagree(source.slice(at, leaf.pos));
      } else if (!readGap(source, { start: at, end: leaf.pos, from: start, to: end, isEdge, dialect })) {
        throw new NotUnderstood("its words and operators cannot be told apart for certain");
      }
      at = leaf.end;
      unit = leaf.unit;
    }
  }

  private statement({ command }: Statement): void {
    this.node(command);
  }

  private list({ commands }: CompoundList): void {
    for (const statement of commands) this.statement(statement);
  }

  private node(node: Node): void {
    this.depth += 1;
    if (this.depth > MAX_NESTING + 2) throw new NotUnderstood(`it is nested more than ${MAX_NESTING} levels deep`);
    this.visit(node);
    this.depth -= 1;
  }

  private visit(node: Node): void {
    switch (node.type) {
      case "Command":
        this.command(node);
        return;
      case "AndOr":
        this.each(node);
        return;
      case "Pipeline":
        if (node.prefixes.some(({ type }) => type === "Time")) this.forBash("`time`");
        if (node.operators.includes("|&")) this.forBash("`|&`");
        this.each(node);
        return;
      case "Redirected":
        this.node(node.command);
        this.redirections(node.redirects);
        return;
      case "Subshell":
      case "BraceGroup":
        this.list(node.body);
        return;
      case "CompoundList":
        this.list(node);
        return;
      case "If":
        for (const part of [node, ...node.elif]) {
          this.list(part.clause);
          this.list(part.then);
        }
        if (node.else) this.list(node.else);
        return;
      case "While":
        this.list(node.clause);
        this.list(node.body);
        return;
      case "For":
      case "Select":
        if (node.type === "Select") this.forBash("`select`");
        this.word(node.name, this.next());
        this.words(node.wordlist ?? []);
        this.list(node.body);
        return;
      case "ArithmeticFor": {
        this.forBash("`for ((`");
        const head = /^for[ \t]*\(\(([\s\S]*)\)\)[ \t;\n]*(?:do|\{)[ \t\n]*$/.exec(this.reading.source.slice(node.pos, node.body.pos));
        const inner = head?.[1];
        if (inner === undefined) throw disagree("for ((");
        const start = this.reading.source.indexOf("((", node.pos) + 2;
        agreeArithmetic(
          [node.initialize, node.test, node.update],
          { source: this.reading.source, start, end: start + inner.length },
          this.reading,
        );
        this.leaf(node.pos, start + inner.length + 2);
        this.list(node.body);
        return;
      }
      case "ArithmeticCommand": {
        this.forBash("`((`");
        if (!/^\(\([\s\S]*\)\)$/.test(this.text(node))) throw disagree(this.text(node));
        agreeArithmetic([node.expression], { source: this.reading.source, start: node.pos + 2, end: node.end - 2 }, this.reading);
        this.leaf(node.pos, node.end);
        return;
      }
      case "TestCommand":
        this.forBash("`[[`");
        this.test(node);
        return;
      case "Case":
        this.word(node.word, this.next());
        for (const item of node.items) this.caseItem(item);
        return;
      case "Function":
        // `function f` has no other form in other shells
        this.word(node.name, this.next());
        this.node(node.body);
        return;
      case "Coproc":
        this.forBash("`coproc`");
        if (node.name) this.word(node.name, this.next());
        this.node(node.body);
        return;
      default:
        throw unknownNode(node);
    }
  }

  private each({ commands }: AndOr | Pipeline): void {
    for (const command of commands) this.node(command);
  }

  private caseItem({ pattern, body, terminator }: CaseItem): void {
    if (terminator && terminator !== ";;") this.forBash(`\`${terminator}\``);
    for (const word of pattern) this.word(word, this.next());
    this.list(body);
  }

  private command({ prefix, name, suffix }: Command): void {
    this.count.commands += 1;
    if (this.count.commands > MAX_COMMANDS) throw new NotUnderstood(`it holds more than ${MAX_COMMANDS} commands`);
    const unit = this.next();
    const pieces = [...prefix, ...(name ? [name] : []), ...suffix];
    if (pieces.length === 0) throw new NotUnderstood("it holds an empty command");
    for (const piece of pieces) {
      if (piece.type === "Word") this.word(piece, unit);
      else if (piece.type === "Assignment") this.assignment(piece, unit);
      else this.redirection(piece, unit);
    }
  }

  private redirections(redirects: readonly Redirection[]): void {
    const unit = this.next();
    for (const redirect of redirects) this.redirection(redirect, unit);
  }

  private assignment(node: Assignment, unit: number): void {
    const { name, value, index, append } = node;
    const { source } = this.reading;
    if (index || append || value.type === "ArrayValue") this.forBash(`${name}+= or ${name}[…]=`);
    const head = `${name}${index ? `[${source.slice(index.pos, index.end)}]` : ""}${append ? "+" : ""}=`;
    const text = this.text(node);
    if (!/^[A-Za-z_]\w*$/.test(name) || !text.startsWith(head) || value.end !== node.end) throw disagree(text);
    if (index) agreeWord(index, this.reading, "operand");
    if (value.type === "Word") {
      if (value.pos !== node.pos + head.length) throw disagree(text);
      if (value.pos !== value.end) agreeWord(value, this.reading);
    } else {
      if (source.charAt(value.pos) !== "(" || source.charAt(value.end - 1) !== ")") throw disagree(text);
      let at = value.pos + 1;
      for (const element of value.elements) {
        if (!/^(?:\s|\\\n)*$/.test(source.slice(at, element.pos))) throw disagree(text);
        agreeWord(element, this.reading);
        at = element.end;
      }
      if (!/^(?:\s|\\\n)*$/.test(source.slice(at, value.end - 1))) throw disagree(text);
    }
    this.leaves.push({ pos: node.pos, end: node.end, unit, redirects: false });
  }

  private redirection(node: Redirection, unit: number): void {
    const { descriptor } = node;
    const { source } = this.reading;
    const tail = node.type === "HereDoc" ? node.delimiter : node.target;
    if (!tail) throw new NotUnderstood("a redirection has no target");
    const isVariable = descriptor?.type === "FileDescriptorVariable";
    const written = `${isVariable ? `{${descriptor.name}}` : (descriptor?.value ?? "")}${node.operator}`;
    // a number is a descriptor only when it stands by itself, and only a small one
    const isFree = node.pos === 0 || /[\s;&|()<>]/.test(source.charAt(node.pos - 1));
    const isSmall = isVariable || (descriptor?.value ?? 0) < (this.reading.dialect === "bash" ? 100 : 10);
    if (source.slice(node.pos, tail.pos).replace(/(?:[ \t]|\\\n)+$/, "") !== written || (descriptor && !(isFree && isSmall))) {
      throw new NotUnderstood("a redirection can be read in two ways");
    }
    if (isVariable) this.forBash("{name}>");
    if (node.type === "HereString" || node.operator === "&>" || node.operator === "&>>") this.forBash(`\`${node.operator}\``);
    if (node.type === "HereDoc") this.hereDocument(node);
    else agreeWord(tail as Word, this.reading);
    this.leaves.push({ pos: node.pos, end: tail.end, unit, redirects: true });
  }

  private hereDocument({ operator, delimiter, body, closing }: Extract<Redirection, { type: "HereDoc" }>): void {
    const { source } = this.reading;
    if (!delimiter || !closing) throw new NotUnderstood("a here-document in it does not end");
    const word = readLiteralWord(delimiter.text, 0);
    if (!word.ok || word.value !== delimiter.value || word.end !== delimiter.text.length || word.value === "")
      throw disagree(delimiter.text);
    if (delimiter.quoted !== /['"\\]/.test(delimiter.text) || source.charAt(body.pos - 1) !== "\n") throw disagree(delimiter.text);
    // found again line by line; without quotes a backslash joins two lines into one
    let at = body.pos;
    for (;;) {
      const [line = ""] = (delimiter.quoted ? /[^\n]*/ : /(?:[^\n\\]|\\[\s\S]?)*/).exec(source.slice(at)) ?? [];
      const plain = operator === "<<-" ? line.replace(/^\t+/, "") : line;
      if (plain === delimiter.value) {
        if (closing.pos !== at + line.length - plain.length || closing.end !== at + line.length || body.end > closing.pos)
          throw disagree(delimiter.text);
        break;
      }
      at += line.length + 1;
      if (at > source.length) throw new NotUnderstood("a here-document in it does not end");
    }
    if (!delimiter.quoted) agreeBody(body, this.reading);
    this.leaf(body.pos, closing.end);
  }

  private test(node: TestCommand): void {
    const words: Word[] = [];
    const collect = (expression: TestExpression): void => {
      switch (expression.type) {
        case "TestUnary":
          words.push(expression.operand);
          return;
        case "TestBinary":
          words.push(expression.left, expression.right);
          return;
        case "TestLogical":
          expression.operands.forEach(collect);
          return;
        case "TestNot":
          collect(expression.operand);
          return;
        case "TestGroup":
          collect(expression.expression);
          return;
        default:
          throw unknownNode(expression);
      }
    };
    collect(node.expression);
    let at = node.pos;
    for (const word of words) {
      if (!isGapInTest(this.reading.source.slice(at, word.pos))) throw disagree(this.text(node));
      agreeWord(word, this.reading, "pattern");
      at = word.end;
    }
    if (!isGapInTest(this.reading.source.slice(at, node.end))) throw disagree(this.text(node));
    this.leaf(node.pos, node.end);
  }

  private word(word: Word, unit: number): void {
    agreeWord(word, this.reading);
    this.leaves.push({ pos: word.pos, end: word.end, unit, redirects: false });
  }

  private words(words: readonly Word[]): void {
    const unit = this.next();
    for (const word of words) this.word(word, unit);
  }

  private leaf(pos: number, end: number): void {
    this.leaves.push({ pos, end, unit: this.next(), redirects: false });
  }

  private next(): number {
    this.unit += 1;
    return this.unit;
  }

  private text({ pos, end }: { readonly pos: number; readonly end: number }): string {
    return this.reading.source.slice(pos, end);
  }

  private forBash(what: string): void {
    if (this.reading.dialect === "sh") throw new NotUnderstood(`not every sh reads ${what} in the same way`);
  }
}
