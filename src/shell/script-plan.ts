import type { ParsedScript } from "unbash";
import type { Effect } from "../base/effect.ts";
import { environmentOf } from "./environment.ts";
import { createMachine, type Parse, understood } from "./evaluator.ts";
import type { Machine } from "./machine.ts";
import { NotUnderstood } from "./not-understood.ts";
import type { PlanOptions, ScriptPlan, Table } from "./plan.ts";
import { remembering } from "./remembering.ts";
import { State } from "./state.ts";
import { knownWord } from "./word.ts";
import { createWork } from "./work.ts";

/**
 * What a bash script will do, without running it: each simple command in it, however it hides, with the files and addresses that it uses. A
 * script that is not understood as a whole gives one `unknown` effect whose reason says what was not understood; one that is given up on the
 * way, what was found until then and an `unknown` behind. Never throws for any text.
 *
 * Loads the grammar and the table of programs at its first call. Holds for `bash --noprofile --norc -c` with an empty standard input, in a
 * UTF-8 locale without CDPATH, POSIXLY_CORRECT, BASH_ENV, BASHOPTS, SHELLOPTS and exported functions in its environment.
 */
export async function scriptPlan(script: string, options: PlanOptions): Promise<ScriptPlan> {
  const { parse } = await import("unbash");
  const { work = createWork() } = options;
  let read: ParsedScript;
  try {
    // all of it is read before any of it is judged
    read = understood(script, { parse, dialect: "bash", work });
  } catch (error) {
    return { effects: [notUnderstood(error)], env: {} };
  }
  return planned({ ...options, work }, parse, (machine, state) => machine.runWhole({ script: read, text: script }, state));
}

/** What one command, started without a shell, will do. Never throws for any words. */
export async function commandPlan(argv: readonly string[], options: PlanOptions): Promise<ScriptPlan> {
  const { parse } = await import("unbash");
  return planned(options, parse, async (machine, state) => {
    await machine.runWords(argv.map(knownWord), state, "programs");
  });
}

async function planned(
  { cwd, home, look, table, work = createWork() }: PlanOptions,
  parse: Parse,
  run: (machine: Machine, state: State) => Promise<void>,
): Promise<ScriptPlan> {
  const known = table ?? (await wholeTable());
  const machine = createMachine({ parse, look: remembering(look, work), table: known, cwd, work });
  const state = new State([cwd], environmentOf(look, home), work);
  try {
    await run(machine, state);
  } catch (error) {
    // what was found until then stays: rules speak of it
    const { effects } = machine.effects.plan(known.gitQuiet);
    return { effects: [...effects.map(opened), notUnderstood(error)], env: {} };
  }
  return machine.effects.plan(known.gitQuiet);
}

async function wholeTable(): Promise<Table> {
  const { GIT_QUIET, programRow } = await import("./programs/index.ts");
  return { row: programRow, gitQuiet: GIT_QUIET };
}

/** A fault of the grammar or of a row is one more reason not to understand. */
function notUnderstood(error: unknown): Effect {
  const why = error instanceof NotUnderstood ? error.message : "the grammar failed on it";
  return { kind: "unknown", sure: "open", reason: `the script is not understood: ${why}`, commands: true };
}

function opened(effect: Effect): Effect {
  return effect.kind === "command" ? { ...effect, sure: "open" } : effect;
}
