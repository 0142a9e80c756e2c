/**
 * A script taken apart into simple commands with literal words. Two readers must agree: the grammar (`unbash`) says where the pieces are,
 * and here every piece is read again, and every gap between two pieces must be nothing but blanks, comments and the operators that are
 * understood. What only one of them accepts is not understood.
 */
import type { AndOr, Assignment, Command, ParsedScript, Pipeline, Redirect, Redirection, Statement, Word } from "unbash";
import { readLiteralWord } from "../base/words.ts";

export interface SimpleCommand {
  /** Decoded words, the program first; empty when there are only redirections. */
  readonly argv: readonly string[];
  readonly redirections: readonly LiteralRedirection[];
  /** What stands between it and the command before. */
  readonly joinedBy: "start" | "and" | "or" | "pipe" | "other";
  /** True in a pipeline of several commands: each of them runs in a shell of its own. */
  readonly piped: boolean;
}

export interface LiteralRedirection {
  readonly operator: Redirect["operator"];
  /** As written, so not for `&>`; `null`: the operator's own. */
  readonly descriptor: number | null;
  /** Decoded, never empty. */
  readonly target: string;
}

/** More than anybody would look through before saying yes. */
const MAX_COMMANDS = 1000;

/** Words that are part of the grammar where a command may begin. */
const RESERVED = new Set("if then else elif fi case esac for select while until do done in function time coproc { } ! [[ ]]".split(" "));

/** Thrown inside this room only: the script is not understood, and why. */
export class NotUnderstood extends Error {}

/** Takes apart what the grammar read from `source`. Throws `NotUnderstood`; any other throw is a fault of the grammar. */
export function simpleCommands(source: string, script: ParsedScript): readonly SimpleCommand[] {
  const error = script.errors?.[0];
  if (error) throw new NotUnderstood(`bash would not accept it: ${error.message}`);
  const reader = createReader(source);
  const placed = script.commands.flatMap(statementCommands);
  if (placed.length > MAX_COMMANDS) throw new NotUnderstood(`it holds more than ${MAX_COMMANDS} commands`);
  const commands = placed.map(({ command, piped }) => reader.command(command, piped));
  reader.end();
  return commands;
}

interface Placed {
  readonly command: Command;
  readonly piped: boolean;
}

function statementCommands({ command, background }: Statement): readonly Placed[] {
  if (background) throw new NotUnderstood("it starts something in the background (&)");
  return command.type === "AndOr" ? command.commands.flatMap(pipelineCommands) : pipelineCommands(command);
}

function pipelineCommands(node: AndOr["commands"][number]): readonly Placed[] {
  if (node.type !== "Pipeline") return [{ command: simple(node), piped: false }];
  const prefix = node.prefixes[0];
  if (prefix) throw new NotUnderstood(prefix.type === "Time" ? "it uses `time`" : "it uses `!`");
  return node.commands.map((command) => ({ command: simple(command), piped: node.commands.length > 1 }));
}

function simple(node: Pipeline["commands"][number]): Command {
  if (node.type === "Command") return node;
  const { type } = node.type === "Redirected" ? node.command : node;
  throw new NotUnderstood(`it holds ${NAMES[type] ?? "more than simple commands"}, and only simple commands are understood`);
}

/** What the grammar's pieces are called by people. */
const NAMES: Readonly<Record<string, string>> = {
  If: "an if",
  For: "a for loop",
  ArithmeticFor: "a for loop",
  While: "a while or until loop",
  Case: "a case",
  Select: "a select",
  Function: "a function",
  Subshell: "a subshell, ( … )",
  BraceGroup: "a group, { … }",
  Coproc: "a coprocess",
  TestCommand: "a [[ … ]]",
  ArithmeticCommand: "a (( … ))",
};

