import type { Decision } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import { fail, isFailure } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import type { Policy } from "../permissions/index.ts";
import { type Plan, type PlanContext, type Tool, toolInternals } from "../tools/index.ts";
import { authorise, foresee, surveyPermits } from "./authorise.ts";
import { type CallScope, policyNow } from "./call.ts";
import { type Limited, withDeadline } from "./deadline.ts";
import { placeEffects, placePolicy } from "./place-effects.ts";
import { propose } from "./proposal.ts";
import { createReadGate, readKey } from "./read-gate.ts";
import { readView } from "./sandbox-view.ts";

/** Wall-clock limit of a call whose tool names none. The longest `timeout` of a command, and time to end it. */
export const DEFAULT_TIMEOUT_MS = 615_000;
/** What a call that is being stopped gets to end its processes (2 s from TERM to KILL) and say what it had. */
export const GRACE_MS = 5_000;

/** A call that may run: resolved, validated, planned and allowed. */
export interface Prepared {
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly plan: Plan;
  readonly effects: readonly Effect[];
  readonly planSha256: string;
  readonly decision: Decision;
  /** False for reads that the mode let through: their decision is one field of `tool_result`. */
  readonly decisionRecorded: boolean;
  readonly repairs: readonly string[];
  readonly context: Omit<PlanContext, "sandbox">;
  /** Real paths whose read a person has allowed while the call was planned. */
  readonly approvedReads: ReadonlySet<string>;
}

/** Where a planning begins. */
interface Beginning {
  /** How often a person has changed the arguments. */
  readonly changes: number;
  /** The call was allowed once, and the files changed before it ran. */
  readonly again: boolean;
  readonly approvedReads: ReadonlySet<string>;
}

/**
 * Steps 2 to 7 of the pipeline. Throws the failure that ends the call. In a dry run nothing is asked and `decision` is the foreseen one.
 * Arguments that a person gives at a question are planned and decided anew, and stand in `scope.person` from then on.
 * @param stale what was prepared before, when its files changed: whoever is asked is told so, and the reads that were allowed still are.
 */
export async function prepare(scope: CallScope, stale: Prepared | null = null): Promise<Prepared> {
  const { tool: name } = scope.call;
  const tool = scope.parts.tools.get(name);
  if (!tool) throw unknownTool(name, scope);
  let changes = 0;
  for (;;) {
    // other arguments are another call: what was allowed for the one before says nothing of it
    const isAgain = stale !== null && changes === 0;
    const prepared = await planAndDecide(tool, scope, {
      changes,
      again: isAgain,
      approvedReads: isAgain ? stale.approvedReads : new Set(),
    });
    if (!("changed" in prepared)) return prepared;
    changes += 1;
    scope.person.args = prepared.changed;
  }
}

function unknownTool(name: string, { parts }: CallScope): Error {
  const nearest = parts.tools.nearest(name);
  const hint = nearest.length > 0 ? `; nearest: ${nearest.join(", ")}` : "";
  return fail("unknown_tool", `there is no tool "${name}"${hint}`, { name, nearest, known: parts.tools.list.map((t) => t.name) });
}

