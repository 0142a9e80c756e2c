import { delimitedEnd, MAX_LITTLE_SCRIPT } from "./delimited.ts";

/**
 * The files that a program of `awk` writes. `null`: it runs commands, reads what its operands do not name, or is not certain to do neither.
 */
export function readAwkProgram(program: string): { readonly writes: readonly string[] } | null {
  if (program.length > MAX_LITTLE_SCRIPT) return null;
  const tokens = tokensOf(program);
  return tokens && writesOf(tokens);
}

/**
 * Texts that a program of `awk` hands to a shell, by `system`, into a pipe or out of one: those that stand in it as one plain string; `null` for
 * one that does not. Where the program is not certain, what looks like one counts.
 */
export function commandsInAwk(program: string): readonly (string | null)[] {
  const commands: (string | null)[] = [];
  const add = (text: string | undefined): void => void commands.push(text === undefined ? null : plainText(text));
  const text = program.slice(0, MAX_LITTLE_SCRIPT);
  for (const [, string] of text.matchAll(/\bsystem\s*\(\s*(?:"((?:[^"\\\n]|\\.)*)"\s*\))?/g)) add(string);
  for (const [, string] of text.matchAll(/(?:"((?:[^"\\\n]|\\.)*)"|[\w)\]])\s*\|&?\s*getline\b/g)) add(string);
  const isPrinting = /\bprintf?\b/.test(text);
  for (const [, string] of text.matchAll(/[^|]\|&?(?![|&])\s*(?!getline\b)(?:"((?:[^"\\\n]|\\.)*)"\s*(?=[;}\n]|$))?/g)) {
    // else it is one of a pattern
    if (isPrinting && (string !== undefined || tokensOf(text, "all")?.some((token) => token.text === "|"))) add(string);
  }
  return commands;
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", '"': '"', "/": "/", "\\": "\\" };

/** What a string says; `null`: makes differ on it. */
function plainText(string: string): string | null {
  if (/\\[^nt"/\\]/.test(string)) return null;
  return string.replace(/\\(.)/g, (_, char: string) => ESCAPED[char] ?? "");
}

interface Token {
  readonly kind: "word" | "sign" | "number" | "regex" | "newline" | "string";
  /** Of a word or sign itself, of a string what stands between its quotes, of others "". */
  readonly text: string;
}

/** `getline` reads other files, `ARGV` chooses what is read, `SYMTAB` and `FUNCTAB` reach everything by name. */
const REACHING = new Set("system getline ARGV ARGC SYMTAB FUNCTAB".split(" "));

/** Words behind which `/` begins a pattern in some grammars, and divides in others. */
const BEFORE_EITHER = new Set("print printf return in else do case exit delete length getline next nextfile".split(" "));

const REACHING_SIGN = /^\|&?/;
const SIGNS = /^(?:&&|\|\||\+\+|--|\*\*=|\*\*|>>|[-+*/%^!<>=]=|!~|[-+*%^!<>=~?:,;(){}[\]$])/;

/** `null`: what a quote or slash begins, or a sign, is not certain; or, unless `all` is wanted, it reaches further than its operands. */
function tokensOf(program: string, wanted: "all" | "plain" = "plain"): readonly Token[] | null {
  const tokens: Token[] = [];
  const parens: ("control" | "other")[] = [];
  let closed: "control" | "other" = "other";
  let at = 0;
  while (at < program.length) {
    const rest = program.slice(at, at + 256);
    const [blank = ""] = /^(?:[ \t]|\\\n|#[^\n]*)+/.exec(rest) ?? [];
    if (blank !== "") {
      at += blank.length;
      // a comment that was cut goes on
      while (/#[^\n]*$/.test(blank) && at < program.length && program.charAt(at) !== "\n") at += 1;
      continue;
    }
    const char = rest.charAt(0);
    if (char === "\n") {
      tokens.push({ kind: "newline", text: "" });
      at += 1;
      continue;
    }
    if (char === '"') {
      const end = delimitedEnd(program, at + 1, { delimiter: '"', reading: "text" });
      if (end === null) return null;
      tokens.push({ kind: "string", text: program.slice(at + 1, end) });
      at = end + 1;
      continue;
    }
    const [word = ""] = /^[A-Za-z_]\w*/.exec(rest) ?? [];
    if (word !== "") {
      if ((wanted === "plain" && REACHING.has(word)) || word.length > 200) return null;
      tokens.push({ kind: "word", text: word });
      at += word.length;
      continue;
    }
    const [number = ""] = /^(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/.exec(rest) ?? [];
    if (number !== "") {
      tokens.push({ kind: "number", text: "" });
      at += number.length;
      continue;
    }
    if (char === "/") {
      const meaning = slashAfter(tokens.at(-1), closed);
      if (meaning === null) return null;
      if (meaning === "division") {
        tokens.push({ kind: "sign", text: "/" });
        at += rest.charAt(1) === "=" ? 2 : 1;
        continue;
      }
      const end = delimitedEnd(program, at + 1, { delimiter: "/", reading: "brackets" });
      if (end === null || end !== delimitedEnd(program, at + 1, { delimiter: "/", reading: "text" })) return null;
      tokens.push({ kind: "regex", text: "" });
      at = end + 1;
      continue;
    }
    const [sign = ""] = SIGNS.exec(rest) ?? (wanted === "all" ? REACHING_SIGN.exec(rest) : null) ?? [];
    if (sign === "") return null;
    if (sign === "(") {
      const before = tokens.at(-1);
      parens.push(before?.kind === "word" && /^(?:if|while|for|switch)$/.test(before.text) ? "control" : "other");
    } else if (sign === ")") closed = parens.pop() ?? "control";
    tokens.push({ kind: "sign", text: sign });
    at += sign.length;
  }
  return tokens;
}

function slashAfter(before: Token | undefined, closed: "control" | "other"): "division" | "regex" | null {
  if (before === undefined || before.kind === "newline") return "regex";
  if (before.kind === "number" || before.kind === "string") return "division";
  if (before.kind === "regex") return null;
  if (before.kind === "word") return BEFORE_EITHER.has(before.text) ? null : "division";
  if (before.text === ")") return closed === "control" ? null : "division";
  if (before.text === "]" || before.text === "$") return before.text === "]" ? "division" : null;
  return /^(?:\+\+|--)$/.test(before.text) ? null : "regex";
}

/** What `print` and `printf` are sent to: a `>` outside parentheses behind them. Only a plain string says where that is. */
function writesOf(tokens: readonly Token[]): { readonly writes: readonly string[] } | null {
  const writes: string[] = [];
  let depth = 0;
  let printDepth: number | null = null;
  let before = "";
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "word" && /^printf?$/.test(token.text)) printDepth = depth;
    // behind these a statement goes on, whatever number of lines lies between
    if (token.kind === "newline" && !/^(?:,|&&|\|\||\?|:)$/.test(before) && depth <= (printDepth ?? depth)) printDepth = null;
    if (token.kind !== "newline") before = token.kind === "sign" ? token.text : "";
    if (token.kind !== "sign") continue;
    if (token.text === "(" || token.text === "[") depth += 1;
    else if (token.text === ")" || token.text === "]") depth -= 1;
    else if (token.text === ";" || token.text === "}" || token.text === "{") printDepth = null;
    else if ((token.text === ">" || token.text === ">>") && printDepth !== null && depth <= printDepth) {
      const target = tokens[index + 1];
      const after = tokens[index + 2];
      const isEnd = after === undefined || after.kind === "newline" || (after.kind === "sign" && /^[;}]$/.test(after.text));
      if (target?.kind !== "string" || !isEnd || !/^[^\\]+$/.test(target.text) || /^(?:\/inet|-$)/.test(target.text)) return null;
      writes.push(target.text);
    } else if (token.text === ">>") return null;
  }
  return { writes };
}