/** Reads the pieces of a script from left to right. */
function createReader(source: string) {
  let cursor = 0;

  /** The gap before a piece, or up to the end. Between commands it must hold an operator, within one it must not. */
  const gap = (end: number, within: "command" | "list" | "edge"): string => {
    const text = source.slice(cursor, end);
    if (end < cursor || !isGap(text, { within, atStart: cursor === 0 }))
      throw new NotUnderstood("its words and operators cannot be told apart for certain");
    cursor = end;
    return text;
  };

  const word = (node: Word | Assignment): string => {
    const raw = source.slice(node.pos, node.end);
    const read = raw === "" ? ({ ok: false, problem: "an empty word" } as const) : readLiteralWord(raw, 0);
    if (!read.ok) throw new NotUnderstood(`it holds ${read.problem}: ${brief(raw)}`);
    if (read.end !== raw.length || (node.type === "Word" && node.value !== read.value))
      throw new NotUnderstood(`a word can be read in two ways: ${brief(raw)}`);
    cursor = node.end;
    return read.value;
  };

  const redirection = (node: Redirection): LiteralRedirection => {
    if (node.type !== "Redirect") throw new NotUnderstood(node.type === "HereDoc" ? "it holds a here-document" : "it holds a here-string");
    const { target, descriptor } = node;
    if (descriptor?.type === "FileDescriptorVariable") throw new NotUnderstood("a redirection names its descriptor by a variable");
    if (!target) throw new NotUnderstood("a redirection has no target");
    const written = `${descriptor?.value ?? ""}${node.operator}`;
    // a number is a descriptor only when it stands by itself, and only a small one
    const isFree = node.pos === 0 || /[\s;&|]/.test(source.charAt(node.pos - 1));
    if (source.slice(node.pos, target.pos).replace(/[ \t]+$/, "") !== written || (descriptor && (!isFree || descriptor.value > 99))) {
      throw new NotUnderstood("a redirection can be read in two ways");
    }
    const value = word(target);
    if (value === "") throw new NotUnderstood("a redirection has an empty target");
    return { operator: node.operator, descriptor: descriptor?.value ?? null, target: value };
  };

  return {
    command(command: Command, piped: boolean): SimpleCommand {
      const pieces = [...command.prefix, ...(command.name ? [command.name] : []), ...command.suffix];
      const argv: string[] = [];
      const redirections: LiteralRedirection[] = [];
      let joint = "";
      for (const [index, piece] of pieces.entries()) {
        const isRedirection = piece.type === "Redirect" || piece.type === "HereDoc" || piece.type === "HereString";
        const before = cursor;
        const space = gap(piece.pos, index > 0 ? "command" : cursor === 0 ? "edge" : "list");
        if (index === 0) joint = space;
        // `2>f` and `{x}>f` are one piece to bash
        else if (
          space === "" &&
          (!isRedirection || /(?:^|[\s;&|<>])(?:\d+|\{\w+\})$/.test(source.slice(Math.max(0, before - 80), before)))
        ) {
          throw new NotUnderstood("two words stand together without a space");
        }
        if (isRedirection) redirections.push(redirection(piece));
        else if (argv.length === 0) argv.push(programName(source.slice(piece.pos, piece.end), word(piece)));
        else argv.push(word(piece));
      }
      if (pieces.length === 0) throw new NotUnderstood("it holds an empty command");
      return { argv, redirections, joinedBy: joinedBy(joint), piped };
    },
    end(): void {
      gap(source.length, "edge");
    },
  };
}

function programName(raw: string, value: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*(?:\[.*\])?\+?=/s.test(raw)) throw new NotUnderstood(`it assigns a variable: ${brief(raw)}`);
  if (RESERVED.has(raw)) throw new NotUnderstood(`it uses \`${raw}\``);
  if (value === "") throw new NotUnderstood("a program's name is empty");
  return value;
}

/** `edge`: before the first command or after the last, where operators may and need not stand. */
function isGap(text: string, { within, atStart }: { within: "command" | "list" | "edge"; atStart: boolean }): boolean {
  // a line continuation is a blank only after a blank or an operator
  if (within === "command") return /^(?:[ \t](?:[ \t]|\\\n)*)?$/.test(text);
  let at = 0;
  let operators = 0;
  let mayComment = atStart;
  while (at < text.length) {
    const [piece = ""] = /^(?:[ \t]+|\n|&&|\|\||\|&|[|;]|#[^\n]*|\\\n)/.exec(text.slice(at)) ?? [];
    if (piece === "") return false;
    if (piece.startsWith("#") && !mayComment) return false;
    if (piece === "\\\n" && at === 0 && !atStart) return false;
    mayComment = piece !== "\\\n";
    if (/[\n;&|]/.test(piece) && !piece.startsWith("#") && piece !== "\\\n") operators += 1;
    at += piece.length;
  }
  return within === "edge" || operators > 0;
}

/** A word as reasons show it: whole, or by its length, since a part of it could be a part of a secret. */
function brief(raw: string): string {
  return raw.length > 80 ? `a word of ${raw.length} characters` : raw;
}

function joinedBy(gap: string): SimpleCommand["joinedBy"] {
  const operators = gap.replace(/#[^\n]*|\\\n|[ \t]/g, "");
  if (operators.replaceAll("\n", "") === "") return operators === "" ? "start" : "other";
  if (/^&&\n*$/.test(operators)) return "and";
  if (/^\|\|\n*$/.test(operators)) return "or";
  return /^\|&?\n*$/.test(operators) ? "pipe" : "other";
}
