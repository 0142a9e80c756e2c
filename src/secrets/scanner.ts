import { createMatcher, type Matcher, NO_MATCH, startsOf, UNDECIDED } from "./matcher.ts";
import { type Form, MIN_VALUE_BYTES } from "./spellings.ts";

/** What was found first. `open`: what begins there may become a match when more bytes come. */
export type Found =
  | { readonly type: "match"; readonly start: number; readonly end: number; readonly mark: Uint8Array }
  | { readonly type: "open"; readonly start: number }
  | null;

/** Every form begins with at least this many bytes, so the search may look at a window of them at once. */
const WINDOW = MIN_VALUE_BYTES;

/**
 * Looks for many forms at once after Wu and Manber (1994): the last two bytes of the window say how far it can move without missing a
 * beginning, mostly all of the way; a hash of the window then says which forms may begin there.
 */
export class Scanner {
  readonly #moves = new Uint8Array(0x10000).fill(WINDOW - 1);
  readonly #isStart = new Uint8Array(0x10000);
  readonly #byStart = new Map<number, Matcher[]>();
  readonly #byFirst = new Map<number, Matcher[]>();

  /** Looks for this form too from now on. */
  add(form: Form, mark: string): void {
    const matcher = createMatcher(form, mark);
    for (const start of startsOf(form, WINDOW)) {
      const bytes = Array.from(start, (byte) => byte.charCodeAt(0));
      for (let at = 0; at < WINDOW - 1; at++) {
        const pair = pairAt(bytes, at);
        this.#moves[pair] = Math.min(this.#moves[pair] ?? 0, WINDOW - 2 - at);
      }
      const hash = windowHash(bytes, 0);
      this.#isStart[hash & 0xffff] = 1;
      put(this.#byStart, hash, matcher);
      put(this.#byFirst, byteAt(bytes, 0), matcher);
    }
  }

  /**
   * The first match from `from` on, of those that begin at one place the longest.
   * @param options `isEnd`: no more bytes will come.
   */
  find(bytes: Uint8Array, from: number, options: { readonly isEnd: boolean }): Found {
    const moves = this.#moves;
    const last = bytes.length - WINDOW;
    let at = from;
    while (at <= last) {
      const move = moves[pairAt(bytes, at + WINDOW - 2)] ?? 0;
      if (move > 0) {
        at += move;
        continue;
      }
      const hash = windowHash(bytes, at);
      if (this.#isStart[hash & 0xffff] === 1) {
        const found = longestAt(bytes, at, { matchers: this.#byStart.get(hash) ?? [], ...options });
        if (found) return found;
      }
      at++;
    }
    if (options.isEnd) return null;
    // the last bytes are fewer than a window, and may begin anything
    for (let tail = Math.max(from, last + 1); tail < bytes.length; tail++) {
      const found = longestAt(bytes, tail, { matchers: this.#byFirst.get(byteAt(bytes, tail)) ?? [], ...options });
      if (found) return found;
    }
    return null;
  }
}

function longestAt(
  bytes: Uint8Array,
  at: number,
  { matchers, isEnd }: { readonly matchers: readonly Matcher[]; readonly isEnd: boolean },
): Found {
  let longest = NO_MATCH;
  let mark: Uint8Array | null = null;
  for (const matcher of matchers) {
    const end = matcher.match(bytes, at, { isEnd });
    if (end === UNDECIDED) return { type: "open", start: at };
    if (end > longest) {
      longest = end;
      mark = matcher.mark;
    }
  }
  return mark && { type: "match", start: at, end: longest, mark };
}

function put(map: Map<number, Matcher[]>, key: number, matcher: Matcher): void {
  const known = map.get(key);
  if (!known) map.set(key, [matcher]);
  // the starts of one form come together, so it can only be the last
  else if (known.at(-1) !== matcher) known.push(matcher);
}

type Bytes = { readonly [index: number]: number };

function windowHash(bytes: Bytes, at: number): number {
  const low = pairAt(bytes, at) | (pairAt(bytes, at + 2) << 16);
  const high = pairAt(bytes, at + 4) | (pairAt(bytes, at + 6) << 16);
  const mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

function pairAt(bytes: Bytes, index: number): number {
  return (byteAt(bytes, index) << 8) | byteAt(bytes, index + 1);
}

/** The byte there; the places are within the bytes. */
function byteAt(bytes: Bytes, index: number): number {
  return bytes[index] ?? 0;
}
