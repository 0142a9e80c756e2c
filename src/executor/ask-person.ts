import type { Decision } from "../base/decision.ts";
import { coveredOffers, type Offers, type Question, whyNoOffer } from "../permissions/index.ts";
import { type CallScope, policyNow } from "./call.ts";
import type { Proposal } from "./proposal.ts";
import { FAILED, type Reply, replyOf } from "./reply.ts";
import { unlessAborted } from "./unless-aborted.ts";

export interface Asking {
  readonly proposal: Proposal;
  /** The `ask`. */
  readonly decision: Decision;
  readonly offers: Offers;
  /** As `Question.again`. */
  readonly again: boolean;
}

/** Puts the question and reads the answer. Settles soon after the signal aborts, whatever the asker does: `cancelled`. */
export async function askPerson(asking: Asking, { parts, call, signal, person }: CallScope): Promise<Reply> {
  const { asker, redactor } = parts;
  if (asker === null) return FAILED;
  const { tool, args, effects, planSha256 } = asking.proposal;
  const policy = policyNow(parts);
  const question: Question = redactor.json({
    session_id: parts.recorder.sessionId,
    call_id: call.callId,
    agent: parts.agent,
    tool,
    args,
    effects,
    plan_sha256: planSha256,
    decision: asking.decision,
    offers: asking.offers.rules,
    narrowest: asking.offers.narrowest,
    covers: coveredOffers(effects, asking.offers, policy),
    no_offer: asking.offers.rules.length > 0 ? null : (whyNoOffer(effects, policy) ?? "a rule for it would hold a secret"),
    scopes: parts.approvals.scopes ?? ["workspace"],
    again: asking.again,
    changed: person.args !== null,
  });
  const asked = (async () => replyOf(await asker(question, { signal })))().catch(() => FAILED);
  return unlessAborted(asked, signal, "interrupted while a question was open");
}
