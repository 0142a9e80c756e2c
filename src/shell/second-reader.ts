/**
 * Pieces of words read a second time, beside the grammar: `null` where they hold more than text, or something whose meaning depends on where
 * it is read.
 */

/** Spaces that nobody sees, or that end a word in one locale and belong to it in another. */
const UNUSUAL_SPACE = /[\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/;
/** A dollar sign before one of these begins an expansion or another kind of quote. */
const AFTER_DOLLAR = /[A-Za-z0-9_({[@*#?$!'"`-]/;

/** Characters that were quoted, and those that were not, of one piece outside of quotes. */
export interface UnquotedText {
  readonly value: string;
  readonly runs: readonly { readonly text: string; readonly quoted: boolean }[];
}

export interface UnquotedOptions {
  /** What stands behind the piece. */
  readonly next: string;
  /** True when the piece begins a word. */
  readonly isStart: boolean;
  /** Blanks and operators that are text where the piece stands. */
  readonly allows?: RegExp;
}

/** A piece without quotes: backslashes quote, and nothing else may be special but what patterns, braces and home folders are made of. */
export function readUnquoted(text: string, { next, isStart, allows }: UnquotedOptions): UnquotedText | null {
  const runs: { text: string; quoted: boolean }[] = [];
  const add = (char: string, quoted: boolean): void => {
    const last = runs.at(-1);
    if (last?.quoted === quoted) last.text += char;
    else runs.push({ text: char, quoted });
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") {
      const quoted = text.charAt(at + 1);
      if (quoted === "" || /[\r\x1b]/.test(quoted)) return null;
      if (quoted !== "\n") add(quoted, true);
      at += 1;
    } else if (/[\r\x1b]/.test(char)) return null;
    else if ((/[\s;&|<>()'"`]/.test(char) && !allows?.test(char)) || UNUSUAL_SPACE.test(char)) return null;
    else if (char === "$" && AFTER_DOLLAR.test(text.charAt(at + 1) || next)) return null;
    else if (char === "#" && at === 0 && isStart) return null;
    else add(char, false);
  }
  return { value: runs.map((run) => run.text).join(""), runs };
}

/** A piece within double quotes. */
export function readDoubleQuoted(text: string, next: string): string | null {
  return readWithBackslashes(text, { next, escapes: /[$`"\\]/, ends: '"' });
}

/** A piece of a here-document whose end was not quoted. */
export function readHereDocument(text: string, next: string): string | null {
  return readWithBackslashes(text, { next, escapes: /[$`\\]/, ends: "" });
}

function readWithBackslashes(
  text: string,
  { next, escapes, ends }: { readonly next: string; readonly escapes: RegExp; readonly ends: string },
) {
  let value = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") {
      const quoted = text.charAt(at + 1);
      if (quoted === "" && next !== "") return null;
      value += quoted === "\n" ? "" : escapes.test(quoted) ? quoted : `\\${quoted}`;
      at += 1;
    } else if (char === "`" || (ends !== "" && char === ends)) return null;
    else if (char === "$" && /[A-Za-z0-9_({[@*#?$!-]/.test(text.charAt(at + 1) || next)) return null;
    else value += char;
  }
  return value;
}

/** What `\`…\`` holds when it is read as a script. */
export function readBackticks(text: string, isQuoted: boolean): string {
  return text.replace(isQuoted ? /\\([$`\\"])/g : /\\([$`\\])/g, "$1");
}
