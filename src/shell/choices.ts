/**
 * Picks one of several possibilities at a time, so that what reads the same variable twice sees the same value. Every combination comes once,
 * up to a limit, beyond which nothing is picked any more.
 */
export interface Choices {
  /** Index of the possibility to take, or `null`: all of them at once. The same key has the same answer until `next`. */
  pick(key: string, count: number): number | null;
  /** Goes on to the next combination; false: there was none. */
  next(): boolean;
  /** True when there were too many combinations: what was made until now does not hold all, and one more round does. */
  readonly isTooMany: boolean;
}

const MAX_COMBINATIONS = 64;

export function createChoices(): Choices {
  const picked = new Map<string, { at: number; readonly count: number }>();
  let rounds = 1;
  let isTooMany = false;
  return {
    pick(key, count) {
      if (isTooMany) return null;
      const known = picked.get(key);
      if (known) return Math.min(known.at, count - 1);
      picked.set(key, { at: 0, count });
      return 0;
    },
    next() {
      if (isTooMany) return false;
      // those that were asked for last turn first, since others may depend on what was picked before
      for (const [key, choice] of [...picked].reverse()) {
        if (choice.at + 1 < choice.count) {
          choice.at += 1;
          rounds += 1;
          isTooMany = rounds > MAX_COMBINATIONS;
          return true;
        }
        picked.delete(key);
      }
      return false;
    },
    get isTooMany() {
      return isTooMany;
    },
  };
}
