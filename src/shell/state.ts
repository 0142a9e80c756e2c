import type { Function as FunctionNode } from "unbash";
import type { Input } from "./doing.ts";
import { environmentWithin } from "./environment.ts";
import { sameInput } from "./left-behind.ts";
import { ANYTHING, joinValues, sameValue, UNSET, type Value } from "./value.ts";
import type { Word } from "./word.ts";
import { COST, type Work, weightOfWords } from "./work.ts";

/** A function that the script defines. */
export interface DefinedFunction {
  /** What it may be. */
  readonly bodies: readonly FunctionNode["body"][];
  /** False: it may be not defined. */
  readonly sure: boolean;
}

const MAX_FOLDERS = 8;

/** What may hold at one point of a script: what its variables are, where it is, what its input is. */
export class State {
  /** Variables that the script has set; the others are as the environment has them. */
  variables = new Map<string, Value>();
  readonlyNames = new Set<string>();
  /** Variables that may change what is assigned to them: its letters, or what it is computed to. */
  changingNames = new Set<string>();
  /** Names that programs get as soon as they are set. */
  exportedNames = new Set<string>();
  functions = new Map<string, DefinedFunction>();
  /** `$1` …; `null`: not known. */
  positional: readonly Word[] | null = [];
  /** Where it may be, 8 at most, the likeliest first; `null`: not known. */
  folders: readonly string[] | null;
  /** Where it was before the last change of folder. */
  previous: readonly string[] | null = null;
  /** True in a shell that another script started, and gave its variables. */
  isWithin = false;
  stdin: Input = { kind: "empty" };
  /** True: what programs get in their environment may change what they do, so that none counts as known. */
  open = false;
  /** True: something ran of which nothing is known, so that nothing is certain. */
  lost = false;
  /** True: names on the disk may be others than those that were looked up. */
  stale = false;
  readonly environment: (name: string) => Value;
  private readonly work: Work;

  constructor(folders: readonly string[] | null, environment: (name: string) => Value, work: Work) {
    this.folders = folders;
    this.environment = environment;
    this.work = work;
  }

  copy(): State {
    return this.like(this.environment);
  }

  /** The start of another shell: the same place and input, no variables but those of the environment. */
  fresh(): State {
    const state = new State(this.folders, this.lost ? () => ANYTHING : environmentWithin(this.environment), this.work);
    return Object.assign(state, { isWithin: true, stdin: this.stdin, open: this.open, lost: this.lost, stale: this.stale });
  }

  get(name: string): Value {
    return this.variables.get(name) ?? (this.lost ? ANYTHING : this.environment(name));
  }

  /** True when no script set it. */
  isUntouched(name: string): boolean {
    return !this.lost && !this.isWithin && !this.variables.has(name);
  }

  set(name: string, value: Value): void {
    this.variables.set(name, this.changingNames.has(name) ? joinValues(value, ANYTHING) : value);
  }

  unset(name: string): void {
    this.set(name, UNSET);
  }

  /** Takes over all of another state. */
  become(other: State): void {
    Object.assign(this, other.copy());
  }

  /** From here on anything may be set, defined, and anywhere. */
  lose(): void {
    this.variables = new Map();
    this.positional = null;
    this.folders = null;
    this.previous = null;
    this.stdin = { kind: "unknown" };
    this.open = true;
    this.lost = true;
    this.stale = true;
  }

  /** Counts a walk over all that it holds: each name once, and what is another object in the other one. */
  spendOn(other: State = this): void {
    let different = 0;
    if (other !== this) {
      for (const name of differentNames(this, other)) different += weightOf(this.variables.get(name)) + weightOf(other.variables.get(name));
      if (this.positional !== other.positional) different += weightOfWords(this.positional ?? []) + weightOfWords(other.positional ?? []);
    }
    this.work.spend(COST.state + (this.variables.size + this.functions.size) * COST.name + different);
  }

  private like(environment: (name: string) => Value): State {
    this.spendOn();
    const state = new State(this.folders, environment, this.work);
    return Object.assign(state, this, {
      variables: new Map(this.variables),
      readonlyNames: new Set(this.readonlyNames),
      changingNames: new Set(this.changingNames),
      exportedNames: new Set(this.exportedNames),
      functions: new Map(this.functions),
    });
  }
}

