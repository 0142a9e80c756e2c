import type { Decision } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import { fail, isFailure } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import { type Plan, type PlanContext, type Tool, toolInternals } from "../tools/index.ts";
import { authorise, foresee, propose, surveyPermits } from "./authorise.ts";
import type { CallScope } from "./call.ts";
import { type Limited, withDeadline } from "./deadline.ts";
import { placeEffects, placePolicy } from "./place-effects.ts";
import { createReadGate } from "./read-gate.ts";
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
}

/** Steps 2 to 7 of the pipeline. Throws the failure that ends the call. In a dry run nothing is asked and `decision` is the foreseen one. */
export async function prepare(scope: CallScope): Promise<Prepared> {
  const { call, asked, parts, signal } = scope;
  const tool = parts.tools.get(call.tool);
  if (!tool) {
    const nearest = parts.tools.nearest(call.tool);
    const hint = nearest.length > 0 ? `; nearest: ${nearest.join(", ")}` : "";
    throw fail("unknown_tool", `there is no tool "${call.tool}"${hint}`, {
      name: call.tool,
      nearest,
      known: parts.tools.list.map((t) => t.name),
    });
  }
  const internals = tool[toolInternals];
  if (isFailure(asked.args)) throw asked.args;
  const validation = await internals.validate(asked.args);
  if (!validation.ok) throw validation.failure;

  const { args, value, repairs } = validation;
  const timeoutMs = internals.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const over = new AbortController();
  const planning = withDeadline(
    async (limited) => {
      const context = contextOf(scope, tool, limited.signal);
      const { plan, approvedReads } = await planIt({ tool, args, value, context, scope, limited, over });
      const effects = await placeEffects(plan.effects, parts.sandbox);
      const judging = { ...scope, parts: { ...parts, policy: await placePolicy(parts.policy, effects, parts.sandbox) } };
      const proposal = propose(tool.name, args, effects);
      const common = { tool, args, plan, effects, planSha256: proposal.planSha256, repairs, context };
      const { decision, recorded } = call.dryRun
        ? foresee(proposal, judging)
        : await authorise(proposal, judging, { wait: limited.paused, approvedReads });
      return { ...common, decision, decisionRecorded: recorded };
    },
    { clock: parts.clock, timeoutMs, graceMs: GRACE_MS, signal, label: `${tool.name} (planning)` },
  );
  return planning.finally(() => over.abort(OVER));
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
  over,
}: Planning): Promise<{ plan: Plan; approvedReads: ReadonlySet<string> }> {
  const approvedReads = new Set<string>();
  const { gate, refusal } = createReadGate(async (effect) => {
    const { decision } = await authorise(propose(tool.name, args, [effect]), scope, {
      wait: limited.paused,
      later: tool.effectKinds ?? [],
    });
    if (decision.source.from === "person") approvedReads.add(effect.path);
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
