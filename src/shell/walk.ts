/** Walks the statements of a script, and threads what may hold through them. */
import type { AndOr, Case, CompoundCommand, CompoundList, Function as FunctionNode, If, Pipeline, Redirected, Statement } from "unbash";
import { assign } from "./assign.ts";
import type { Input } from "./doing.ts";
import { type At, addRedirected } from "./doing-effects.ts";
import { createExpanding, eachChoice, expandValue } from "./expand.ts";
import { shared } from "./left-behind.ts";
import { inOwnShell, type Machine, type Source } from "./machine.ts";
import { redirected } from "./redirections.ts";
import { walkCommand } from "./simple-command.ts";
import { after, type Flow, flowOf, joinStates, PRINTS_ANYTHING, PRINTS_NOTHING, type State, unlessSkipped } from "./state.ts";
import { surePaths } from "./sure-paths.ts";
import { ANYTHING } from "./value.ts";
import { walkLoop } from "./walk-loops.ts";
import { compute, testCommand } from "./walk-tests.ts";
import { COST } from "./work.ts";

type Node = Statement["command"] | FunctionNode["body"];

/** All of a script, one statement after the other. What leaves a line of it goes on at the next. */
export async function walkScript({ script, text }: Source, state: State, machine: Machine): Promise<Flow> {
  const { jumps } = machine;
  const outer = jumps.dropped;
  jumps.dropped = null;
  const { commands } = script;
  const flow = await walkList(commands, state, machine, (held, index) => {
    const gap = text?.slice(commands[index - 1]?.end, commands[index]?.pos);
    const isLine = gap?.includes("\n") && !gap.includes("\\");
    const next = jumps.dropped && (isLine || gap === undefined) ? joinStates(held, jumps.dropped) : held;
    if (isLine) jumps.dropped = null;
    return next;
  });
  const end = jumps.dropped;
  jumps.dropped = outer;
  return end ? { ...flow, ok: joinStates(flow.ok, end), bad: joinStates(flow.bad, end) } : flow;
}

/** What holds before the statement with this index, from what holds behind the one before it. */
type Between = (held: State, index: number) => State;

async function walkList(
  statements: readonly Statement[],
  state: State,
  machine: Machine,
  between: Between = (held) => held,
): Promise<Flow> {
  let flow = flowOf(state);
  for (const [index, { command, background }] of statements.entries()) {
    const before = index === 0 ? state : between(after(flow), index);
    const printed = index === 0 ? null : flow.prints;
    if (background) {
      // it runs beside all that follows
      const inner = before.copy();
      inner.stdin = { kind: "empty" };
      await inOwnShell(machine, () => walkNode(command, inner, machine));
      before.stale = true;
      flow = { ...flowOf(before), prints: PRINTS_ANYTHING };
    } else {
      const next = await walkNode(command, before, machine);
      flow = { ...next, prints: printed ? bothPrinted(printed, next.prints) : next.prints };
    }
  }
  return flow;
}

/** The shell may end with the first: what the second prints is not certain to come. */
function bothPrinted(first: Input, second: Input): Input {
  if (second.kind === "empty") return first;
  return first.kind === "empty" && second.kind !== "text" ? second : PRINTS_ANYTHING;
}

/** Any command. */
export async function walkNode(node: Node, state: State, machine: Machine): Promise<Flow> {
  switch (node.type) {
    case "Command":
      return walkCommand(node, state, machine);
    case "AndOr":
      return andOr(node, state, machine);
    case "Pipeline":
      return pipeline(node, state, machine);
    case "Function": {
      const name = node.name.value;
      state.functions.set(name, { bodies: [node.body], sure: true });
      const { bodies = [] } = machine.everFunctions.get(name) ?? {};
      if (!bodies.includes(node.body)) machine.everFunctions.set(name, { bodies: [...bodies, node.body], sure: false });
      return flowOf(state);
    }
    case "Coproc": {
      const inner = state.copy();
      inner.stdin = { kind: "unknown" };
      await inOwnShell(machine, () => walkNode(node.body, inner, machine));
      state.stale = true;
      const name = node.name?.value ?? "COPROC";
      for (const each of [name, `${name}_PID`]) assign(each, ANYTHING, { state, machine });
      return flowOf(state);
    }
    case "Redirected":
      return walkRedirected(node, state, machine);
    case "CompoundList":
      return walkList(node.commands, state, machine);
    default:
      return compound(node, state, machine);
  }
}

/** What is left of an input for one of several that read it line by line. */
function partOf(input: Input): Input {
  if (input.kind === "text" || (input.kind === "paths" && input.plain)) return { ...input, part: true };
  return input.kind === "empty" ? input : { kind: "unknown" };
}

async function compound(node: CompoundCommand, state: State, machine: Machine): Promise<Flow> {
  machine.work.spend(COST.compound);
  // the first of its commands may take some of it
  state.stdin = partOf(state.stdin);
  switch (node.type) {
    case "BraceGroup":
      return walkList(node.body.commands, state, machine);
    case "Subshell": {
      const { ok, bad, prints } = await inOwnShell(machine, () => walkList(node.body.commands, state.copy(), machine));
      state.stdin = shared(state.stdin, ok.stdin, bad.stdin);
      return flowOf(state, prints);
    }
    case "If":
      return branches([node, ...node.elif], node.else, { state, machine });
    case "While":
    case "For":
    case "Select":
    case "ArithmeticFor":
      return walkLoop(node, { state, machine }, (list, inner) => walkList(list.commands, inner, machine));
    case "Case":
      return cases(node, state, machine);
    case "TestCommand":
      return testCommand(node, state, machine);
    case "ArithmeticCommand":
      await compute(node.expression, state, machine);
      return flowOf(state);
  }
}

