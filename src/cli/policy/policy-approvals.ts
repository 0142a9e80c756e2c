import { fail } from "../../base/fail.ts";
import { showLine } from "../../base/show.ts";
import { approvalsPath, readApprovals } from "../../log/index.ts";
import { forgetApproved } from "../../node.ts";
import { placeOf } from "../place.ts";
import { placeFlags } from "../place-flags.ts";
import { counted } from "../view/bytes-text.ts";
import { columns } from "../view/columns.ts";
import { type PolicyCommand, tellJson } from "./policy-command.ts";

export interface ApprovalsCommand extends PolicyCommand {
  /** A rule as it was kept. */
  readonly forget: string | undefined;
  readonly forgetAll: boolean;
}

/** `collet policy approvals`: what was allowed for good in this workspace, or the end of it. Returns the exit status. */
export async function policyApprovals({ terminal, flags, forget, forgetAll }: ApprovalsCommand): Promise<number> {
  const { out, err } = terminal;
  const place = placeOf(terminal, flags);
  if (forget !== undefined && forgetAll)
    throw fail("invalid_args", "--forget and --forget-all say different things; give one", {
      flags: ["--forget", "--forget-all"],
      next_actions: ["collet policy approvals --forget RULE", "collet policy approvals --forget-all"],
    });
  if (forget === undefined && !forgetAll) {
    const approvals = await readApprovals(place);
    if (flags.json) await tellJson(terminal, { path: approvalsPath(place), approvals });
    else {
      const rows = approvals.map(({ rule, at, session_id: session }) => [
        showLine(rule),
        out.colors.dim(`${showLine(at)}  ${showLine(session)}`),
      ]);
      if (rows.length > 0) await out.write(`${columns(rows, "").join("\n")}\n`);
      else if (!flags.quiet) await err.write(err.colors.dim("nothing was allowed for good in this workspace\n"));
    }
    return 0;
  }
  const forgotten = await forgetApproved({ ...place, env: terminal.env }, forget ?? null);
  if (forget !== undefined && forgotten.length === 0)
    throw fail("not_found", `no rule ${forget} was allowed for good in this workspace`, {
      rule: forget,
      next_actions: [`collet policy approvals${placeFlags(flags)}`],
    });
  if (flags.json) await tellJson(terminal, { forgotten });
  else if (!flags.quiet)
    await err.write(err.colors.dim(`${counted(forgotten.length, "rule")} forgotten; sessions that run keep theirs to their end\n`));
  return 0;
}
