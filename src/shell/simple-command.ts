import type { Assignment, Command, Redirection } from "unbash";
import { assign } from "./assign.ts";
import { assignedValue, assignmentWord } from "./assigned-value.ts";
import type { Builtin } from "./builtins/builtin.ts";
import { isDeclaration } from "./builtins/declarations.ts";
import { BUILTINS, POSIX_BUILTINS } from "./builtins/index.ts";
import type { Doing } from "./doing.ts";
import { type At, addJudged, addRedirected, programDoing, runAll } from "./doing-effects.ts";
import { classOf, type NameClass } from "./environment.ts";
import { createExpanding, eachChoice, expandFields } from "./expand.ts";
import type { Expanding } from "./expanding.ts";
import { leftBehind, sameInput } from "./left-behind.ts";
import { type Lookup, lose, type Machine, type WordNode } from "./machine.ts";
import { brief } from "./not-understood.ts";
import { type Redirected, redirected } from "./redirections.ts";
import { type Flow, flowOf, joinStates, PRINTS_ANYTHING, PRINTS_NOTHING, type State, unlessSkipped } from "./state.ts";
import { EMPTY, joinValues, sameValue, type Value } from "./value.ts";
import type { Word } from "./word.ts";
import { COST } from "./work.ts";

/** One simple command of a script. */
export async function walkCommand(command: Command, state: State, machine: Machine): Promise<Flow> {
  machine.work.spend(COST.command);
  const expanding = createExpanding(state, machine);
  const words = [...(command.name ? [command.name] : []), ...command.suffix].filter((piece) => !isRedirection(piece));
  const redirections = [...command.prefix, ...command.suffix].filter(isRedirection);
  const assignments = command.prefix.filter(isAssignment);
  const all = await eachChoice(expanding, async () => ({
    words: (await eachWord(words, expanding)).flat(),
    redirected: await redirected(redirections, expanding),
  }));
  const isSure = all.every((each) => each.redirected.isSure);
  const skipped = isSure ? null : state.copy();
  const values: { readonly name: string; readonly value: Value; readonly before: Value | undefined }[] = [];
  for (const node of assignments) {
    const value = await assignedValue(node, state, machine);
    values.push({ name: node.name, value, before: state.variables.get(node.name) });
    // the next of them may see it; without a command it holds from here on
    if (words.length === 0) assign(node.name, value, { state, machine });
    else if (!state.lost) state.variables.set(node.name, joinValues(state.get(node.name), value));
  }
  if (words.length > 0 && !state.lost) for (const { name, before } of values.toReversed()) restoreIn(state.variables, name, before);
  const listed = expanding.listed;
  let flow: Flow | null = null;
  for (const each of all) {
    const inner = all.length === 1 ? state : state.copy();
    const one = await walkWords({ ...each, values, listed, lookup: "all" }, inner, machine);
    flow = flow === null ? one : joinFlows(flow, one);
  }
  if (!flow) return flowOf(state);
  return skipped ? unlessSkipped(flow, skipped) : flow;
}

function restoreIn(variables: Map<string, Value>, name: string, before: Value | undefined): void {
  if (before === undefined) variables.delete(name);
  else variables.set(name, before);
}

interface Expanded {
  readonly words: readonly Word[];
  readonly redirected: Redirected;
  /** Variables that are set for this command alone. */
  readonly values: readonly { readonly name: string; readonly value: Value }[];
  readonly listed: ReadonlyMap<string, boolean>;
  readonly lookup: Lookup;
}

const NOT_REDIRECTED: Redirected = { files: [], network: [], unknown: [], stdin: null, keepsOutput: true, isSure: true };

/** Words as one simple command, such as those that a program is told to run. */
export function walkPlainWords(
  words: readonly Word[],
  { state, machine, lookup }: { readonly state: State; readonly machine: Machine; readonly lookup: Lookup },
): Promise<Flow> {
  machine.work.spend(COST.command);
  return walkWords({ words, redirected: NOT_REDIRECTED, values: [], listed: new Map(), lookup }, state, machine);
}

