import { existsSync } from "node:fs";
import type { DecisionSource, Mode } from "../base/decision.ts";
import { type Finding, gatesOf, lintRules, type Policy, type PolicyGate, type Rule } from "../permissions/index.ts";
import type { RulesFileState, RulesInForce } from "./rules-in-force.ts";

/** The policy as it stands: what a session that begins now is held to. Plain JSON. */
export interface PolicyReport {
  /** Real path. */
  readonly workspace: string;
  readonly mode: Mode;
  /** What chose the mode; `builtin`: nothing did, it is the default. */
  readonly mode_source: DecisionSource;
  /** Of a bounded write policy, which narrows whatever the rules allow; `null` when there is none. */
  readonly write_policy: string | null;
  /** Files that are looked for, in the order of their rules. Empty where no files are read. */
  readonly files: readonly RulesFileState[];
  /** Deny beats ask beats allow, whatever the order. */
  readonly rules: readonly ReportedRule[];
  /** What the linter says of the rules in force. */
  readonly findings: readonly Finding[];
  /** What can still be asked, for each row of the mode's table. */
  readonly gates: readonly PolicyGate[];
}

/** A rule, and whether it counts. */
export interface ReportedRule {
  readonly rule: string;
  readonly effect: "allow" | "ask" | "deny";
  readonly source: DecisionSource;
  /** False for an allow rule of a workspace's file that is not trusted. */
  readonly in_force: boolean;
}

/** @param policy with the approvals of the workspace among its rules. */
export function policyReport(policy: Policy, { modeSource, untrusted, files }: RulesInForce): PolicyReport {
  const reported = (rules: readonly Rule[], inForce: boolean) =>
    rules.map(({ text, effect, source }): ReportedRule => ({ rule: text, effect, source, in_force: inForce }));
  return {
    workspace: policy.workspace,
    mode: policy.mode,
    mode_source: modeSource,
    write_policy: policy.writePolicy?.hash ?? null,
    files,
    rules: [...reported(policy.rules, true), ...reported(untrusted, false)],
    findings: lintRules(policy, { exists: existsSync }),
    gates: gatesOf(policy),
  };
}
