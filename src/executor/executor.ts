import type { Effect } from "../base/effect.ts";
import { asFailure, type Failure, fail, isFailure } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import { askedArgs } from "./asked-args.ts";
import type { Call, CallScope, ExecutorParts } from "./call.ts";
import { type Outcome, settle, settleDryRun, settleFailure } from "./outcome.ts";
import { perform } from "./perform.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { isStalePlan } from "./stale-plan.ts";

/** Calls that run beside each other at most. They only read, so the limit guards file descriptors and memory, not correctness. */
const MAX_PARALLEL = 8;

/** So often is a call planned again because its files changed. */
const MAX_REPLANS = 2;

const NOT_RUN = { hasRun: false } as const;

export interface BatchOptions {
  readonly signal: AbortSignal;
  readonly assigns: JsonObject;
}

export interface Executor {
  /**
   * Runs the calls of one answer, or a single one, in call order; see the design's batch rules in ARCHITECTURE.md. Every call gets
   * exactly one outcome, in call order. Throws only when the calls themselves cannot be recorded; then nothing ran.
   */
  run(calls: readonly Call[], options: BatchOptions): Promise<readonly Outcome[]>;
}

export function createExecutor(parts: ExecutorParts): Executor {
  return {
    async run(calls, { signal, assigns }) {
      const taken = calls.map((call) => take(call, parts));
      const outcomes: Promise<Outcome>[] = [];
      const running = new Set<Promise<Outcome>>();
      let ended: Failure | null = null;
      const finish = async (work: Promise<Outcome>): Promise<Outcome> => {
        const outcome = await work;
        ended ??= outcome.endsTurn;
        return outcome;
      };
      for (const { call, asked } of taken) {
        // a signal for each call: many calls beside each other would else be many listeners of one
        const scope: CallScope = { call, asked, parts, assigns, signal: AbortSignal.any([signal]), person: { args: null } };
        if (ended || signal.aborted) {
          outcomes.push(Promise.resolve(settleFailure(notReached(call, ended, signal), scope, NOT_RUN)));
          continue;
        }
        const step = await prepareOrSettle(scope);
        if ("outcome" in step) {
          outcomes.push(finish(Promise.resolve(step.outcome)));
          await outcomes.at(-1);
          continue;
        }
        if (!isParallel(step.prepared.effects)) {
          await Promise.all(running);
          if (ended || signal.aborted) {
            outcomes.push(Promise.resolve(settleFailure(notReached(call, ended, signal), scope, NOT_RUN)));
            continue;
          }
          const done = finish(runPrepared(step.prepared, scope, "alone"));
          outcomes.push(done);
          await done;
          continue;
        }
        if (running.size >= MAX_PARALLEL) await Promise.race(running);
        const work = finish(runPrepared(step.prepared, scope, "beside_others"));
        running.add(work);
        void work.then(
          () => running.delete(work),
          () => running.delete(work),
        );
        outcomes.push(work);
      }
      return Promise.all(outcomes);
    },
  };
}

/** The call as it was asked for, read once, and recorded. */
function take(call: Call, { recorder }: ExecutorParts): Pick<CallScope, "call" | "asked"> {
  const { callId, providerCallId, dryRun } = call;
  // a host may give anything
  const tool = typeof call.tool === "string" ? call.tool : "(no text)";
  const asked = askedArgs(tool, call.args);
  recorder.record("tool_call", { call_id: callId, provider_call_id: providerCallId, name: tool, args: asked.logged });
  return { call: { callId, providerCallId, tool, dryRun }, asked };
}

async function prepareOrSettle(scope: CallScope): Promise<{ outcome: Outcome } | { prepared: Prepared }> {
  try {
    const prepared = await prepare(scope);
    return scope.call.dryRun ? { outcome: settleDryRun(prepared, scope) } : { prepared };
  } catch (error) {
    return { outcome: settleFailure(asFailure(error), scope, NOT_RUN) };
  }
}

/** Calls that run beside others are those that only read; none of them may become another kind of call on the way. */
type Company = "alone" | "beside_others";

async function runPrepared(first: Prepared, scope: CallScope, company: Company): Promise<Outcome> {
  let prepared = first;
  let hasRun = false;
  const started = () => {
    hasRun = true;
  };
  for (let replans = 0; ; replans++) {
    try {
      const taken = await perform(prepared, scope, started);
      return await settle(taken, prepared, scope);
    } catch (error) {
      if (!isStalePlan(error) || replans === MAX_REPLANS || scope.signal.aborted) {
        // a tool's own throws were translated where the tool was called
        return settleFailure(asFailure(error), scope, { hasRun });
      }
      hasRun = false;
      try {
        prepared = await planAgain(prepared, error, { scope, company });
      } catch (failure) {
        return settleFailure(asFailure(failure), scope, NOT_RUN);
      }
    }
  }
}

/**
 * The call planned and decided anew, because its files changed before anything was done. Where that needs a person and there is none, or
 * would make another kind of call of one that runs beside others, the change itself is the failure.
 */
async function planAgain(
  stale: Prepared,
  change: Failure,
  { scope, company }: { readonly scope: CallScope; readonly company: Company },
): Promise<Prepared> {
  // nobody is asked for a call that runs while the next ones are planned
  const judging = company === "alone" ? scope : { ...scope, parts: { ...scope.parts, asker: null } };
  try {
    const prepared = await prepare(judging, stale);
    if (company === "beside_others" && !isParallel(prepared.effects)) throw change;
    return prepared;
  } catch (error) {
    throw isFailure(error) && error.details.reason === "nobody_to_ask" ? change : error;
  }
}

function notReached(call: CallScope["call"], ended: Failure | null, signal: AbortSignal): Failure {
  const why: unknown = signal.reason;
  if (ended)
    return fail("cancelled", `${call.tool} was not reached: an earlier call ended the turn`, {
      reason: "turn_ended",
      ended_by: ended.kind,
    });
  if (isFailure(why))
    return fail("cancelled", `${call.tool} was not reached: ${why.message}`, { reason: "turn_ended", ended_by: why.kind });
  return fail("cancelled", `${call.tool} was not reached: the turn was interrupted`, { reason: "interrupted" });
}

/** True when the calls beside it cannot see a difference: it changes nothing that they could read. */
function isParallel(effects: readonly Effect[]): boolean {
  return effects.every(
    (effect) =>
      effect.kind === "file.read" ||
      effect.kind === "network" ||
      effect.kind === "agent" ||
      (effect.kind === "command" && effect.sure === "declared"),
  );
}
