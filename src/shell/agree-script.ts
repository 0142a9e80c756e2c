/**
 * A script of the grammar held against a second reading of its text. What no word, redirection or assignment covers may only be blanks,
 * comments, line ends, operators and reserved words. Every script within it is read, wherever it hides; an error in any of them, and what only
 * one reader accepts, is `NotUnderstood`.
 */
import type {
  AndOr,
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
  Word,
} from "unbash";
import { agreeAssignment, agreeRedirection, agreeTest } from "./agree-pieces.ts";
import { agreeArithmetic, agreeWord } from "./agree-words.ts";
import { agreeGaps, type Leaf, returnsIn } from "./leaves.ts";
import { MAX_COMMANDS, MAX_NESTING, MAX_PARTS, MAX_SUBSTITUTIONS, NotUnderstood } from "./not-understood.ts";
import { disagree, type Place, type Reading, unknownNode } from "./reading.ts";

type Node = Statement["command"] | Pipeline["commands"][number] | Redirected["command"] | Coproc["body"] | FunctionNode["body"];

/** Throws `NotUnderstood` unless both readers find the same in the whole text. */
export function agreeScript(script: ParsedScript, source: string, dialect: "bash" | "sh"): void {
  const counts = { commands: 0, parts: 0, scripts: 0 };
  const commented = new Set<number>();
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
    const returns = new Reader(reading, counts, depth).script(nested, place);
    if (place.source === source) for (const at of returns) commented.add(at);
  };
  read(script, { source, start: 0, end: source.length }, 0);
  if (returnsIn(source).some((at) => !commented.has(at))) throw new NotUnderstood("it holds a carriage return outside of comments");
}

function switchesOnExtended({ command }: Statement): boolean {
  if (command.type !== "Command" || command.prefix.length > 0 || command.name?.text !== "shopt") return false;
  const [flag, ...names] = command.suffix.map((piece) => (piece.type === "Word" ? piece.text : ""));
  return flag === "-s" && names.includes("extglob");
}

class Reader {
  private readonly leaves: Leaf[] = [];
  private unit = 0;
  /** Behind it extended patterns are read as such; of the words of a command that is no matter of trust: bash accepts no others there. */
  private extendedFrom = Number.POSITIVE_INFINITY;
  private readonly reading: Reading;
  private readonly count: { commands: number };
  private depth: number;

  constructor(reading: Reading, count: { commands: number }, depth: number) {
    this.reading = reading;
    this.count = count;
    this.depth = depth;
  }

  /** Gives the carriage returns between its commands, which can only be in comments there. */
  script(script: ParsedScript, { start, end }: Omit<Place, "source">): readonly number[] {
    const { source, dialect } = this.reading;
    const extending = dialect === "bash" ? script.commands.find(switchesOnExtended) : undefined;
    const newline = extending ? source.indexOf("\n", extending.end) : -1;
    if (newline >= 0) this.extendedFrom = newline;
    for (const statement of script.commands) this.statement(statement);
    return agreeGaps(this.leaves, { source, start, end, dialect });
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
        agreeTest(node, this.reading);
        this.leaf(node.pos, node.end);
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
      if (piece.type === "Word") this.word(piece, unit, piece === name ? "first" : "later");
      else if (piece.type === "Assignment") {
        agreeAssignment(piece, this.reading);
        this.leaves.push({ pos: piece.pos, end: piece.end, unit, redirects: false });
      } else this.redirection(piece, unit);
    }
  }

  private redirections(redirects: readonly Redirection[]): void {
    const unit = this.next();
    for (const redirect of redirects) this.redirection(redirect, unit);
  }

  private redirection(node: Redirection, unit: number): void {
    const { end, body } = agreeRedirection(node, this.reading);
    this.leaves.push({ pos: node.pos, end, unit, redirects: true });
    if (body) this.leaf(body.pos, body.end);
  }

  private word(word: Word, unit: number, place: "first" | "later" = "first"): void {
    const isExtended = place === "later" && word.pos > this.extendedFrom;
    agreeWord(word, isExtended ? { ...this.reading, isExtended } : this.reading);
    this.leaves.push({ pos: word.pos, end: word.end, unit, redirects: false });
  }

  private words(words: readonly Word[]): void {
    const unit = this.next();
    for (const word of words) this.word(word, unit, "later");
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
