/**
 * Names held against patterns. No regular expression does it: with several `*` those take a time that grows with a power of the name's length,
 * and a repository chooses the names.
 */

/** A piece of a pattern. `many`: any characters, or none. `any`: one. `none_of`: what is none of these to the end of the name. */
export type Token =
  | { readonly kind: "many" | "any" }
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "set"; readonly set: RegExp }
  | { readonly kind: "texts"; readonly texts: readonly string[]; readonly optional: boolean }
  | { readonly kind: "none_of"; readonly texts: readonly string[] };

export interface MatchOptions {
  /** True: small and capital letters are the same. Default false. */
  readonly caseless?: boolean;
}

/** True when the whole name matches. Takes a time that grows with the product of both lengths. */
export function matchesName(tokens: readonly Token[], name: string, { caseless = false }: MatchOptions = {}): boolean {
  const chars = [...name];
  // the places in the name that what came before may end at
  let places = new Uint8Array(chars.length + 1);
  places[0] = 1;
  for (const token of tokens) {
    places = behind(token, { places, chars, caseless });
    if (!places.includes(1)) return false;
  }
  return places[chars.length] === 1;
}

/** The pattern that a glob of `*` and `?` is. */
export function tokensOfGlob(glob: string): readonly Token[] {
  return [...glob].map((char): Token => (char === "*" ? { kind: "many" } : char === "?" ? { kind: "any" } : { kind: "char", char }));
}

interface Reached {
  /** 1 where one is. */
  readonly places: Uint8Array;
  readonly chars: readonly string[];
  readonly caseless: boolean;
}

/** The places that may be reached behind one more piece. */
function behind(token: Token, { places, chars, caseless }: Reached): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(places.length);
  if (token.kind === "many") return next.fill(1, places.indexOf(1));
  for (const [at, isPlace] of places.entries()) {
    if (isPlace === 0) continue;
    if (token.kind === "texts") {
      if (token.optional) next[at] = 1;
      for (const text of token.texts) if (chars.slice(at, at + text.length).join("") === text) next[at + text.length] = 1;
    } else if (token.kind === "none_of") {
      if (!token.texts.includes(chars.slice(at).join(""))) next[chars.length] = 1;
    } else {
      const char = chars[at];
      if (char !== undefined && isOne(token, char, caseless)) next[at + 1] = 1;
    }
  }
  return next;
}

function isOne(token: Exclude<Token, { readonly kind: "texts" | "none_of" }>, char: string, caseless: boolean): boolean {
  if (token.kind === "set") return token.set.test(char);
  if (token.kind !== "char") return true;
  const wanted = token.char;
  return char === wanted || (caseless && (char.toLowerCase() === wanted.toLowerCase() || char.toUpperCase() === wanted.toUpperCase()));
}
