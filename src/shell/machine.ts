import type { ParsedScript } from "unbash";
import type { Input } from "./doing.ts";
import type { EffectList } from "./effect-list.ts";
import type { Look } from "./look.ts";
import type { Table } from "./plan.ts";
import { type DefinedFunction, type Flow, joinStates, PRINTS_ANYTHING, type State } from "./state.ts";
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
  runWhole(script: Source, state: State): Promise<void>;
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
  readonly jumps: Jumps;
  /** `closed`: that of the standard descriptors one may have been closed. */
  readonly descriptors: { closed: boolean };
  /** Of each function that runs, the variables that it has for itself, and what they were. */
  readonly locals: { readonly name: string; readonly value: Value }[][];
}

/** A script, and the text that it was read from where that is at hand: it tells the lines apart. */
export interface Source {
  readonly script: ParsedScript;
  readonly text?: string;
}

/** Where execution may leave what it is in. */
export interface Jumps {
  /** What holds where `break` and `continue` leave their loops, and `return` its function. */
  loop: State[];
  function: State[];
  /** What may hold where an expansion fails, and bash goes on at the next line of the script; `null`: none can have failed. */
  dropped: State | null;
  /** True: the shell may have ended early, with less printed than is thought. */
  ends: boolean;
}

export type WordNode = import("unbash").Word;

/** An expansion may fail here: bash leaves the line, and goes on with the next one; other shells end. */
export function mayDrop({ jumps }: Machine, state: State): void {
  jumps.dropped = jumps.dropped ? joinStates(jumps.dropped, state) : state.copy();
  jumps.ends = true;
}

/** What runs in a shell of its own, which its failures end; what such a shell would have printed is not known. */
export async function inOwnShell({ jumps }: Machine, run: () => Promise<Flow>): Promise<Flow> {
  const { dropped, ends } = jumps;
  jumps.dropped = null;
  jumps.ends = false;
  const flow = await run();
  const isSure = flow.prints.kind !== "text" || !jumps.ends;
  jumps.dropped = dropped;
  jumps.ends ||= ends;
  return isSure ? flow : { ...flow, prints: PRINTS_ANYTHING };
}

/** What may not be done at all: behind it holds what it leaves, or what held before. */
export async function perhaps<Result>(state: State, run: () => Promise<Result>): Promise<Result> {
  const before = state.copy();
  const result = await run();
  state.become(joinStates(before, state));
  return result;
}

/** From here on nothing is known: which commands run, and so what holds after them. */
export function lose(machine: Machine, state: State, reason: string): void {
  machine.effects.add({ kind: "unknown", sure: "open", reason, commands: true });
  machine.everFolders = null;
  state.lose();
}
