import { errorBody, isFailure } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import { type Policy, parseRule, type Rule } from "../permissions/index.ts";
import type { ExecutorParts } from "./call.ts";
import type { Remembered } from "./reply.ts";

export interface KeepOptions {
  /** True when the call that was asked about is allowed once these rules are in force as well. */
  readonly allows: (rules: Policy["rules"]) => Promise<boolean>;
  readonly parts: Pick<ExecutorParts, "approvals" | "redactor">;
}

/**
 * Keeps the rules of an answer, all or none. Returns why they cannot be kept, for the details of the denial; `null` when they were. `why`:
 * `bad_rule` (with `rule_given` and, as `problem`, the parser's own words), `secret` (a rule holds one, and rules are kept in the clear), `not_enough` (the call
 * that was asked about would still not be allowed), `not_kept` (the store's own failure).
 */
export async function keepRules({ rules, scope }: Remembered, { allows, parts }: KeepOptions): Promise<JsonObject | null> {
  const read: Rule[] = [];
  for (const rule of rules) {
    if (parts.redactor.text(rule) !== rule) return { why: "secret" };
    try {
      read.push(parseRule(rule, "allow", { from: "approval" }));
    } catch (error) {
      if (!isFailure(error)) throw error;
      return { why: "bad_rule", rule_given: rule, problem: error.message };
    }
  }
  if (!(await allows(read))) return { why: "not_enough", rules };
  try {
    await parts.approvals.remember(
      read.map(({ text }) => text),
      scope,
    );
    return null;
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { kind, message } = errorBody(error);
    return { why: "not_kept", scope, cause: { kind, message } };
  }
}
