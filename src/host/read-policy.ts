import type { Policy } from "../permissions/index.ts";
import { realPath } from "./folders.ts";
import type { Host } from "./host.ts";
import { keptApprovals, policyOf, withApprovals } from "./open-session.ts";
import { type PolicyReport, policyReport } from "./policy-report.ts";
import { type RulesInForce, rulesInForce } from "./rules-in-force.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/** What sessions of these options that begin now are held to. Kinds: as `checkPolicy`. */
export async function readPolicy(options: RuntimeOptions, host: Host): Promise<PolicyReport> {
  const { policy, inForce } = await policyNow(options, host);
  return policyReport(policy, inForce);
}

/**
 * Fails where a session of these options could not begin for its rules. Kinds: `invalid_config`, `invalid_args` for a rule that cannot be kept,
 * those of the state folder.
 */
export async function checkPolicy(options: RuntimeOptions, host: Host): Promise<void> {
  await policyNow(options, host);
}

async function policyNow(options: RuntimeOptions, host: Host): Promise<{ readonly policy: Policy; readonly inForce: RulesInForce }> {
  const workspace = options.sandbox ? options.workspace : realPath(options.workspace);
  const inForce = await rulesInForce(options, host, workspace);
  const approvals = await keptApprovals(options, host, { workspace, sessionId: () => "" });
  const own = policyOf(inForce, host, { workspace, hasDisk: !options.sandbox, spillDir: () => null });
  return { policy: withApprovals(own, approvals), inForce };
}
