import { realPath } from "./folders.ts";
import type { Host } from "./host.ts";
import { keptApprovals, policyOf, withApprovals } from "./open-session.ts";
import { type PolicyReport, policyReport } from "./policy-report.ts";
import { rulesInForce } from "./rules-in-force.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/** What sessions of these options that begin now are held to. Kinds: `invalid_config`, `invalid_args` for a rule that cannot be kept, those of the state folder. */
export async function readPolicy(options: RuntimeOptions, host: Host): Promise<PolicyReport> {
  const workspace = options.sandbox ? options.workspace : realPath(options.workspace);
  const inForce = await rulesInForce(options, host, workspace);
  const approvals = await keptApprovals(options, host, { workspace, sessionId: () => "" });
  const own = policyOf(inForce, host, { workspace, hasDisk: !options.sandbox, spillDir: () => null });
  return policyReport(withApprovals(own, approvals), inForce);
}
