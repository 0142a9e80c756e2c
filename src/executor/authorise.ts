import type { Decision } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import { type Failure, fail } from "../base/fail.ts";
import { sha256OfJson } from "../base/hash.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { plainJson } from "../base/plain-json.ts";
import { type Answer, decide, isGuarded, type Offers, offersFor, type Question, type Verdict } from "../permissions/index.ts";
import type { CallScope } from "./call.ts";
import type { SurveyPermits } from "./survey.ts";

/** What is to be decided: a plan, or one read that a plan wants to make. */
export interface Proposal {
  readonly tool: string;
  readonly args: JsonObject;
  readonly effects: readonly Effect[];
  readonly planSha256: string;
}

export function propose(tool: string, args: JsonObject, effects: readonly Effect[]): Proposal {
  return { tool, args, effects, planSha256: sha256OfJson({ tool, args, effects }) };
}

export interface AuthoriseOptions {
  /** Holds the call's clock while a person thinks. */
  readonly wait: <T>(ask: () => Promise<T>) => Promise<T>;
  /** Real paths whose read a person has allowed while the call was planned: they are not asked for again. */
  readonly approvedReads?: ReadonlySet<string>;
  /** What the plan may come to once this is allowed. */
  readonly later?: readonly Effect["kind"][];
}

/** What was decided, and whether that is on record; if not, it is `mode` in the call's result. */
export interface Decided {
  readonly decision: Decision;
  readonly recorded: boolean;
}