/** The call, allowed; or the arguments that a person wants in the place of those that it was planned from. */
async function planAndDecide(tool: Tool, scope: CallScope, beginning: Beginning): Promise<Prepared | { readonly changed: JsonObject }> {
  const { call, asked, parts, signal, person } = scope;
  const internals = tool[toolInternals];
  const given = person.args ?? asked.args;
  if (isFailure(given)) throw given;
  const validation = await internals.validate(given);
  if (!validation.ok) throw validation.failure;

  const { args, value, repairs } = validation;
  const timeoutMs = internals.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const over = new AbortController();
  const planning = withDeadline(
    async (limited) => {
      const context = contextOf(scope, tool, limited.signal);
      const { plan, approvedReads } = await planIt({ tool, args, value, context, scope, limited, over, beginning });
      const effects = await placeEffects(plan.effects, parts.sandbox);
      const place = (policy: Policy) => placePolicy(policy, effects, parts.sandbox);
      const policy = await place(policyNow(parts));
      const proposal = propose(tool.name, args, effects);
      const common = { tool, args, plan, effects, planSha256: proposal.planSha256, repairs, context, approvedReads };
      if (call.dryRun) {
        const { decision, recorded } = foresee(proposal, scope, policy);
        return { ...common, decision, decisionRecorded: recorded };
      }
      const authorised = await authorise(proposal, scope, { ...beginning, of: "plan", wait: limited.paused, policy, place, approvedReads });
      if (authorised.next === "plan_anew") return { changed: authorised.args };
      return { ...common, decision: authorised.decision, decisionRecorded: authorised.recorded };
    },
    { clock: parts.clock, timeoutMs, graceMs: GRACE_MS, signal, label: `${tool.name} (planning)` },
  );
  try {
    return await planning;
  } catch (error) {
    if (error instanceof ArgsChanged) return { changed: error.args };
    throw error;
  } finally {
    over.abort(OVER);
  }
}

/** Ends a plan whose read was asked for, and answered with other arguments; nobody outside sees it. */
class ArgsChanged extends Error {
  readonly args: JsonObject;

  constructor(args: JsonObject) {
    super("a person changed the arguments");
    this.args = args;
  }
}

function contextOf({ call, parts, assigns }: CallScope, tool: Tool, signal: AbortSignal): Omit<PlanContext, "sandbox"> {
  return {
    sessionId: parts.recorder.sessionId,
    callId: call.callId,
    workspace: parts.sandbox.workspace,
    cwd: parts.cwd,
    agent: parts.agent,
    dryRun: call.dryRun,
    signal,
    assigns,
    options: tool[toolInternals].options,
  };
}

interface Planning {
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly value: unknown;
  readonly context: Omit<PlanContext, "sandbox">;
  readonly scope: CallScope;
  readonly limited: Limited;
  readonly beginning: Beginning;
  /** Aborted at the latest when the planning is left behind. */
  readonly over: AbortController;
}

async function planIt({
  tool,
  args,
  value,
  context,
  scope,
  limited,
  beginning,
  over,
}: Planning): Promise<{ plan: Plan; approvedReads: ReadonlySet<string> }> {
  const approvedReads = new Set(beginning.approvedReads);
  const { gate, refusal } = createReadGate(async (effect) => {
    const authorised = await authorise(propose(tool.name, args, [effect]), scope, {
      ...beginning,
      of: "read",
      wait: limited.paused,
      approvedReads: beginning.approvedReads,
      later: tool.effectKinds ?? [],
    });
    if (authorised.next === "plan_anew") throw new ArgsChanged(authorised.args);
    if (authorised.decision.source.from === "person") approvedReads.add(readKey(effect));
  });
  const { cwd, redactor } = scope.parts;
  const sandbox = readView(scope.parts.sandbox, { cwd, gate, over: over.signal, redactor, permits: surveyPermits(scope) });
  try {
    const plan = await tool[toolInternals].plan(value, Object.freeze({ ...context, sandbox }));
    const refused = refusal();
    if (refused) throw refused;
    return { plan, approvedReads };
  } catch (error) {
    const refused = refusal();
    if (refused) throw refused;
    // what a plan throws because it is being stopped says nothing beyond that
    throw limited.signal.aborted && !isFailure(error) ? limited.signal.reason : toolFailure(error, tool.name);
  } finally {
    over.abort(OVER);
  }
}

/** Nobody reads it; without one, each plan would pay for an exception with its stack. */
const OVER = "the plan is made";

/** A tool's own throw as a failure; the cause is kept for the host. What is thrown may be anything, also what throws when it is looked at. */
export function toolFailure(error: unknown, tool: string): Error {
  try {
    if (isFailure(error)) return error;
    const text = error instanceof Error ? error.message : typeof error === "string" ? error : "it threw no Error";
    return fail("tool_failed", `${tool} failed: ${text}`, { tool }, { cause: error });
  } catch {
    return fail("tool_failed", `${tool} failed: it threw what cannot be looked at`, { tool });
  }
}