/** What holds when one of two states does. */
export function joinStates(a: State, b: State): State {
  if (a === b) return a;
  a.spendOn(b);
  const joined = a.copy();
  if (a.lost || b.lost) joined.lose();
  else {
    for (const name of differentNames(a, b)) joined.variables.set(name, joinValues(a.get(name), b.get(name)));
    joined.positional = sameWords(a.positional, b.positional) ? a.positional : null;
    joined.folders = joinFolders(a.folders, b.folders);
    joined.previous = joinFolders(a.previous, b.previous);
    joined.stdin = sameInput(a.stdin, b.stdin) ? a.stdin : { kind: "unknown" };
    joined.open ||= b.open;
    joined.stale ||= b.stale;
  }
  joined.readonlyNames = new Set([...a.readonlyNames, ...b.readonlyNames]);
  joined.changingNames = new Set([...a.changingNames, ...b.changingNames]);
  joined.exportedNames = new Set([...a.exportedNames, ...b.exportedNames]);
  for (const name of new Set([...a.functions.keys(), ...b.functions.keys()])) {
    const [one, two] = [a.functions.get(name), b.functions.get(name)];
    if (one === two) continue;
    const bodies = [...new Set([...(one?.bodies ?? []), ...(two?.bodies ?? [])])];
    joined.functions.set(name, { bodies, sure: (one?.sure ?? false) && (two?.sure ?? false) });
  }
  return joined;
}

export function joinFolders(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null || b === null) return null;
  const all = [...new Set([...a, ...b])];
  return all.length > MAX_FOLDERS ? null : all;
}

/** True when nothing that holds in `b` is left out in `a`, which was made by joining it. */
export function sameStates(a: State, b: State): boolean {
  if (a.lost !== b.lost || a.open !== b.open || a.stale !== b.stale) return false;
  a.spendOn(b);
  if (a.readonlyNames.size !== b.readonlyNames.size || a.changingNames.size !== b.changingNames.size) return false;
  if (a.exportedNames.size !== b.exportedNames.size) return false;
  if (!sameWords(a.positional, b.positional) || !sameInput(a.stdin, b.stdin)) return false;
  if (JSON.stringify([a.folders, a.previous]) !== JSON.stringify([b.folders, b.previous])) return false;
  if (!differentNames(a, b).every((name) => a.variables.has(name) && b.variables.has(name) && sameValue(a.get(name), b.get(name))))
    return false;
  return (
    a.functions.size === b.functions.size &&
    [...a.functions].every(([name, { bodies, sure }]) => {
      const other = b.functions.get(name);
      return other?.sure === sure && other.bodies.length === bodies.length && bodies.every((body) => other.bodies.includes(body));
    })
  );
}

function sameWords(a: readonly Word[] | null, b: readonly Word[] | null): boolean {
  return a === b || (a?.length === b?.length && JSON.stringify(a) === JSON.stringify(b));
}

/** Variables whose values are not the same object in both. */
export function differentNames({ variables: a }: State, { variables: b }: State): readonly string[] {
  const names: string[] = [];
  for (const [name, value] of a) if (b.get(name) !== value) names.push(name);
  for (const name of b.keys()) if (!a.has(name)) names.push(name);
  return names;
}

/** What it costs to compare or join it with another. */
function weightOf(value: Value | undefined): number {
  return COST.value + weightOfWords(value?.kind === "scalar" ? value.options : (value?.elements ?? []));
}

/** Where execution can be after something ran: `ok` when it succeeded, `bad` when it failed. Both may be the same. */
export interface Flow {
  readonly ok: State;
  readonly bad: State;
  /** What it wrote to its standard output. */
  readonly prints: Input;
}

export const PRINTS_NOTHING: Input = { kind: "empty" };
export const PRINTS_ANYTHING: Input = { kind: "unknown" };

export function flowOf(state: State, prints: Input = PRINTS_NOTHING): Flow {
  return { ok: state, bad: state, prints };
}

/** After it, whatever its outcome. */
export function after({ ok, bad }: Flow): State {
  return joinStates(ok, bad);
}

/** The same, where it may not have run at all: then it failed, with this. */
export function unlessSkipped({ ok, bad, prints }: Flow, skipped: State): Flow {
  return { ok, bad: joinStates(bad, skipped), prints: prints.kind === "text" ? PRINTS_ANYTHING : prints };
}
