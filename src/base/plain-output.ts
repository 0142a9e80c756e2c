/**
 * What a program printed, as text for a model: UTF-8, other bytes as U+FFFD; no terminal control, and no character that breaks a transport
 * or a store. Line breaks stay where they are, so line numbers hold.
 *
 * - Escape sequences (colours, cursor movement, titles, links' targets) are taken out.
 * - `\r\n` is `\n`. Of a line that was overwritten by `\r`, as progress bars do, the last writing stays.
 * - Every other control character but `\n` and `\t` is shown by its picture: NUL as `␀`.
 */
export function plainOutput(bytes: Uint8Array): string {
  let text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (text.includes("\x1b") || text.includes("\x9b")) text = text.replace(ESCAPE_SEQUENCE, "");
  if (text.includes("\r")) text = text.split("\n").map(lastWriting).join("\n");
  return text.replace(CONTROL, picture);
}

/**
 * ECMA-48: control sequences, then strings with an end (never across a line, else an unterminated one would hide what follows), then
 * escapes of two characters, and what is left of a sequence that was cut off.
 */
const ESCAPE_SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)|\x1b[ -/]{0,8}[0-~]/g;

const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

function picture(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

function lastWriting(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === "\r") end--;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}
