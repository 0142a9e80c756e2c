import { NotUnderstood } from "./not-understood.ts";
import type { Word } from "./word.ts";

/**
 * The work of one plan, counted: whatever walks, copies, expands or looks something up spends of it first, so that no script, however it is
 * written, keeps the planner busy for long. No clock: the same script on the same disk is given up at the same point on every machine.
 */
export interface Work {
  /** Throws `NotUnderstood` when there is none left, and from then on always. */
  spend(steps: number): void;
  /** What was spent until now. */
  readonly spent: number;
}

/** In steps. Measured: 0.1 µs each, so that all of it is gone in about 15 ms. */
export const MAX_WORK = 130_000;

/** What things cost, in steps. Measured with `bench/shell-plan.mjs`. */
export const COST = {
  /** A command that is looked at, again in each round of a loop and each call of a function. */
  command: 100,
  /** A group, a branch or another compound command. */
  compound: 30,
  /** A question about the disk that was not asked before. */
  look: 300,
  /** An effect. */
  effect: 20,
  /** What may hold at one point of a script, copied, joined or compared. */
  state: 20,
  /** A variable or a function in it. */
  name: 0.6,
  /** A variable in it that is not the same object in two of them. */
  value: 20,
  /** A word, or a piece of one. */
  word: 5,
  /** A text that is read by the grammar. */
  text: 100,
  /** A part of a word as it is written, expanded. */
  part: 10,
  /** A character of a word. */
  char: 0.25,
  /** A word with wildcards, beside the names that it is held against. */
  wildcard: 100,
  /** A character of a name that is held against a piece of a pattern. */
  match: 0.02,
  /** A character of a path that is followed. */
  path: 1,
  /** A character of a word with braces, for each of them. */
  brace: 0.05,
  /** A character that the grammar reads. */
  source: 1.5,
} as const;

export function createWork(limit: number = MAX_WORK): Work {
  let spent = 0;
  return {
    spend(steps) {
      spent += steps;
      if (spent > limit) throw new NotUnderstood(`it takes more than ${limit} steps to follow`);
    },
    get spent() {
      return spent;
    },
  };
}

/** What a walk over the text of some words costs. */
export function weightOfWords(words: readonly Word[]): number {
  return words.reduce((weight, word) => weight + COST.word + (word.known ? word.value : word.raw).length * COST.char, 0);
}