async function walkWords(expanded: Expanded, state: State, machine: Machine): Promise<Flow> {
  const { words, redirected, listed } = expanded;
  const [first] = words;
  if (!first) {
    for (const [path, isTree] of listed)
      machine.effects.add({ kind: "file.read", sure: "declared", path, ...(isTree ? { tree: true } : {}) });
    await addRedirected(redirected, { state, machine });
    // `$(<file)` is what the file holds
    return flowOf(state, redirected.stdin ? (redirected.isSure ? redirected.stdin : PRINTS_ANYTHING) : PRINTS_NOTHING);
  }
  if (!first.known || first.value === "") {
    await addRedirected(redirected, { state, machine });
    lose(machine, state, first.known ? "the name of a program is empty" : `which command ${brief(first.raw)} names is not known`);
    return flowOf(state, PRINTS_ANYTHING);
  }
  const stdin = state.stdin;
  if (redirected.stdin) state.stdin = redirected.stdin;
  const flow = await dispatch(first.value, expanded, { state, machine });
  for (const each of new Set([flow.ok, flow.bad])) {
    if (each.lost) continue;
    if (first.value === "exec" && redirected.stdin) each.stdin = { kind: "unknown" };
    else if (redirected.stdin) each.stdin = stdin;
  }
  return redirected.keepsOutput ? flow : { ...flow, prints: PRINTS_ANYTHING };
}

/** Finds what the name means, and runs that. */
async function dispatch(name: string, expanded: Expanded, { state, machine }: At): Promise<Flow> {
  const { words, lookup, redirected } = expanded;
  const builtin = lookup === "programs" ? null : builtinOf(name, machine);
  const defined = lookup === "all" ? state.functions.get(name) : undefined;
  if (!defined) return builtin ? runBuiltin(builtin, expanded, { state, machine }) : runProgram(expanded, { state, machine });
  const isSurely = defined.sure && !builtin && (await machine.table.row(name)) === null;
  // what it would be without the function is judged as well: rules speak of that name
  const other = isSurely ? null : state.copy();
  const otherFlow =
    other && (await (builtin ? runBuiltin(builtin, expanded, { state: other, machine }) : runProgram(expanded, { state: other, machine })));
  await addRedirected(redirected, { state, machine });
  const restore = setForCall(expanded, { state, machine });
  const flow = await machine.call(defined.bodies, words.slice(1), state);
  restore(flow);
  return otherFlow ? joinFlows(flow, otherFlow) : flow;
}

/** Builtins in which a variable that is set for the command alone counts. */
const SEES_VARIABLES = new Set(
  "eval . source command builtin exec cd pushd popd export declare typeset local readonly unset trap getopts".split(" "),
);

async function runBuiltin(builtin: Builtin, expanded: Expanded, { state, machine }: At): Promise<Flow> {
  const { words, redirected, listed, values } = expanded;
  const [first, ...args] = words;
  const name = first?.known ? first.value : "";
  const sees = SEES_VARIABLES.has(name) || (machine.dialect === "sh" && SPECIAL.has(name));
  const given = sees ? "plain" : givenTo(expanded, machine);
  const restore = sees ? setForCall(expanded, { state, machine }) : () => {};
  // other separators take away other things from the lines that are read
  const isSplit = values.some((each) => each.name === "IFS" && !(each.value.kind === "scalar" && sameValue(each.value, EMPTY)));
  const shared = state.stdin;
  if (isSplit) state.stdin = { kind: "unknown" };
  const { doing, after } = await builtin({ name, args, state, machine });
  if (isSplit) state.stdin = shared;
  await addJudged({ words, doing: given === "plain" ? doing : { ...doing, sure: "open" }, redirected, listed }, { state, machine });
  if (given === "deciding") addDeciding(machine);
  await runAll(doing.runs, { state, machine });
  const flow = (await after?.()) ?? flowOf(state, doing.prints ?? PRINTS_ANYTHING);
  restore(flow);
  return flow;
}

