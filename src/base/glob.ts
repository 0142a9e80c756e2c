/**
 * Path patterns: `*` within a name (a leading dot included), `?` for one character, `[abc]`, `[a-z]`, `[!a]` for one of or none of a set,
 * `**` as a whole name for any number of names, none included. There is no escape character: `[*]` is the way to mean a star.
 */
import { fail } from "./fail.ts";

/** A compiled pattern, asked with the names of a path below the place that the pattern is anchored to; `[]` is that place itself. */
export interface Glob {
  readonly pattern: string;
  matches(names: readonly string[]): boolean;
  /** True when it matches the path and everything that can lie below it. */
  covers(names: readonly string[]): boolean;
  /** True when it matches the path or something that can lie below it. */
  reaches(names: readonly string[]): boolean;
  /**
   * True when it matches in such a way that the name at `index` is matched by a part of the pattern in which `spells` finds an unbroken
   * run of literal characters; `**` spells nothing.
   */
  matchesSpelled(names: readonly string[], at: { readonly index: number; readonly spells: (literal: string) => boolean }): boolean;
}

type Token = { readonly type: "literal"; readonly char: string } | { readonly type: "one" } | { readonly type: "any" } | CharacterSet;
interface CharacterSet {
  readonly type: "set";
  readonly negated: boolean;
  readonly ranges: readonly (readonly [number, number])[];
}
/** `null` stands for `**`. */
type Segment = { readonly tokens: readonly Token[]; readonly literals: readonly string[] } | null;

const MAX_PATTERN_LENGTH = 4096;

/**
 * Compiles a relative pattern. Matching takes time in proportion to pattern × path, whatever they hold. Fails with `invalid_args`
 * (`pattern`, `reason`): `empty`, `too_long`, `control_character`, `empty_name`, `dot_name`, `partial_globstar`, `backslash`, `braces`,
 * `unclosed_set`, `bad_range`.
 */
export function compileGlob(pattern: string): Glob {
  if (pattern === "") throw broken(pattern, "empty", "it is empty");
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw broken(pattern.slice(0, 80), "too_long", `it is longer than ${MAX_PATTERN_LENGTH} characters`);
  if (/[\0-\x1f\x7f\p{Cs}]/u.test(pattern)) throw broken(pattern, "control_character", "it holds a control character or broken text");
  const segments = pattern.split("/").map((name) => parseSegment(name, pattern));
  const live = (names: readonly string[], allowed: (at: number, segment: Segment) => boolean = () => true): ReadonlySet<number> => {
    let states = withGlobstars(new Set([0]), segments);
    for (const [at, name] of names.entries()) {
      const next = new Set<number>();
      const characters = [...name];
      for (const state of states) {
        const segment = segments[state];
        if (segment === undefined || !allowed(at, segment)) continue;
        if (segment === null) next.add(state);
        else if (matchName(segment.tokens, characters)) next.add(state + 1);
      }
      states = withGlobstars(next, segments);
      if (states.size === 0) break;
    }
    return states;
  };
  const matches = (names: readonly string[]): boolean => live(names).has(segments.length);
  return {
    pattern,
    matches,
    covers: (names) => segments.at(-1) === null && matches(names),
    reaches: (names) => live(names).size > 0,
    matchesSpelled: (names, { index, spells }) =>
      live(names, (at, segment) => at !== index || segment?.literals.some(spells) === true).has(segments.length),
  };
}

/** The pattern that matches this one name and no other. */
export function literalGlob(name: string): string {
  return name.replace(/[*?[{\\]/g, (char) => `[${char}]`);
}

/** Adds what a `**` reaches by standing for no name at all. */
function withGlobstars(states: Set<number>, segments: readonly Segment[]): Set<number> {
  for (const state of states) if (segments[state] === null) states.add(state + 1);
  return states;
}

function parseSegment(name: string, pattern: string): Segment {
  if (name === "**") return null;
  if (name === "") throw broken(pattern, "empty_name", "it has an empty name; write folder/** for all that lies below a folder");
  if (name === "." || name === "..") throw broken(pattern, "dot_name", "`.` and `..` do not stand in real paths");
  if (name.includes("**")) throw broken(pattern, "partial_globstar", "`**` has to be a whole name, as in src/**/a.ts");
  if (/\{.*,.*\}/.test(name))
    throw broken(pattern, "braces", "braces are no alternatives here; write one rule for each, or [{] for the character");
  const characters = [...name];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const char = characters[at] ?? "";
    if (char === "*") tokens.push({ type: "any" });
    else if (char === "?") tokens.push({ type: "one" });
    else if (char === "\\")
      throw broken(pattern, "backslash", "a backslash escapes nothing here; write [*] for a star and [\\] for a backslash");
    else if (char === "[") {
      const set = parseSet(characters, at + 1, pattern);
      tokens.push(set.token);
      at = set.end;
    } else tokens.push({ type: "literal", char });
  }
  return { tokens, literals: literalRuns(tokens) };
}

/** `start`: after the bracket; `end`: at the closing one. A `]` right at the start means itself. */
function parseSet(characters: readonly string[], start: number, pattern: string): { readonly token: CharacterSet; readonly end: number } {
  const negated = characters[start] === "!" || characters[start] === "^";
  const first = negated ? start + 1 : start;
  const close = characters.indexOf("]", first + 1);
  if (close < 0) throw broken(pattern, "unclosed_set", "a [ is not closed; write [[] for the character");
  const ranges: [number, number][] = [];
  for (let at = first; at < close; at += 1) {
    const isRange = characters[at + 1] === "-" && at + 2 < close;
    const low = codeOf(characters[at]);
    const high = isRange ? codeOf(characters[at + 2]) : low;
    if (high < low) throw broken(pattern, "bad_range", "a range in [ ] runs backwards");
    ranges.push([low, high]);
    if (isRange) at += 2;
  }
  return { token: { type: "set", negated, ranges }, end: close };
}

function codeOf(char: string | undefined): number {
  return char?.codePointAt(0) ?? 0;
}

function literalRuns(tokens: readonly Token[]): readonly string[] {
  const marked = tokens.map((token) => (token.type === "literal" ? token.char : "/")).join("");
  return marked.split("/").filter((run) => run !== "");
}

/** Two pointers and one place to go back to: the last star. */
function matchName(tokens: readonly Token[], characters: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < characters.length) {
    const current = tokens[token];
    if (current?.type === "any") {
      star = token;
      starAt = at;
      token += 1;
    } else if (current && matchCharacter(current, characters[at] ?? "")) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      starAt += 1;
      at = starAt;
      token = star + 1;
    } else return false;
  }
  return tokens.slice(token).every(({ type }) => type === "any");
}

function matchCharacter(token: Token, char: string): boolean {
  if (token.type === "literal") return token.char === char;
  if (token.type !== "set") return token.type === "one";
  const code = codeOf(char);
  return token.ranges.some(([low, high]) => low <= code && code <= high) !== token.negated;
}

function broken(pattern: string, reason: string, why: string): Error {
  return fail("invalid_args", `the path pattern ${JSON.stringify(pattern)} cannot be used: ${why}`, { pattern, reason });
}
