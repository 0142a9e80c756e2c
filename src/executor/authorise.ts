import type { Decision } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import type { JsonObject } from "../base/json.ts";
import {
  decide,
  guardedPaths,
  isGuarded,
  isSecret,
  type Offers,
  offersFor,
  type Policy,
  ruleMatches,
  type Verdict,
} from "../permissions/index.ts";
import { askPerson } from "./ask-person.ts";
import { type CallScope, policyNow } from "./call.ts";
import { denial } from "./denial.ts";
import { keepRules } from "./keep-rules.ts";
import type { Proposal } from "./proposal.ts";
import { readKey } from "./read-gate.ts";
import type { Remembered } from "./reply.ts";
import type { SurveyPermits } from "./survey.ts";

export interface AuthoriseOptions {
  /** What the proposal is. */
  readonly of: "plan" | "read";
  /** Holds the call's clock while a person thinks. */
  readonly wait: <T>(ask: () => Promise<T>) => Promise<T>;
  /** By what it is decided, with the programs of its rules in their places; default: the policy as it is now. */
  readonly policy?: Policy;
  /** Puts the programs of rules that an answer adds in their places; default: as they are. */
  readonly place?: (policy: Policy) => Promise<Policy>;
  /** By `readKey` the reads that a person has allowed while the call was planned: they are not asked for again. */
  readonly approvedReads?: ReadonlySet<string>;
  /** What the plan may come to once this is allowed. */
  readonly later?: readonly Effect["kind"][];
  /** How often a person has changed the arguments of this call. */
  readonly changes: number;
  /** True when the call was allowed once, and the files changed before it ran. */
  readonly again: boolean;
}

/** What was decided, and whether that is on record; if not, it is `mode` in the call's result. */
export interface Decided {
  readonly decision: Decision;
  readonly recorded: boolean;
}

/**
 * How a call goes on once its proposal was decided; a denial is thrown. A call that waits for an answer beyond this process would be a third
 * way, `suspend`, and whoever switches over this has to say then what becomes of it.
 */
export type Authorised = ({ readonly next: "go" } & Decided) | { readonly next: "plan_anew"; readonly args: JsonObject };

/** So often may a person change the arguments of one call: an asker that always does would keep it for ever. */
export const MAX_CHANGES = 10;

/** The decision that a real call would meet, recorded, with nobody asked. */
export function foresee(proposal: Proposal, scope: CallScope, policy: Policy = policyNow(scope.parts)): Decided {
  const { decision } = decide(proposal.effects, policy);
  const isLonely = decision.outcome === "ask" && scope.parts.asker === null;
  const met: Decision = isLonely ? { ...decision, outcome: "deny", reason: "nobody_to_ask" } : decision;
  const needsNone = isReadByMode(met, proposal.effects);
  if (!needsNone) record(met, proposal, scope);
  return { decision: met, recorded: !needsNone };
}

/** Such a decision is one field of `tool_result`, and has no event of its own. */
function isReadByMode(decision: Decision, effects: readonly Effect[]): boolean {
  return decision.outcome === "allow" && decision.source.from === "builtin" && effects.every((effect) => effect.kind === "file.read");
}

/** Has the proposal decided, asks where the decision is to ask, records all of it, and says how the call goes on. Throws the denial. */
export async function authorise(proposal: Proposal, scope: CallScope, options: AuthoriseOptions): Promise<Authorised> {
  const { policy = policyNow(scope.parts) } = options;
  const verdict = judge(proposal.effects, policy, options);
  const { decision } = verdict;
  if (decision.outcome === "allow") {
    // arguments that a person gave stand on record before they are carried out
    const needsNone = isReadByMode(decision, proposal.effects) && (options.of === "read" || scope.person.args === null);
    if (!needsNone) record(decision, proposal, scope);
    return { next: "go", decision, recorded: !needsNone };
  }
  const refuse = (reason: string | null, offers: Offers | null = null): Error => {
    const denied: Decision = reason === null ? decision : { ...decision, outcome: "deny", reason };
    record(denied, proposal, scope);
    return denial(verdict, denied, { offers });
  };
  if (decision.outcome === "deny") throw refuse(null);
  const offers = sayable(offersFor(proposal.effects, policy), scope);
  if (scope.call.dryRun) throw refuse("would_ask", offers);
  if (scope.parts.asker === null) throw refuse("nobody_to_ask", offers);
  record(decision, proposal, scope);
  return answered({ verdict, offers, policy }, proposal, { scope, options });
}

interface Asked {
  readonly verdict: Verdict;
  readonly offers: Offers;
  readonly policy: Policy;
}

