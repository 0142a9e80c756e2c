/**
 * Words as a shell splits them, for as long as nothing has to be run or looked up to know them; and the patterns of `command(…)` rules,
 * which are compared with such words one by one.
 */
import { fail } from "./fail.ts";

type Problem = { readonly ok: false; readonly problem: string };
/** One word of a text (`end`: index after it), or why it cannot be told without running or looking up something. */
export type LiteralWord = { readonly ok: true; readonly value: string; readonly end: number } | Problem;

/** What bash mistreats or what text cannot carry into a process: control characters but tab and newline, lone surrogates. */
const UNTELLABLE = /[\0-\x08\x0b-\x1f\x7f\p{Cs}]/u;
/** Spaces that nobody sees, or that end a word in one locale and belong to it in another. */
const UNUSUAL_SPACE = /[\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/;

/**
 * Reads the word at `start`, where no blank may stand. It ends before the next unquoted space, tab or newline, or at the end of the text.
 * Expansions, wildcards, operators and comments are problems, and so is everything else whose value depends on where it is run.
 */
export function readLiteralWord(text: string, start: number): LiteralWord {
  let value = "";
  let hasBrace = false;
  let at = start;
  while (at < text.length) {
    const plain = plainRun(text, at);
    value += plain;
    at += plain.length;
    const char = charAt(text, at);
    if (char === "" || isBlank(char) || char === "\n") break;
    const quoted = readQuoted(text, at);
    if (quoted) {
      if (!quoted.ok) return quoted;
      value += quoted.value;
      at = quoted.end;
      continue;
    }
    const why = unquotedProblem(text, at, start);
    if (why !== null) return problem(why);
    if (char === "{") hasBrace = true;
    value += char;
    at += char.length;
  }
  const raw = text.slice(start, at);
  if (hasBrace && (raw.includes(",") || raw.includes(".."))) return problem("a brace expansion");
  return { ok: true, value, end: at };
}

/**
 * Splits a text into words as a shell splits literal words: blanks separate, quotes and backslashes are taken away. Fails with
 * `invalid_args` on unbalanced quotes and on whatever is not literal (`reason: "not_literal"`, `problem`).
 */
export function splitLiteralWords(text: string): readonly string[] {
  return split(text, () => false).map(({ value }) => value);
}

/** A word as it has to be written so that `splitLiteralWords`, and bash, read it back as it is. */
export function quoteWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  if (!/[\0-\x1f\x7f]/.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/[\0-\x1f\x7f'\\]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`)}'`;
}

/** Words to compare with those of one simple command. */
export interface CommandPattern {
  /** `null` stands for exactly one word, whatever it is. Never empty. */
  readonly words: readonly (string | null)[];
  /** True when no more words may follow. */
  readonly whole: boolean;
}

/**
 * Parses such as `npm run * $`: literal words, an unquoted `*` for exactly one word, an unquoted `$` at the end that forbids more. Quoted,
 * both mean themselves. Fails with `invalid_args` as `splitLiteralWords` does, and on a pattern without words (`reason: "empty"`).
 */
export function parseCommandPattern(text: string): CommandPattern {
  const tokens = split(text, (raw) => raw === "*");
  const whole = tokens.at(-1)?.raw === "$";
  const words = (whole ? tokens.slice(0, -1) : tokens).map(({ raw, value }) => (raw === "*" ? null : value));
  if (words.length === 0) throw fail("invalid_args", "a command pattern needs at least the program's name", { reason: "empty", text });
  if (tokens.slice(0, -1).some(({ raw }) => raw === "$")) {
    throw fail("invalid_args", "`$` forbids more words and so can only stand at the end; quote it to mean the character", {
      reason: "dollar_not_last",
      text,
    });
  }
  return { words, whole };
}

/** How words that are only known when the command runs are compared with a pattern. */
export interface DynamicWords {
  /** Indexes of words that may become no word or several, ascending. */
  readonly dynamic: readonly number[];
  /** `surely`: whatever they become, the pattern matches. `maybe`: they may become what it wants. */
  readonly match: "surely" | "maybe";
}

const ALL_KNOWN: DynamicWords = { dynamic: [], match: "surely" };

/** True when the words begin with the pattern, one by one; more words may follow unless the pattern forbids it. */
export function matchCommand(pattern: CommandPattern, argv: readonly string[], { dynamic, match }: DynamicWords = ALL_KNOWN): boolean {
  const { words, whole } = pattern;
  const [first = argv.length] = dynamic;
  // from there on nothing stands where it seems to
  const known = Math.min(words.length, first);
  if (!words.slice(0, known).every((word, index) => index < argv.length && (word === null || word === argv[index]))) return false;
  if (first >= argv.length) return argv.length >= words.length && (!whole || argv.length === words.length);
  if (match === "surely") return first >= words.length && !whole;
  return first < words.length || !whole || argv.slice(words.length).every((_, index) => dynamic.includes(words.length + index));
}

function split(text: string, isToken: (raw: string) => boolean): readonly { readonly value: string; readonly raw: string }[] {
  const words: { value: string; raw: string }[] = [];
  let at = 0;
  while (at < text.length) {
    if (isBlank(text.charAt(at))) {
      at += 1;
      continue;
    }
    const bare = /^[^ \t\n]*/.exec(text.slice(at, at + 2))?.[0] ?? "";
    const word: LiteralWord = isToken(bare)
      ? { ok: true, value: bare, end: at + bare.length }
      : text.charAt(at) === "\n"
        ? problem("a line break between words")
        : readLiteralWord(text, at);
    if (!word.ok) {
      const message = `not plain words: ${word.problem} in ${JSON.stringify(text)}; quote what is meant as it stands`;
      throw fail("invalid_args", message, { reason: "not_literal", problem: word.problem, text });
    }
    words.push({ value: word.value, raw: text.slice(at, word.end) });
    at = word.end;
  }
  return words;
}

/** Characters that mean themselves wherever they stand. */
function plainRun(text: string, at: number): string {
  const plain = /[A-Za-z0-9_@%+=:,./^!-]*/y;
  plain.lastIndex = at;
  return plain.exec(text)?.[0] ?? "";
}

/** The quoted piece at `at`, or `null` when none begins there. */
function readQuoted(text: string, at: number): LiteralWord | null {
  if (text.startsWith("'", at)) {
    const close = text.indexOf("'", at + 1);
    return close < 0 ? problem("an unclosed single quote") : checked(text.slice(at + 1, close), close + 1);
  }
  if (text.startsWith('"', at)) return readDoubleQuoted(text, at + 1);
  if (text.startsWith("$'", at)) return readAnsiQuoted(text, at + 2);
  if (!text.startsWith("\\", at)) return null;
  const next = charAt(text, at + 1);
  if (next === "") return problem("a backslash at the end");
  return next === "\n" ? problem("a line break inside a word") : checked(next, at + 1 + next.length);
}

function readDoubleQuoted(text: string, start: number): LiteralWord {
  let value = "";
  for (let at = start; at < text.length; ) {
    const char = charAt(text, at);
    if (char === '"') return checked(value, at + 1);
    if (char === "`") return problem("a command substitution");
    // before one of these a dollar sign is only itself
    if (char === "$" && !/^["/ .,:;|)%]/.test(text.slice(at + 1, at + 2))) return problem("an expansion");
    if (char === "\\") {
      const next = text.charAt(at + 1);
      value += next === "\n" ? "" : /^[$`"\\]/.test(next) ? next : `\\${next}`;
      at += 2;
    } else {
      value += char;
      at += char.length;
    }
  }
  return problem("an unclosed double quote");
}

const ANSI_ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

/** `$'…'`. Only escapes that are the same in every locale; the rest is a problem. */
function readAnsiQuoted(text: string, start: number): LiteralWord {
  let value = "";
  for (let at = start; at < text.length; ) {
    const char = charAt(text, at);
    if (char === "'") return { ok: true, value, end: at + 1 };
    if (UNTELLABLE.test(char)) return problem("a control character or broken text");
    if (char !== "\\") {
      value += char;
      at += char.length;
      continue;
    }
    const [, octal, hex, unicode] = /^\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4}))/.exec(text.slice(at, at + 6)) ?? [];
    const digits = octal ?? hex ?? unicode;
    if (digits !== undefined) {
      const code = Number.parseInt(digits, octal === undefined ? 16 : 8);
      // 0 ends the word, 1 and 127 are bash's own marks, above 127 the locale decides
      if (code < 2 || code > 126) return problem("an escape that depends on the locale");
      value += String.fromCharCode(code);
      at += digits.length + (octal === undefined ? 2 : 1);
      continue;
    }
    const plain = ANSI_ESCAPES[text.charAt(at + 1)];
    if (plain === undefined) return problem("an escape that is not plain");
    value += plain;
    at += 2;
  }
  return problem("an unclosed single quote");
}

function unquotedProblem(text: string, at: number, start: number): string | null {
  const char = charAt(text, at);
  if (UNTELLABLE.test(char)) return "a control character or broken text";
  if (UNUSUAL_SPACE.test(char)) return "an unusual or invisible space";
  if (";&|<>()".includes(char)) return `an unquoted ${char}`;
  if (char === "`") return "a command substitution";
  // a dollar sign at the end of a word is only itself
  if (char === "$") return /^[ \t\n]?$/.test(text.slice(at + 1, at + 2)) ? null : "an expansion";
  if (char === "*" || char === "?") return "a wildcard";
  if (char === "[") return /^\[(?:[ \t\n]|$)/.test(text.slice(at, at + 2)) && at === start ? null : "a wildcard";
  if (char === "#") return at === start ? "a comment" : null;
  // also after = and :, where bash expands it in what looks like an assignment
  if (char === "~") return at === start || "=:".includes(text.charAt(at - 1)) ? "a home folder (~)" : null;
  return null;
}

function checked(value: string, end: number): LiteralWord {
  return UNTELLABLE.test(value) ? problem("a control character or broken text") : { ok: true, value, end };
}

function problem(why: string): Problem {
  return { ok: false, problem: why };
}

function isBlank(char: string): boolean {
  return char === " " || char === "\t";
}

/** The whole character at `at`, both halves of a pair; "" at the end. */
function charAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}
