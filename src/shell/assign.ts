import { classOf } from "./environment.ts";
import { lose, type Machine } from "./machine.ts";
import type { State } from "./state.ts";
import type { Value } from "./value.ts";

/** Where a variable is set. */
export interface Assigning {
  readonly state: State;
  readonly machine: Machine;
  /** `yes`: programs get it from here on. Default `as_before`. */
  readonly exported?: "yes" | "as_before";
}

/** Sets a variable of the shell, with all that follows from its name. */
export function assign(name: string, value: Value, { state, machine, exported = "as_before" }: Assigning): void {
  // the shell ends, or leaves the line, or goes on, by what sets it and by its dialect
  if (state.readonlyNames.has(name)) lose(machine, state, `it sets ${name}, which it has made read-only`);
  state.set(name, value);
  const isExported = exported === "yes" || state.exportedNames.has(name);
  const meaning = classOf(name, { exported: isExported ? "yes" : "as_before", look: machine.look });
  if (meaning === "deciding") lose(machine, state, `it ${isExported ? "exports" : "sets"} ${name}, which decides what commands do`);
  else if (meaning === "open") state.open = true;
}
