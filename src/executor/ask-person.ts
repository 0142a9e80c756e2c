import type { Decision } from "../base/decision.ts";
import { fail } from "../base/fail.ts";
import type { Offers, Question } from "../permissions/index.ts";
import type { CallScope } from "./call.ts";
import type { Proposal } from "./proposal.ts";
import { FAILED, type Reply, replyOf } from "./reply.ts";

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
    scopes: parts.approvals.scopes ?? ["workspace"],
    again: asking.again,
    changed: person.args !== null,
  });
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(fail("cancelled", "interrupted while a question was open"));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  aborted.catch(() => {});
  const asked = (async () => replyOf(await asker(question, { signal })))().catch(() => FAILED);
  try {
    return await Promise.race([asked, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
