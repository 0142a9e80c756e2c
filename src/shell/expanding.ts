import type { Choices } from "./choices.ts";
import type { Input } from "./doing.ts";
import type { Machine, WordNode } from "./machine.ts";
import type { State } from "./state.ts";
import type { Word } from "./word.ts";

/** What the expansion of the words of one command needs, and finds beside them. */
export interface Expanding {
  readonly state: State;
  readonly machine: Machine;
  readonly choices: Choices;
  /** What substitutions printed, by their node: each runs once, however many values the command is judged for. */
  readonly printed: Map<object, Input>;
  /** Folders whose names wildcards list; `true`: with those in all folders below. */
  readonly listed: Map<string, boolean>;
}

/** How a word is expanded: `fields`: as those of a command. `value`: as that of an assignment, one word without wildcards. */
export interface Expander {
  readonly expanding: Expanding;
  /** One word, as in quotes. */
  value(word: WordNode): Promise<Word>;
}
