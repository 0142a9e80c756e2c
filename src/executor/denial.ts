import type { Decision } from "../base/decision.ts";
import { type Failure, fail } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import type { Offers, Verdict } from "../permissions/index.ts";

export interface DenialOptions {
  /** Rules that would have let the call through. Default: none. */
  readonly offers?: Offers | null;
  /** What else the details say. */
  readonly more?: JsonObject;
}

/** A call that may not run, as the model and every other reader gets it: what decided, of whom, and why. */
export function denial(verdict: Verdict, decision: Decision, { offers = null, more = {} }: DenialOptions = {}): Failure {
  const kind = verdict.kind ?? "permission_denied";
  const isByPerson = decision.source.from === "person";
  const details: JsonObject = {
    ...verdict.details,
    rule: decision.rule,
    source: { ...decision.source },
    ...(decision.reason ? { reason: decision.reason } : {}),
    // a person has said no: to name rules that get round it would be bad advice
    ...(offers && offers.rules.length > 0 && !isByPerson ? { would_allow: offers.rules, narrowest: offers.narrowest } : {}),
    ...more,
  };
  if (isByPerson) return fail(kind, refusal(decision.reason), details);
  return fail(kind, `${verdict.message}${ending(decision.reason, offers)}`, details);
}

/** What became of a question, and which rules would have spared it. */
function ending(reason: string | undefined, offers: Offers | null): string {
  const needed = offers?.rules.slice(0, offers.narrowest) ?? [];
  const [first = ""] = needed;
  const way =
    needed.length === 0
      ? ""
      : needed.length === 1
        ? `; the rule ${first} would allow it`
        : `; ${needed.length} rules together would allow it, the first of them ${first}`;
  switch (reason) {
    case "nobody_to_ask":
      return `; it would have been asked about, and nobody is asked${way}`;
    case "would_ask":
      return `; it would be asked about${way}`;
    case undefined:
    // the message says it
    case "read_only_is_a_ceiling":
      return "";
    default:
      return ` (${reason})`;
  }
}

/** What is said for the reasons that are ours; any other is a person's own words. */
const OWN: Readonly<Record<string, string>> = {
  denied_by_person: "a person refused this call",
  asker_failed: "the one who was asked failed to answer, which counts as a refusal",
  unknown_answer: "the one who was asked gave an answer that is not known, which counts as a refusal",
  unusable_rules: "the rules that were to be remembered cannot be used, so the answer counts as a refusal",
  too_many_changes: "the arguments were changed too often, which counts as a refusal",
};

function refusal(reason = ""): string {
  return OWN[reason] ?? `a person refused this call: ${reason}`;
}
