/** Longer scripts of `sed` and `awk` are not read: nobody would look through them, and this many characters take 15 ms (measured). */
export const MAX_LITTLE_SCRIPT = 16 * 1024;

/** How a reader finds the end of a part: `text`: at the next delimiter without a backslash. `brackets`: at the next one outside `[…]`. */
export type Reading = "text" | "brackets";

/**
 * Where a part of a script ends that stands between delimiters, as in `s/…/…/`; `from` is the place of its first character. `null`: it does not
 * end on its line, or where depends on whether a backslash escapes within `[…]`, on which programs differ.
 */
export function delimitedEnd(
  text: string,
  from: number,
  { delimiter, reading }: { readonly delimiter: string; readonly reading: Reading },
): number | null {
  const end = endBy(text, from, { delimiter, reading, escapesInBrackets: false });
  return end === endBy(text, from, { delimiter, reading, escapesInBrackets: true }) ? end : null;
}

interface Rules {
  readonly delimiter: string;
  readonly reading: Reading;
  readonly escapesInBrackets: boolean;
}

function endBy(text: string, from: number, { delimiter, reading, escapesInBrackets }: Rules): number | null {
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === delimiter) return at;
    if (char === "\n") return null;
    if (char === "\\") at += 1;
    if (char !== "[" || reading === "text") continue;
    const close = bracketEnd(text, at, escapesInBrackets);
    if (close === null) return null;
    at = close;
  }
  return null;
}

/** Where the `]` stands that closes the `[` at `open`, on the same line. */
function bracketEnd(text: string, open: number, escapes: boolean): number | null {
  const first = text.charAt(open + 1) === "^" ? open + 2 : open + 1;
  for (let at = first; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "]" && at > first) return at;
    if (char === "\n") return null;
    if (char === "\\" && escapes) at += 1;
    if (char !== "[") continue;
    const mark = text.charAt(at + 1);
    if (mark !== ":" && mark !== "." && mark !== "=") continue;
    const end = text.indexOf(`${mark}]`, at + 2);
    if (end < 0) return null;
    at = end + 1;
  }
  return null;
}
