/**
 * A form in which a value may turn up: a list of places, one after the other, each with every spelling that may stand there, so that one
 * form holds all mixtures: `a/b`, `a\/b`, `a%2Fb`. Spellings are bytes, written as Latin-1 strings.
 */
export type Form = readonly Place[];

export interface Place {
  readonly spellings: readonly string[];
  /** A line may be broken before it, as one of `LINE_BREAKS`. */
  readonly isBreakable: boolean;
}

/** How a line that is too long is broken; inside JSON the line feed is an escape. */
export const LINE_BREAKS: readonly string[] = ["\n", "\r\n", "\\n"];

/** Values shorter than this (UTF-8 bytes) are not redacted: they would be found in what has nothing to do with them. */
export const MIN_VALUE_BYTES = 8;
/** Lines of a value are values too from this length on: a key is often shown line by line. */
const MIN_LINE_BYTES = 16;

/**
 * Every form of a value of 8 bytes or more: plain, JSON-escaped (once and twice), percent- and form-encoded, hex, base64 and base64url in
 * all three alignments, the last two also wrapped into lines. White space at the ends does not count. Of a value of several lines, each
 * line of 16 bytes or more is a plain form of its own, except the armour of a PEM file, which is no secret.
 */
export function formsOf(value: string): readonly Form[] {
  const core = value.trim();
  const bytes = utf8(core);
  if (bytes.length < MIN_VALUE_BYTES) return [];
  const lines = core
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== core && utf8(line).length >= MIN_LINE_BYTES && !/^-----[A-Z0-9 ]+-----$/.test(line));
  const places = new PlaceCache();
  const plain = [core, ...lines].map((text) => written(text, places));
  return [...plain, hex(bytes, places), ...[0, 1, 2].map((shift) => base64(bytes, { shift, places }))];
}

/** A form with this text and nothing else. */
export function literal(text: string): Form {
  return [...utf8(text)].map((byte) => ({ spellings: [byte], isBreakable: false }));
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** A value has few different places, and a key in PEM has thousands of all. */
class PlaceCache {
  readonly #places = new Map<string, Place>();

  get(key: string, spellings: () => readonly string[], isBreakable: boolean): Place {
    const id = `${isBreakable} ${key}`;
    const known = this.#places.get(id) ?? { spellings: [...new Set(spellings())], isBreakable };
    this.#places.set(id, known);
    return known;
  }
}

/** As text, JSON or a part of a URL. */
function written(text: string, places: PlaceCache): Form {
  return Array.from(text.replaceAll("\r\n", "\n"), (character) => places.get(`text ${character}`, () => spellingsOf(character), false));
}

function spellingsOf(character: string): string[] {
  const short = SHORT_ESCAPES[character];
  const inJson = [...(short ? [short] : []), ...unicodeEscapes(character)];
  const spellings = [utf8(character), ...inJson, ...inJson.map(escapeAgain), ...percent(utf8(character))];
  if (character === " ") spellings.push("+");
  if (short) spellings.push(...inJson.flatMap(percentOfEscape));
  // a terminal and some tools end lines with both
  if (character === "\n") spellings.push("\r\n", "\\r\\n", "\\\\r\\\\n", "%0D%0A", "%0d%0a");
  return spellings;
}

function unicodeEscapes(character: string): string[] {
  const escaped = (digits: (unit: string) => string) =>
    Array.from({ length: character.length }, (_, index) => `\\u${digits(character.charCodeAt(index).toString(16).padStart(4, "0"))}`).join(
      "",
    );
  return [escaped((unit) => unit), escaped((unit) => unit.toUpperCase())];
}

/** As it stands in JSON within JSON. */
function escapeAgain(escaped: string): string {
  return escaped.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}

function percent(bytes: string): string[] {
  const lower = hexPairs(bytes).map((pair) => `%${pair}`);
  return [lower.join(""), lower.join("").toUpperCase()];
}

/** JSON within a URL: encoders differ in whether they touch what stands behind the backslash. */
function percentOfEscape(escaped: string): string[] {
  const rest = escaped.slice(1);
  return ["%5C", "%5c"].flatMap((backslash) => [rest, ...percent(rest)].map((end) => backslash + end));
}

/** Broken into lines as `xxd -p` does it. */
function hex(bytes: string, places: PlaceCache): Form {
  return hexPairs(bytes).map((pair, index) => places.get(`hex ${pair}`, () => [pair, pair.toUpperCase()], index > 0));
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  "+": ["+", "-", "%2B", "%2b", "\\u002B", "\\u002b"],
  "/": ["/", "_", "%2F", "%2f", "\\/", "\\u002F", "\\u002f"],
};

/**
 * As base64 and base64url, with `shift` bytes before the value in its group of three; broken into lines as `base64` does it. It begins
 * with the first digit that is the value's alone, so up to 4 bits of the value's first byte stay in the digit before. In the last digit,
 * which may hold bits of what follows, every digit that fits is a spelling.
 */
function base64(bytes: string, { shift, places }: { readonly shift: number; readonly places: PlaceCache }): Form {
  const bits = [...bytes].map((byte) => byte.charCodeAt(0).toString(2).padStart(8, "0")).join("");
  const groups = bits.slice((6 - ((shift * 8) % 6)) % 6).match(/.{1,6}/g) ?? [];
  return groups.map((group, index) => places.get(`base64 ${group}`, () => digitsOf(group).flatMap(spellingsOfDigit), index > 0));
}

function spellingsOfDigit(digit: string): readonly string[] {
  return BASE64_SPELLINGS[digit] ?? [digit];
}

/** The digits that begin with these bits. */
function digitsOf(bits: string): string[] {
  const first = Number.parseInt(bits.padEnd(6, "0"), 2);
  return [...BASE64.slice(first, first + 2 ** (6 - bits.length))];
}

function hexPairs(bytes: string): string[] {
  return [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0"));
}

/** The UTF-8 bytes as a Latin-1 string. */
function utf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
