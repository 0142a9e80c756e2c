import { type Form, LINE_BREAKS, type Place } from "./spellings.ts";

/** Results of a match beside the end of a whole one. */
export const NO_MATCH = -1;
/** The bytes end before it is decided. */
export const UNDECIDED = -2;

/** One form, ready to be compared, and the mark that takes its place. */
export interface Matcher {
  readonly mark: Uint8Array;
  /**
   * The end of the longest match that begins at `at`; `NO_MATCH`; `UNDECIDED` when more bytes could make a match, or a longer one.
   * @param options `isEnd`: no more bytes will come.
   */
  match(bytes: Uint8Array, at: number, options: { readonly isEnd: boolean }): number;
}

/** A form as bytes. */
interface Compiled {
  /** The first spelling of every place: how the value mostly turns up. */
  readonly plain: Uint8Array;
  /** True when nothing longer can begin with `plain`. */
  readonly isPlainWhole: boolean;
  /** For each place its spellings by their first byte, line breaks included. */
  readonly steps: readonly ReadonlyMap<number, readonly Uint8Array[]>[];
}

export function createMatcher(form: Form, mark: string): Matcher {
  // made at the first candidate: most forms never meet one
  let compiled: Compiled | undefined;
  return {
    mark: Buffer.from(mark),
    match(bytes, at, options) {
      compiled ??= compile(form);
      const { plain, isPlainWhole } = compiled;
      const isPlain = isPlainWhole && sameBytes(bytes, at, plain) === plain.length;
      return isPlain ? at + plain.length : matchSteps(compiled, bytes, { at, ...options });
    },
  };
}

function matchSteps({ steps }: Compiled, bytes: Uint8Array, { at, isEnd }: { readonly at: number; readonly isEnd: boolean }): number {
  // one spelling may begin another (`%` and `%25`), so several ends can be alive at once
  let ends: readonly number[] = [at];
  let isUndecided = false;
  for (const step of steps) {
    const next: number[] = [];
    for (const end of ends) {
      if (end === bytes.length) isUndecided = true;
      for (const spelling of step.get(bytes[end] ?? -1) ?? []) {
        const same = sameBytes(bytes, end, spelling);
        if (same === spelling.length) {
          if (!next.includes(end + same)) next.push(end + same);
        } else if (end + same === bytes.length) isUndecided = true;
      }
    }
    ends = next;
    if (ends.length === 0) break;
  }
  if (isUndecided && !isEnd) return UNDECIDED;
  return ends.reduce((longest, end) => Math.max(longest, end), NO_MATCH);
}

/**
 * Every beginning of `length` bytes that a form may have, as Latin-1. Of line breaks, there is one at most in them: lines are longer.
 */
export function startsOf(form: Form, length: number): ReadonlySet<string> {
  const whole = new Set<string>();
  let open: Record<"unbroken" | "broken", readonly string[]> = { unbroken: [""], broken: [] };
  for (const { spellings, isBreakable } of form) {
    const longer = { unbroken: [] as string[], broken: [] as string[] };
    const extend = (start: string, target: string[]) => {
      for (const spelling of spellings) {
        const text = start + spelling;
        if (text.length < length) target.push(text);
        else whole.add(text.slice(0, length));
      }
    };
    for (const start of open.broken) extend(start, longer.broken);
    for (const start of open.unbroken) {
      extend(start, longer.unbroken);
      if (isBreakable) for (const lineBreak of LINE_BREAKS) extend(start + lineBreak, longer.broken);
    }
    open = longer;
    if (open.unbroken.length + open.broken.length === 0) break;
  }
  return whole;
}

function compile(form: Form): Compiled {
  const isPlainWhole = form.every(({ spellings: [first = "", ...others] }) => !others.some((other) => other.startsWith(first)));
  const known = new Map<Place, ReadonlyMap<number, readonly Uint8Array[]>>();
  const steps = form.map((place) => {
    const step = known.get(place) ?? stepOf(place);
    known.set(place, step);
    return step;
  });
  return { plain: Buffer.from(form.map(({ spellings }) => spellings[0]).join(""), "latin1"), isPlainWhole, steps };
}

function stepOf({ spellings, isBreakable }: Place): ReadonlyMap<number, readonly Uint8Array[]> {
  const step = new Map<number, Uint8Array[]>();
  const breaks = isBreakable ? ["", ...LINE_BREAKS] : [""];
  for (const text of breaks.flatMap((lineBreak) => spellings.map((spelling) => lineBreak + spelling))) {
    const bytes = Buffer.from(text, "latin1");
    const first = bytes[0] ?? -1;
    step.set(first, [...(step.get(first) ?? []), bytes]);
  }
  return step;
}

/** How many bytes of `spelling` stand at `at`. */
function sameBytes(bytes: Uint8Array, at: number, spelling: Uint8Array): number {
  let same = 0;
  while (same < spelling.length && at + same < bytes.length && bytes[at + same] === spelling[same]) same++;
  return same;
}
