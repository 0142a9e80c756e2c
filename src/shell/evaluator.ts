import type { ParsedScript } from "unbash";
import { agreeScript } from "./agree-script.ts";
import { createEffectList } from "./effect-list.ts";
import { shared } from "./left-behind.ts";
import type { Look } from "./look.ts";
import { inOwnShell, type Machine, type WordNode } from "./machine.ts";
import { MAX_CALLS, MAX_SCRIPT_LENGTH, NotUnderstood } from "./not-understood.ts";
import type { Table } from "./plan.ts";
import { walkPlainWords } from "./simple-command.ts";
import { after, type Flow, flowOf, joinStates, type State } from "./state.ts";
import { joinValues } from "./value.ts";
import { walkNode, walkScript } from "./walk.ts";
import { COST, type Work } from "./work.ts";

export type Parse = (source: string) => ParsedScript;

export interface EvaluatorOptions {
  readonly parse: Parse;
  readonly look: Look;
  readonly table: Table;
  readonly cwd: string;
  readonly work: Work;
}

/** Control characters, but for those that mean nothing in quotes (the escape character) or in comments (carriage returns), and broken text. */
const UNREADABLE = /[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f\p{Cs}]/u;

interface Reader {
  readonly parse: Parse;
  readonly dialect: "bash" | "sh";
  readonly work: Work;
}

/** The script that a text is, when both readers agree on it; else throws `NotUnderstood`. */
export function understood(text: string, { parse, dialect, work }: Reader): ParsedScript {
  if (text.length > MAX_SCRIPT_LENGTH) throw new NotUnderstood(`it is longer than ${MAX_SCRIPT_LENGTH} characters`);
  if (UNREADABLE.test(text)) throw new NotUnderstood("it holds a control character or broken text");
  work.spend(COST.text + text.length * COST.source);
  const script = parse(text);
  agreeScript(script, text, dialect);
  return script;
}

/** Puts the parts of the evaluator together for one plan. */
export function createMachine({ parse, look, table, cwd, work }: EvaluatorOptions): Machine {
  const effects = createEffectList(work);
  const words = new Map<string, readonly WordNode[]>();
  const counts = { depth: 0 };
  const descriptors = { closed: false };
  const within = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    counts.depth += 1;
    if (counts.depth > MAX_CALLS) throw new NotUnderstood(`what it runs runs others more than ${MAX_CALLS} times over`);
    try {
      return await run();
    } finally {
      counts.depth -= 1;
    }
  };
  const machineOf = (dialect: "bash" | "sh", traps: string[]): Machine => {
    const machine: Machine = {
      look,
      table,
      effects,
      cwd,
      dialect,
      traps,
      everFolders: [cwd],
      everFunctions: new Map(),
      jumps: { loop: [], function: [], dropped: null, ends: false },
      locals: [],
      work,
      descriptors,
      wordsOf(text) {
        const known = words.get(text);
        if (known) return known;
        const script = understood(`x ${text}`, { parse, dialect, work });
        const [statement, ...others] = script.commands;
        const command = statement?.command;
        const suffix = command?.type === "Command" && others.length === 0 ? command.suffix : [];
        const found = suffix.flatMap((piece) => (piece.type === "Word" ? [piece] : []));
        if (found.length !== 1 || found[0]?.text !== text) throw new NotUnderstood("a word in it can be read in two ways");
        words.set(text, found);
        return found;
      },
      async substitution(script, state) {
        const inner = state.copy();
        const { ok, bad, prints } = await inOwnShell(machine, () => walkScript({ script }, inner, machine));
        state.stale ||= ok.stale || bad.stale;
        state.stdin = shared(state.stdin, ok.stdin, bad.stdin);
        return prints;
      },
      async runWhole(script, state) {
        await runTraps(machine, after(await walkScript(script, state, machine)));
      },
      runText: (text, state) => within(() => walkScript({ script: understood(text, { parse, dialect, work }), text }, state, machine)),
      runScript: (text, state, shell) =>
        within(async () => {
          const inner = machineOf(shell, []);
          inner.everFolders = state.folders;
          await inner.runWhole({ script: understood(text, { parse, dialect: shell, work }), text }, state);
          return flowOf(state, { kind: "unknown" });
        }),
      runWords: (list, state, lookup) => within(() => walkPlainWords(list, { state, machine, lookup })),
      call: (bodies, args, state) =>
        within(async () => {
          const { positional } = state;
          const outer = machine.jumps.function;
          const returns: State[] = [];
          machine.jumps.function = returns;
          machine.locals.push([]);
          state.positional = args.every((word) => word.known || word.single) ? args : null;
          let flow: Flow | null = null;
          for (const body of bodies) {
            const next = await walkNode(body, bodies.length === 1 ? state : state.copy(), machine);
            flow = flow ? { ok: joinStates(flow.ok, next.ok), bad: joinStates(flow.bad, next.bad), prints: { kind: "unknown" } } : next;
          }
          const locals = machine.locals.pop() ?? [];
          machine.jumps.function = outer;
          const end = returns.reduce(joinStates, flow ? after(flow) : state);
          if (!end.lost) {
            end.positional = positional;
            for (const { name, value } of locals) end.variables.set(name, joinValues(value, end.get(name)));
          }
          return flowOf(end, returns.length === 0 && flow ? flow.prints : { kind: "unknown" });
        }),
    };
    return machine;
  };
  return machineOf("bash", []);
}

/** Runs what was to run at the end: where, and with which variables, is as unknown as when. */
async function runTraps(machine: Machine, end: State): Promise<void> {
  const done = new Set<string>();
  // one may set another
  for (let text = machine.traps.shift(); text !== undefined; text = machine.traps.shift()) {
    if (done.has(text)) continue;
    done.add(text);
    const state = end.copy();
    state.lose();
    // where it may be, what may be defined, and what programs get, is known all the same
    state.functions = new Map(machine.everFunctions);
    state.folders = machine.everFolders;
    state.open = end.open;
    await machine.runText(text, state);
  }
}
