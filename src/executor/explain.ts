import type { Decision, DecisionSource } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import { asFailure, type ErrorBody, errorBody } from "../base/fail.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Kind } from "../base/kinds.ts";
import { decide, offersFor, type Ruling, rulingsOf, whyNoOffer } from "../permissions/index.ts";
import { askedArgs } from "./asked-args.ts";
import { type CallScope, type ExecutorParts, policyNow } from "./call.ts";
import { placePolicy } from "./place-effects.ts";
import { prepare } from "./prepare.ts";
import type { Recorder } from "./recorder.ts";

/** How a call would be decided, effect by effect. Nothing was run, asked or recorded for it. */
export interface Explanation {
  readonly tool: string;
  /** As repaired; as asked where they could not be planned. */
  readonly args: JsonValue;
  /** What the call would do, in the order of the plan; of a plan that ended early the read that ended it, or none. */
  readonly effects: readonly Effect[];
  /** One for each effect, in their order. */
  readonly rulings: readonly EffectRuling[];
  /** By the strictest of the rulings; `null` where nothing could be planned. `ask` stands for a question, or for a denial where nobody is there. */
  readonly decision: Decision | null;
  /** Allow rules that would have let an asked call through: the narrowest set first, then wider ones. */
  readonly offers: readonly string[];
  /** Why a call that is asked about has no offers, as a sentence without its end; else `null`. */
  readonly no_offer: string | null;
  /** Rules that lift the guard of a call that it alone denies: all of them together; it can be asked about then. Else none. */
  readonly lifts_guard: readonly string[];
  /** How many of `offers`, from the first, are the narrowest set, which suffices together. */
  readonly narrowest: number;
  /** Why the plan ended early: arguments that do not fit, a file that is not there, or a read that is not simply allowed. */
  readonly error: ErrorBody | null;
}

/** How one effect was judged. */
export interface EffectRuling {
  readonly outcome: Decision["outcome"];
  /** What decided: confinement, guard, write policy, a rule, or the mode. */
  readonly by: "confinement" | "guard" | "write_policy" | "deny" | "ask" | "allow" | "mode";
  /** The rule as written, or the built-in's name. */
  readonly rule: string;
  readonly source: DecisionSource;
  readonly reason?: string;
  /** Of the failure that a denial is, or an `ask` becomes where nobody says yes; `null` when allowed. */
  readonly kind: Kind | null;
  /** As a sentence. */
  readonly message: string;
}

export interface ExplainOptions {
  readonly signal: AbortSignal;
  readonly assigns: JsonObject;
}

/**
 * What a call would do and how it would be decided: the plan of a dry run, with a ruling for each effect. It reads what the tool's plan
 * reads, under the same rules. Does not throw.
 */
export async function explain(
  tool: string,
  args: JsonObject | string,
  parts: ExecutorParts,
  { signal, assigns }: ExplainOptions,
): Promise<Explanation> {
  const asked = askedArgs(tool, args);
  let judged: readonly Effect[] = [];
  const recorder = silent(parts.recorder, (effects) => {
    judged = effects;
  });
  const scope: CallScope = {
    call: { callId: "explain", providerCallId: null, tool, dryRun: true },
    asked,
    parts: { ...parts, recorder },
    assigns,
    signal,
    person: { args: null },
  };
  try {
    const prepared = await prepare(scope);
    return await explained({ tool, args: prepared.args, effects: prepared.effects, error: null }, parts);
  } catch (error) {
    return explained({ tool, args: asked.logged, effects: judged, error: errorBody(asFailure(error)) }, parts);
  }
}

type Planned = Pick<Explanation, "tool" | "args" | "effects" | "error">;

async function explained(planned: Planned, parts: ExecutorParts): Promise<Explanation> {
  const { effects, error } = planned;
  const policy = await placePolicy(policyNow(parts), effects, parts.sandbox);
  const offers = offersFor(effects, policy);
  const verdict = decide(effects, policy);
  const { lifts_guard: lifting } = verdict.details;
  const whole = {
    ...planned,
    rulings: rulingsOf(effects, policy).map(publicRuling),
    // a plan that ended before anything was judged says nothing
    decision: error && effects.length === 0 ? null : verdict.decision,
    offers: offers.rules,
    no_offer: whyNoOffer(effects, policy),
    lifts_guard: Array.isArray(lifting) ? lifting.map(String) : [],
    narrowest: offers.narrowest,
  };
  return parts.redactor.json(whole);
}

function publicRuling({ outcome, by, rule, source, reason, kind, message }: Ruling): EffectRuling {
  return { outcome, by, rule, source, ...(reason === undefined ? {} : { reason }), kind, message };
}

/** Keeps nothing; a read that ends the plan is told by the decision that would have been recorded. */
function silent(recorder: Recorder, onDecision: (effects: readonly Effect[]) => void): Recorder {
  return {
    ...recorder,
    record(_type, data) {
      if ("effects" in data && "decision" in data && data.decision.outcome === "deny") onDecision(data.effects);
    },
    emit() {},
    spill: () => null,
  };
}