async function andOr({ commands, operators }: AndOr, state: State, machine: Machine): Promise<Flow> {
  const [first, ...rest] = commands;
  if (!first) return flowOf(state);
  let flow = await walkNode(first, state, machine);
  for (const [index, command] of rest.entries()) {
    const isAnd = operators[index] === "&&";
    const [taken, skipped] = isAnd ? [flow.ok, flow.bad] : [flow.bad, flow.ok];
    const other = skipped.copy();
    const next = await walkNode(command, taken, machine);
    const prints = flow.prints.kind === "empty" && next.prints.kind === "empty" ? PRINTS_NOTHING : PRINTS_ANYTHING;
    flow = isAnd ? { ok: next.ok, bad: joinStates(next.bad, other), prints } : { ok: joinStates(next.ok, other), bad: next.bad, prints };
  }
  return flow;
}

async function pipeline({ commands, operators, prefixes }: Pipeline, state: State, machine: Machine): Promise<Flow> {
  const isNegated = prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
  const turned = (flow: Flow): Flow => (isNegated ? { ...flow, ok: flow.bad, bad: flow.ok } : flow);
  const [only] = commands;
  if (commands.length === 1 && only) return turned(await walkNode(only, state, machine));
  // each in a shell of its own, all at once: what one writes the others may find
  const walk = async (stale: boolean): Promise<{ readonly prints: Input; readonly isStale: boolean }> => {
    let input = state.stdin;
    let isStale = false;
    for (const [index, command] of commands.entries()) {
      const inner = state.copy();
      inner.stale ||= stale;
      inner.stdin = takesApart(command) ? await surePaths(input, { state: inner, machine }) : input;
      const flow = await inOwnShell(machine, () => walkNode(command, inner, machine));
      isStale ||= flow.ok.stale || flow.bad.stale;
      if (index === 0) state.stdin = shared(state.stdin, flow.ok.stdin, flow.bad.stdin);
      input = operators[index] === "|&" ? PRINTS_ANYTHING : flow.prints;
    }
    return { prints: input, isStale };
  };
  const mark = machine.effects.mark();
  let end = await walk(false);
  if (end.isStale && !state.stale) {
    machine.effects.rollback(mark);
    end = await walk(true);
  }
  state.stale ||= end.isStale;
  return flowOf(state, end.prints);
}

/** True for what may take a list of paths apart: to look whether that is certain costs a walk over the disk. */
function takesApart(node: Node): boolean {
  return node.type !== "Command" || node.name?.value === "xargs";
}

async function branches([first, ...rest]: readonly Branch[], last: CompoundList | undefined, at: At): Promise<Flow> {
  const { state, machine } = at;
  if (!first) return last ? walkList(last.commands, state, machine) : flowOf(state);
  const clause = await walkList(first.clause.commands, state, machine);
  const otherwise = clause.bad.copy();
  const taken = await walkList(first.then.commands, clause.ok, machine);
  const flow = await branches(rest, last, { state: otherwise, machine });
  return { ok: joinStates(taken.ok, flow.ok), bad: joinStates(taken.bad, flow.bad), prints: PRINTS_ANYTHING };
}

type Branch = Pick<If, "clause" | "then">;

async function cases({ word, items }: Case, state: State, machine: Machine): Promise<Flow> {
  const expanding = createExpanding(state, machine);
  await expandValue(word, expanding);
  let joined = state.copy();
  let through: State | null = null;
  for (const { pattern, body, terminator } of items) {
    machine.work.spend(COST.compound);
    for (const each of pattern) await expandValue(each, expanding);
    const from: State = through ? joinStates(through, state) : state.copy();
    const end = after(await walkList(body.commands, from, machine));
    joined = joinStates(joined, end);
    through = terminator === ";&" || terminator === ";;&" ? end : through;
  }
  return flowOf(joined, PRINTS_ANYTHING);
}

async function walkRedirected({ command, redirects }: Redirected, state: State, machine: Machine): Promise<Flow> {
  const expanding = createExpanding(state, machine);
  const stdin = state.stdin;
  let keepsOutput = true;
  let isSure = true;
  for (const each of await eachChoice(expanding, () => redirected(redirects, expanding))) {
    keepsOutput &&= each.keepsOutput;
    isSure &&= each.isSure;
    await addRedirected(each, { state, machine });
    if (each.stdin) state.stdin = partOf(each.stdin);
  }
  const skipped = isSure ? null : state.copy();
  const flow = await walkNode(command, state, machine);
  for (const each of new Set([flow.ok, flow.bad])) if (!each.lost) each.stdin = stdin;
  if (skipped) skipped.stdin = stdin;
  const all = skipped ? unlessSkipped(flow, skipped) : flow;
  return keepsOutput ? all : { ...all, prints: PRINTS_ANYTHING };
}
