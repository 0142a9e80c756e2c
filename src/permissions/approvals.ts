import { fail } from "../base/fail.ts";
import type { RememberScope } from "./asker.ts";
import { parseRule, type Rule } from "./rule.ts";

/** Allow rules that a person has said yes to for good, and where new ones go. */
export interface Approvals {
  /** In force now: each an allow rule whose source is `approval`. Asked at each decision. */
  rules(): readonly Rule[];
  /** Where rules can be kept; absent: in the workspace alone. */
  readonly scopes?: readonly RememberScope[];
  /**
   * Keeps allow rules, all or none; one that is kept already is no error. Settles when they are kept, and from then on they are among
   * `rules()`. Fails with `invalid_args` for a rule that cannot be read (`rule`, `reason`), and where nothing is kept in that scope
   * (`reason: "no_such_scope"`); a store that keeps them on disk may fail with what the disk fails with.
   */
  remember(rules: readonly string[], scope: RememberScope): Promise<void>;
}

/**
 * Approvals that live in memory as long as the session.
 * @param parent takes those of the workspace, and its rules are in force too. Without one there are none of the workspace.
 */
export function sessionApprovals(parent?: Approvals): Approvals {
  const own = new Map<string, Rule>();
  return {
    scopes: parent ? ["session", "workspace"] : ["session"],
    rules: () => [...(parent?.rules() ?? []), ...own.values()],
    async remember(rules, scope) {
      const read = rules.map((rule) => parseRule(rule, "allow", { from: "approval" }));
      if (scope === "session") {
        for (const rule of read) own.set(rule.text, rule);
        return;
      }
      if (!parent) throw fail("invalid_args", "there is nowhere to keep rules for this workspace", { reason: "no_such_scope", scope });
      await parent.remember(
        read.map(({ text }) => text),
        scope,
      );
    },
  };
}