/** The decision that a real call would meet, recorded, with nobody asked. */
export function foresee(proposal: Proposal, scope: CallScope): Decided {
  const { decision } = decide(proposal.effects, scope.parts.policy);
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

/** Has the proposal decided, asks where the decision is to ask, records all of it, and returns when the call may go on. Throws the denial. */
export async function authorise(
  proposal: Proposal,
  scope: CallScope,
  { wait, approvedReads, later = [] }: AuthoriseOptions,
): Promise<Decided> {
  const verdict = judge(proposal.effects, scope, { approvedReads, later });
  const { decision } = verdict;
  if (decision.outcome === "allow") {
    const needsNone = isReadByMode(decision, proposal.effects);
    if (!needsNone) record(decision, proposal, scope);
    return { decision, recorded: !needsNone };
  }
  if (decision.outcome === "deny") {
    record(decision, proposal, scope);
    throw denial(verdict, decision);
  }
  if (scope.call.dryRun) {
    const wouldAsk: Decision = { ...decision, outcome: "deny", reason: "would_ask" };
    record(wouldAsk, proposal, scope);
    throw denial(verdict, wouldAsk, offersFor(proposal.effects, scope.parts.policy));
  }
  const offers = offersFor(proposal.effects, scope.parts.policy);
  if (scope.parts.asker === null) {
    const denied: Decision = { ...decision, outcome: "deny", reason: "nobody_to_ask" };
    record(denied, proposal, scope);
    throw denial(verdict, denied, offers);
  }
  record(decision, proposal, scope);
  const question: Question = {
    session_id: scope.parts.recorder.sessionId,
    call_id: scope.call.callId,
    agent: scope.parts.agent,
    tool: proposal.tool,
    args: proposal.args,
    effects: proposal.effects,
    plan_sha256: proposal.planSha256,
    decision,
    offers: offers.rules,
    narrowest: offers.narrowest,
    again: false,
  };
  const answered = fromReply(await wait(() => answerTo(question, scope)), decision);
  record(answered, proposal, scope);
  if (answered.outcome === "deny") throw denial(verdict, answered);
  return { decision: answered, recorded: true };
}

/** Decides over the effects but for approved reads; `effect` stays an index into all of them. */
function judge(effects: readonly Effect[], { parts }: CallScope, { approvedReads, later }: Omit<AuthoriseOptions, "wait">): Verdict {
  const open = [...effects.keys()].filter((index) => {
    const effect = effects[index];
    return !(effect?.kind === "file.read" && approvedReads?.has(effect.path));
  });
  const options = later ? { later } : {};
  if (open.length === effects.length) return decide(effects, parts.policy, options);
  if (open.length === 0) {
    const decision = { outcome: "allow", rule: "read allowed while planned", source: { from: "person" }, effect: 0 } as const;
    return { decision, kind: null, message: "", details: {} };
  }
  const verdict = decide(
    open.flatMap((index) => effects[index] ?? []),
    parts.policy,
    options,
  );
  const { effect } = verdict.decision;
  return { ...verdict, decision: { ...verdict.decision, effect: effect === null ? null : (open[effect] ?? null) } };
}

/** Throws when a guard, confinement or a deny rule forbids this very effect. */
export function forbid(effect: Effect, { parts }: CallScope): void {
  const verdict = decide([effect], parts.policy);
  if (verdict.decision.outcome === "deny") throw denial(verdict, verdict.decision);
}

/** What may be looked at to foresee a command: what could be read without a question. */
export function surveyPermits({ parts }: CallScope): SurveyPermits {
  return {
    reads: ({ path, also }) =>
      decide([{ kind: "file.read", sure: "exact", path, ...(also ? { also } : {}) }], parts.policy).decision.outcome === "allow",
    guards: (path) => isGuarded(path, parts.policy),
  };
}

/** Settles soon after the signal aborts, whatever the asker does. A throw is a denial. */
async function answerTo(question: Question, { parts, signal }: CallScope): Promise<Reply> {
  const { asker, redactor } = parts;
  if (asker === null) return FAILED;
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(fail("cancelled", "interrupted while a question was open"));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  aborted.catch(() => {});
  const asked = (async () => replyOf(await asker(redactor.json(question), { signal })))().catch(() => FAILED);
  try {
    return await Promise.race([asked, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** What the one who was asked has said, as far as it counts. */
type Reply =
  | Pick<Answer, "answer">
  | { readonly answer: "deny"; readonly reason?: string }
  | { readonly answer: "allow"; readonly remember: true }
  | { readonly answer: "failed" | "unknown" };

const FAILED: Reply = { answer: "failed" };
const UNKNOWN: Reply = { answer: "unknown" };
/** Members that each answer may have: one more could narrow what is allowed, so it is not an answer that is known. */
const MEMBERS: Readonly<Record<Answer["answer"], readonly string[]>> = {
  allow: ["answer", "remember"],
  deny: ["answer", "reason"],
  change: ["answer", "args"],
};

/** Reads an answer once; it is whatever a host gives. */
function replyOf(given: unknown): Reply {
  const copied = plainJson(given);
  if (!copied.ok) return copied.cause === undefined ? UNKNOWN : FAILED;
  if (!isObject(copied.value)) return UNKNOWN;
  const { answer, reason, remember } = copied.value;
  if (answer !== "allow" && answer !== "deny" && answer !== "change") return UNKNOWN;
  if (Object.keys(copied.value).some((name) => !MEMBERS[answer].includes(name))) return UNKNOWN;
  // a denial stands, whatever its reason is
  if (answer === "deny") return typeof reason === "string" && reason !== "" ? { answer, reason } : { answer };
  return answer === "allow" && remember !== undefined ? { answer, remember: true } : { answer };
}

function fromReply(reply: Reply, asked: Decision): Decision {
  const person = { rule: asked.rule, source: { from: "person" }, effect: asked.effect } as const;
  switch (reply.answer) {
    case "allow":
      return { outcome: "allow", ...("remember" in reply ? { reason: "remember_not_supported" } : {}), ...person };
    case "deny":
      return { outcome: "deny", reason: ("reason" in reply && reply.reason) || "denied_by_person", ...person };
    case "change":
      return { outcome: "deny", reason: "change_not_supported", ...person };
    case "failed":
      return { outcome: "deny", reason: "asker_failed", ...person };
    case "unknown":
      return { outcome: "deny", reason: "unknown_answer", ...person };
  }
}

function record(decision: Decision, proposal: Proposal, { call, parts }: CallScope): void {
  parts.recorder.record("permission_decision", {
    call_id: call.callId,
    plan_sha256: proposal.planSha256,
    effects: proposal.effects,
    decision,
  });
}

function denial(verdict: Verdict, decision: Decision, offers: Offers | null = null): Failure {
  const kind = verdict.kind ?? "permission_denied";
  const isByPerson = decision.source.from === "person";
  const details: JsonObject = {
    ...verdict.details,
    rule: decision.rule,
    source: { ...decision.source },
    ...(decision.reason ? { reason: decision.reason } : {}),
    // a person has said no: to name rules that get round it would be bad advice
    ...(offers && offers.rules.length > 0 && !isByPerson ? { would_allow: offers.rules, narrowest: offers.narrowest } : {}),
  };
  if (isByPerson) return fail(kind, refusal(decision.reason), details);
  return fail(kind, `${verdict.message}${decision.reason ? ` (${decision.reason})` : ""}`, details);
}

function refusal(reason: string | undefined): string {
  switch (reason) {
    case "denied_by_person":
      return "a person refused this call";
    case "asker_failed":
      return "the one who was asked failed to answer, which counts as a refusal";
    case "change_not_supported":
      return "arguments cannot be changed by the one who is asked yet; the call counts as refused";
    case "unknown_answer":
      return "the one who was asked gave an answer that is not known, which counts as a refusal";
    default:
      return `a person refused this call: ${reason}`;
  }
}
