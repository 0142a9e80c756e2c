/** May it run? Rules, modes and the evidence guard over effects. Pure: the same effects and policy always give the same verdict. */
export { type Approvals, sessionApprovals } from "./approvals.ts";
export type { Answer, Asker, Permissions, Question, RememberScope } from "./asker.ts";
export { decide, type Ruling, rulingsOf, type Verdict } from "./decide.ts";
export { type EvidenceGround, type EvidencePlace, evidencePlaces, MAX_MODULES } from "./evidence-places.ts";
export type { Finding, Remark } from "./finding.ts";
export { type GateRule, gatesOf, type PolicyGate } from "./gates.ts";
export { type GitConfigChange, isHarmlessGitConfigChange } from "./git-config-change.ts";
export { isGuarded, isSecret, mayOpenGuarded } from "./guard.ts";
export { guardedPaths } from "./guarded-paths.ts";
export { type LintOptions, lintRules } from "./lint-rules.ts";
export { coveredOffers, type Offers, offersFor, whyNoOffer } from "./offers.ts";
export { placePrograms } from "./place-programs.ts";
export { createPolicy, describeRules, type Policy, type PolicyOptions } from "./policy.ts";
export { parseRule, type Rule } from "./rule.ts";
export { ruleMatches } from "./rule-match.ts";
export { type RulesFile, readRulesFile } from "./rules-file.ts";
export { type ReadWritePolicyOptions, readWritePolicy, type WritePolicy } from "./write-policy.ts";
export { narrowWritePolicy } from "./write-policy-narrow.ts";
