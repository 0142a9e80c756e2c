import { createRuntime, type Explanation, type PolicyReport, type ReportedRule } from "../../node.ts";
import type { OwnOptions } from "../runtime-options.ts";

/** Allow rules of a file that is not trusted, as far as a call would be allowed by them. */
export interface WaitingRules {
  readonly rules: readonly ReportedRule[];
  /** True when nothing more would be asked or denied once they are in force. */
  readonly suffice: boolean;
}

/** A call, as it is handed to `explain`. */
export interface ExplainedCall {
  readonly tool: string;
  readonly args: Parameters<Awaited<ReturnType<typeof createRuntime>>["explain"]>[1];
}

/** Which of the rules that wait for trust would decide about the call, found by explaining it as if they were in force. `null`: none. */
export async function waitingRules(
  { tool, args }: ExplainedCall,
  before: Explanation,
  { report, options }: { readonly report: PolicyReport; readonly options: OwnOptions },
): Promise<WaitingRules | null> {
  const waiting = report.rules.filter((rule) => !rule.in_force);
  if (waiting.length === 0 || before.decision === null || before.decision.outcome === "allow") return null;
  const { permissions } = options;
  const allow = [...(permissions.allow ?? []), ...waiting.map(({ rule }) => rule)];
  const runtime = await createRuntime({ ...options, permissions: { ...permissions, allow } });
  try {
    const after = await runtime.explain(tool, args);
    // those of the plan before: one that ended early may come to more effects after
    const lifted = after.rulings.filter((ruling, at) => ruling.by === "allow" && before.rulings[at]?.by !== "allow");
    const rules = waiting.filter(({ rule }) => lifted.some((ruling) => ruling.rule === rule));
    return rules.length === 0 ? null : { rules, suffice: after.decision?.outcome === "allow" };
  } finally {
    await runtime.close();
  }
}
