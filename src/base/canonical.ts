import { fail } from "./fail.ts";

/** Long text is encoded in pieces of this many code units, so that no second copy of it stands in memory. */
const PIECE_LENGTH = 64 * 1024;

/**
 * JSON in one form only (RFC 8785: keys sorted by UTF-16 code units, no white space, `undefined` members left out), so that equal values
 * have equal hashes. Fails with `log_encode_failed` on what JSON cannot say.
 */
export function canonicalJson(value: unknown): string {
  const pieces: string[] = [];
  writeCanonicalJson(value, (piece) => pieces.push(piece));
  return pieces.join("");
}

/** The same, piece by piece: for a hash of what may be large. */
export function writeCanonicalJson(value: unknown, write: (piece: string) => void): void {
  encode(value, "", write);
}

function encode(value: unknown, pointer: string, write: (piece: string) => void): void {
  if (typeof value === "string") encodeText(value, write);
  else if (value === null || typeof value === "boolean") write(JSON.stringify(value));
  else if (typeof value === "number" && Number.isFinite(value)) write(JSON.stringify(value));
  else if (Array.isArray(value)) encodeList(value, pointer, write);
  else if (typeof value === "object") encodeMembers(value, pointer, write);
  else throw fail("log_encode_failed", `not JSON at "${pointer}": ${typeof value}`, { pointer, type: typeof value });
}

function encodeList(list: readonly unknown[], pointer: string, write: (piece: string) => void): void {
  write("[");
  for (const [index, item] of list.entries()) {
    if (index > 0) write(",");
    encode(item, `${pointer}/${index}`, write);
  }
  write("]");
}

function encodeMembers(value: object, pointer: string, write: (piece: string) => void): void {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  write("{");
  for (const [index, [key, member]] of members.entries()) {
    write(`${index > 0 ? "," : ""}${JSON.stringify(key)}:`);
    encode(member, `${pointer}/${key}`, write);
  }
  write("}");
}

function encodeText(text: string, write: (piece: string) => void): void {
  if (text.length <= PIECE_LENGTH) {
    write(JSON.stringify(text));
    return;
  }
  write('"');
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PIECE_LENGTH, text.length);
    // half of a pair would be written as an escape
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length) end += 1;
    write(JSON.stringify(text.slice(at, end)).slice(1, -1));
    at = end;
  }
  write('"');
}