async function runProgram(expanded: Expanded, { state, machine }: At): Promise<Flow> {
  const { words, redirected, listed } = expanded;
  const plain = await programDoing(words, { state, machine });
  const given = givenTo(expanded, machine);
  const doing: Doing = given === "plain" ? plain : { ...plain, sure: "open" };
  await addJudged({ words, doing, redirected, listed }, { state, machine });
  if (given === "deciding") addDeciding(machine);
  // what it runs gets the same environment
  const inner = given === "plain" ? state : Object.assign(state.copy(), { open: true });
  await runAll(doing.runs, { state: inner, machine });
  state.stale ||= inner.stale;
  state.stdin = leftBehind(state.stdin, words, doing);
  return flowOf(state, doing.prints ?? PRINTS_ANYTHING);
}

/** What the variables that are set for a command alone mean, the gravest of them. */
function givenTo({ words, values }: Expanded, { look }: Machine): NameClass {
  const [first] = words;
  const reads = first?.known && /^(?:read|mapfile|readarray)$/.test(first.value);
  const classes = values.map(({ name }) => (reads && name === "IFS" ? "plain" : classOf(name, { exported: "yes", look })));
  return classes.includes("deciding") ? "deciding" : classes.includes("open") ? "open" : "plain";
}

function addDeciding({ effects }: Machine): void {
  const reason = "a command is given a variable that decides what it does, or which commands run";
  effects.add({ kind: "unknown", sure: "open", reason, commands: true });
}

/** Builtins behind which other shells keep the variables that are set for them. */
const SPECIAL = new Set(". : break continue eval exec exit export readonly return set shift times trap unset".split(" "));

/** Sets the variables of the command while it runs; what it gives back sets them as they were. */
function setForCall({ values, words }: Expanded, { state, machine }: At): (flow: Flow) => void {
  const [first] = words;
  const stays = machine.dialect === "sh" && first?.known && SPECIAL.has(first.value);
  const before = values.map(({ name }) => ({ name, value: state.get(name), isSet: state.variables.has(name) }));
  for (const { name, value } of values) assign(name, value, { state, machine, exported: "yes" });
  return ({ ok, bad }) => {
    for (const each of new Set([ok, bad])) {
      if (each.lost) continue;
      for (const { name, value } of before) each.set(name, joinValues(value, each.get(name)));
      if (stays) for (const { name, value } of values) each.set(name, joinValues(value, each.get(name)));
    }
  };
}

function builtinOf(name: string, { dialect }: Machine): Builtin | null {
  if (!Object.hasOwn(BUILTINS, name) || (dialect === "sh" && !POSIX_BUILTINS.has(name))) return null;
  return BUILTINS[name] ?? null;
}

async function eachWord(nodes: readonly (Assignment | WordNode)[], expanding: Expanding): Promise<(readonly Word[])[]> {
  const [first] = nodes;
  const declares = first?.type === "Word" && isDeclaration(first.text);
  const all: (readonly Word[])[] = [];
  for (const node of nodes) {
    if (node.type === "Word") all.push(await expandFields(node, expanding));
    else if (declares) all.push([await assignmentWord(node, expanding)]);
    else for (const word of expanding.machine.wordsOf(node.text)) all.push(await expandFields(word, expanding));
  }
  return all;
}

function joinFlows(a: Flow, b: Flow): Flow {
  const prints = sameInput(a.prints, b.prints) ? a.prints : PRINTS_ANYTHING;
  const ok = joinStates(a.ok, b.ok);
  return { ok, bad: a.ok === a.bad && b.ok === b.bad ? ok : joinStates(a.bad, b.bad), prints };
}

type Piece = Command["prefix"][number] | Command["suffix"][number];

function isRedirection(piece: Piece): piece is Redirection {
  return piece.type === "Redirect" || piece.type === "HereDoc" || piece.type === "HereString";
}

function isAssignment(piece: Piece): piece is Assignment {
  return piece.type === "Assignment";
}
