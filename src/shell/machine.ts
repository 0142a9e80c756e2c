import type { ParsedScript } from "unbash";
import type { Input } from "./doing.ts";
import type { EffectList } from "./effect-list.ts";
import type { Look } from "./look.ts";
import type { Table } from "./plan.ts";
import type { DefinedFunction, Flow, State } from "./state.ts";
import type { Value } from "./value.ts";
import type { Word } from "./word.ts";
import type { Work } from "./work.ts";

/** How the words of a command are looked up: as the shell does, without its functions, or as programs alone. */
export type Lookup = "all" | "no_functions" | "builtins" | "programs";

/** What runs a script in the mind: what the parts of the evaluator need of each other. States that are given are changed. */
export interface Machine {
  readonly look: Look;
  readonly table: Table;
  readonly effects: EffectList;
  /** The folder that the script starts in. */
  readonly cwd: string;
  /** Texts of traps, to be run when the script ends. */
  readonly traps: string[];
  /** Every body that a function of the script has at some time, by its name. */
  readonly everFunctions: Map<string, DefinedFunction>;
  /** Every folder that the script may have been in; `null`: not known. */
  everFolders: readonly string[] | null;
  /** Which shell reads the script. */
  readonly dialect: "bash" | "sh";
  /** The parts of a `$(…)`: in a shell of its own. */
  substitution(script: ParsedScript, state: State): Promise<Input>;
  /** A script that both readers agree on, in this shell; and what its traps run when it ends. */
  runWhole(script: ParsedScript, state: State): Promise<void>;
  /** A text that is run in this shell, as by `eval`. */
  runText(text: string, state: State): Promise<Flow>;
  /** The text in a shell of its own: `shell` reads it. */
  runScript(text: string, state: State, shell: "bash" | "sh"): Promise<Flow>;
  /** Words as one simple command. */
  runWords(words: readonly Word[], state: State, lookup: Lookup): Promise<Flow>;
  /** The words that a text with braces stands for, as the grammar reads them. */
  wordsOf(text: string): readonly WordNode[];
  /** What all of this spends of. */
  readonly work: Work;
  /** A call of a function: its body with these parameters. */
  call(bodies: DefinedFunction["bodies"], args: readonly Word[], state: State): Promise<Flow>;
  /** Where `break`, `continue` and `return` leave their loops and functions, by what they leave. */
  readonly jumps: { loop: State[]; function: State[] };
  /** Of each function that runs, the variables that it has for itself, and what they were. */
  readonly locals: { readonly name: string; readonly value: Value }[][];
}

export type WordNode = import("unbash").Word;

/** From here on nothing is known: which commands run, and so what holds after them. */
export function lose(machine: Machine, state: State, reason: string): void {
  machine.effects.add({ kind: "unknown", sure: "open", reason, commands: true });
  machine.everFolders = null;
  state.lose();
}
