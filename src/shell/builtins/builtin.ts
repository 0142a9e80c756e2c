import { type Doing, declared, open } from "../doing.ts";
import { lose, type Machine } from "../machine.ts";
import { type Flow, flowOf, PRINTS_ANYTHING, type State } from "../state.ts";
import type { Word } from "../word.ts";

/** One call of a builtin of bash. */
export interface BuiltinCall {
  readonly name: string;
  readonly args: readonly Word[];
  readonly state: State;
  readonly machine: Machine;
}

/** What a builtin does. */
export interface BuiltinDoing {
  readonly doing: Doing;
  /** What it does to the shell, once the command itself is on the list: it may change `state`. Absent: nothing. */
  readonly after?: () => Flow | Promise<Flow>;
}

/** A row of the table of builtins. Never throws for any words. */
export type Builtin = (call: BuiltinCall) => BuiltinDoing | Promise<BuiltinDoing>;

export type Builtins = Readonly<Record<string, Builtin>>;

/** True for the name of a variable without a subscript, which would be computed. */
export function isName(word: Word | undefined): word is Extract<Word, { known: true }> {
  return word?.known === true && /^[A-Za-z_]\w*$/.test(word.value);
}

/** A builtin that does nothing to the shell, and prints what is said. */
export function plain(doing: Partial<Omit<Doing, "sure">> = {}): BuiltinDoing {
  return { doing: declared(doing) };
}

/** A builtin that may run or change anything. */
export function anything({ state, machine }: BuiltinCall, reason: string): BuiltinDoing {
  return {
    doing: open(),
    after: () => {
      lose(machine, state, reason);
      return flowOf(state, PRINTS_ANYTHING);
    },
  };
}