async function answered(
  { verdict, offers, policy }: Asked,
  proposal: Proposal,
  { scope, options }: { readonly scope: CallScope; readonly options: AuthoriseOptions },
): Promise<Authorised> {
  const { decision } = verdict;
  const reply = await options.wait(() => askPerson({ proposal, decision, offers, again: options.again }, scope));
  const byPerson = { rule: decision.rule, source: { from: "person" }, effect: decision.effect } as const;
  const deny = (reason: string, why: JsonObject = {}): Error => {
    const denied: Decision = { outcome: "deny", reason, ...byPerson };
    record(denied, proposal, scope);
    return denial(verdict, denied, { more: why });
  };
  switch (reply.answer) {
    case "failed":
      throw deny("asker_failed");
    case "unknown":
      throw deny("unknown_answer");
    case "deny":
      throw deny(reply.reason ?? "denied_by_person");
    case "change":
      if (options.changes >= MAX_CHANGES) throw deny("too_many_changes");
      // this plan is not carried out, whatever becomes of the next
      record({ outcome: "deny", reason: "args_changed", ...byPerson }, proposal, scope);
      return { next: "plan_anew", args: reply.args };
    case "allow": {
      const { remember } = reply;
      if (remember) {
        const allows = async (rules: Policy["rules"]) => {
          const more = { ...policy, rules: [...policy.rules, ...rules] };
          const placed = await (options.place?.(more) ?? more);
          return judge(proposal.effects, placed, options).decision.outcome === "allow";
        };
        const refusal = await keepRules(remember, { allows, parts: scope.parts });
        if (refusal) throw deny("unusable_rules", refusal);
      }
      const allowed: Decision = { outcome: "allow", ...byPerson };
      record(allowed, proposal, scope, remember);
      return { next: "go", decision: allowed, recorded: true };
    }
  }
}

/** Decides over the effects but for approved reads; `effect` stays an index into all of them. */
function judge(
  effects: readonly Effect[],
  policy: Policy,
  { approvedReads, later = [] }: Pick<AuthoriseOptions, "approvedReads" | "later">,
): Verdict {
  const open = [...effects.keys()].filter((index) => {
    const effect = effects[index];
    // what was allowed is this one place, by these of its names
    return !(effect?.kind === "file.read" && !effect.tree && approvedReads?.has(readKey(effect)));
  });
  if (open.length === effects.length) return decide(effects, policy, { later });
  if (open.length === 0) {
    const decision = { outcome: "allow", rule: "read allowed while planned", source: { from: "person" }, effect: 0 } as const;
    return { decision, kind: null, message: "", details: {} };
  }
  const verdict = decide(
    open.flatMap((index) => effects[index] ?? []),
    policy,
    { later },
  );
  const { effect } = verdict.decision;
  return { ...verdict, decision: { ...verdict.decision, effect: effect === null ? null : (open[effect] ?? null) } };
}

/** Throws when a guard, confinement or a deny rule forbids this very effect. */
export function forbid(effect: Effect, { parts }: CallScope): void {
  const verdict = decide([effect], policyNow(parts));
  if (verdict.decision.outcome === "deny") throw denial(verdict, verdict.decision);
}

/** What may be looked at to foresee a command: what could be read without a question. */
export function surveyPermits({ parts }: CallScope): SurveyPermits {
  const policy = policyNow(parts);
  const strict = parts.policy.rules.filter(({ effect, matcher }) => effect !== "allow" && matcher.head === "read");
  const readOf = (path: string): Effect => ({ kind: "file.read", sure: "exact", path });
  return {
    reads: ({ path, also }) =>
      decide([{ kind: "file.read", sure: "exact", path, ...(also ? { also } : {}) }], policy).decision.outcome === "allow",
    guards: (path) => isGuarded(path, policy),
    // what was allowed for good opens nothing that is guarded
    isSecret: (path) => isSecret(path, parts.policy),
    isAsked: (path) => isSecret(path, parts.policy) || strict.some((rule) => ruleMatches(rule, readOf(path), parts.policy)),
    secretFiles: () => guardedPaths(parts.policy),
    secretsBy: parts.policy,
  };
}

/** What holds a secret is neither shown nor kept, and without one of the narrowest rules the others do not suffice. */
function sayable({ rules, narrowest }: Offers, { parts: { redactor } }: CallScope): Offers {
  const isPlain = (rule: string) => redactor.text(rule) === rule;
  return rules.slice(0, narrowest).every(isPlain) ? { rules: rules.filter(isPlain), narrowest } : { rules: [], narrowest: 0 };
}

function record(decision: Decision, proposal: Proposal, { call, parts, person }: CallScope, remembered: Remembered | null = null): void {
  parts.recorder.record("permission_decision", {
    call_id: call.callId,
    plan_sha256: proposal.planSha256,
    effects: proposal.effects,
    decision,
    ...(person.args ? { args: proposal.args, changed_by: "person" } : {}),
    ...(remembered ? { remembered } : {}),
  });
}
