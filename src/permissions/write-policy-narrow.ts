import { fail } from "../base/fail.ts";
import { isObject } from "../base/json.ts";
import { plainJson } from "../base/plain-json.ts";
import { splitLiteralWords } from "../base/words.ts";
import { MAX_KEPT_DENIES, readWritePolicy, sealed, verifyWords, type WritePolicy } from "./write-policy.ts";
import { isWithinWriteRule } from "./write-policy-rule.ts";

/**
 * A policy for a part of the work: the allow rules and verify commands of `child`, the denials of both. A child that names no `metadata` or
 * `bash` has those of its parent. Each allow rule has to lie inside one allow rule of the parent, as its text says, and each verify command has
 * to be one of the parent's; else `write_policy_denied` (`reason: "not_within_parent_allow"`, `matched_rule`, `policy_id`, `hash` of the
 * parent). Both are given as `RuntimeOptions.writePolicy` is: as written, or in normal form. Fails with `invalid_args` as reading them does.
 */
export function narrowWritePolicy(parent: unknown, child: unknown): WritePolicy {
  const outer = readWritePolicy(parent);
  const inner = readWritePolicy(child);
  const outside = inner.allow_writes.find((rule) => !outer.allow_writes.some((allowed) => isWithinWriteRule(rule, allowed)));
  if (outside !== undefined) throw notWithin(outside, outer);
  const allowed = new Set(verifyWords(outer).map((words) => JSON.stringify(words)));
  const commands = inner.bash === "disabled" ? [] : inner.bash.verify;
  const added = commands.find((command) => !allowed.has(JSON.stringify(splitLiteralWords(command))));
  if (added !== undefined) throw notWithin(added, outer);
  const written = plainJson(child);
  const says = written.ok && isObject(written.value) ? written.value : {};
  const narrowed = sealed({
    metadata: says.metadata === undefined ? outer.metadata : inner.metadata,
    allow_writes: inner.allow_writes,
    deny_writes: [...outer.deny_writes, ...inner.deny_writes],
    bash: says.bash === undefined ? outer.bash : inner.bash,
  });
  if (narrowed.deny_writes.length > MAX_KEPT_DENIES) {
    throw fail("invalid_args", `parent and child deny more than ${MAX_KEPT_DENIES} rules together`, {
      pointer: "/deny_writes",
      reason: "too_many",
    });
  }
  return narrowed;
}

function notWithin(matched_rule: string, { id, hash }: WritePolicy): Error {
  return fail("write_policy_denied", `${JSON.stringify(matched_rule)} does not lie within what the write policy ${id} allows`, {
    reason: "not_within_parent_allow",
    matched_rule,
    policy_id: id,
    hash,
    next_actions: ["request_policy_expansion"],
  });
}
