import type { ParseError, Node as SyntaxNode } from "jsonc-parser";
import { type Failure, fail } from "./fail.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/** A JSON value that knows where it stands in its file. */
export interface LocatedJson {
  readonly value: JsonValue;
  /** From 1. */
  readonly line: number;
  /** Of an object, in the order of the file; none of anything else. */
  readonly members: readonly LocatedMember[];
  /** Of a list; none of anything else. */
  readonly items: readonly LocatedJson[];
}

export interface LocatedMember {
  readonly name: string;
  /** Of the name. */
  readonly line: number;
  readonly value: LocatedJson;
}

/** What the parser reports, in words. */
const PROBLEMS: Readonly<Record<string, string>> = {
  InvalidSymbol: "a word that is no JSON",
  InvalidNumberFormat: "a number that is none",
  PropertyNameExpected: 'a name in "double quotes" is missing',
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing } is missing",
  CloseBracketExpected: "a closing ] is missing",
  EndOfFileExpected: "something follows the end of the value",
  InvalidCommentToken: "a comment that is none",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a text is not closed",
  UnexpectedEndOfNumber: "a number is not finished",
  InvalidUnicode: "a \\u escape that is none",
  InvalidEscapeCharacter: "an escape that is none",
  InvalidCharacter: "a character that has to be escaped",
};

/**
 * Reads JSON as people write it in files of settings: comments and commas before a closing bracket are allowed. A name that stands twice in
 * one object is refused, since a reader cannot tell which of the two counts. Kind: `invalid_config`, as `configFailure`, with `reason`
 * `not_json` or `duplicate_key`.
 */
export async function readLocatedJson(text: string, path: string): Promise<LocatedJson> {
  const parser = await import("jsonc-parser");
  try {
    return parsed(text.replace(/^\ufeff/, ""), path, parser);
  } catch (cause) {
    // both the parser and what reads its tree go down as deep as the text does
    if (cause instanceof RangeError) throw configFailure({ path, line: 1, reason: "not_json" }, "it is nested too deeply");
    throw cause;
  }
}

function parsed(text: string, path: string, { parseTree, printParseErrorCode }: typeof import("jsonc-parser")): LocatedJson {
  const errors: ParseError[] = [];
  const lineOf = lineFinder(text);
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (tree && !first) return located(tree, { path, lineOf });
  const problem = (first && PROBLEMS[printParseErrorCode(first.error)]) ?? "it is no JSON";
  throw configFailure(
    { path, line: lineOf(first?.offset ?? 0), reason: "not_json" },
    `${problem}; it has to be JSON (comments are allowed)`,
  );
}

/** Where and why a file of settings cannot be used. */
export interface ConfigProblem {
  readonly path: string;
  /** From 1; absent where no line is to blame. */
  readonly line?: number;
  /** A word to branch on. */
  readonly reason: string;
  readonly [detail: string]: string | number | readonly string[] | undefined;
}

/** The failure of a file of settings: kind `invalid_config`, the message begins with the place as compilers write it. */
export function configFailure(problem: ConfigProblem, why: string): Failure {
  const { path, line } = problem;
  const details = Object.fromEntries(Object.entries(problem).filter(([, value]) => value !== undefined)) as JsonObject;
  return fail("invalid_config", `${path}${line === undefined ? "" : `:${line}`}: ${why}`, details);
}

interface Place {
  readonly path: string;
  readonly lineOf: (offset: number) => number;
}

function located(node: SyntaxNode, place: Place): LocatedJson {
  const line = place.lineOf(node.offset);
  const children = node.children ?? [];
  if (node.type === "array") {
    const items = children.map((child) => located(child, place));
    return { value: items.map(({ value }) => value), line, members: [], items };
  }
  if (node.type === "object") {
    const members = children.map((child) => member(child, place));
    const seen = new Set<string>();
    for (const { name, line: at } of members) {
      if (seen.has(name))
        throw configFailure({ path: place.path, line: at, reason: "duplicate_key", key: name }, `the name "${name}" stands twice`);
      seen.add(name);
    }
    return { value: Object.fromEntries(members.map(({ name, value }) => [name, value.value])), line, members, items: [] };
  }
  return { value: node.value, line, members: [], items: [] };
}

function member({ children = [] }: SyntaxNode, place: Place): LocatedMember {
  const [name, value] = children;
  // a tree without errors has both
  if (!name || !value) throw configFailure({ path: place.path, reason: "not_json" }, "a member is not whole");
  return { name: String(name.value), line: place.lineOf(name.offset), value: located(value, place) };
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\r\n?|\n/g)].map(({ index, 0: end }) => index + end.length)];
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
