/**
 * Text from a model, a file or a process, made safe for a person's screen: what is shown is what is there, and nothing in it can move the
 * cursor, colour the screen, turn the direction of writing, or hide.
 */

/**
 * Everything that a terminal obeys or does not draw: control characters, format characters (bidi, zero-width, soft hyphen, tags), line
 * and paragraph separators, surrogates without their half, private use, and what Unicode says may be left undrawn (fillers, variation
 * selectors).
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A variation selector right after a picture only picks its coloured form, as in a warning sign; there it stays. */
const AFTER_PICTURE = /\p{Extended_Pictographic}$/u;

/** `text` with unsafe characters as escapes (`\x1b`, `\u{202e}`); `\n` and `\t` stay. */
export function showText(text: string): string {
  return text.replace(UNSAFE, (char, at: number) => {
    if (char === "\n" || char === "\t") return char;
    if (char === "\ufe0f" && AFTER_PICTURE.test(text.slice(Math.max(0, at - 2), at))) return char;
    return escaped(char);
  });
}

/** As `showText`, for a place that has one line: line breaks and tabs become escapes too. */
export function showLine(text: string): string {
  return showText(text).replace(/[\n\t]/g, (char) => (char === "\n" ? "\\n" : "\\t"));
}

function escaped(char: string): string {
  if (char === "\r") return "\\r";
  const code = char.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`;
  return `\\u{${code.toString(16).padStart(4, "0")}}`;
}
