import { randomUUID } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import { fail, isFailure } from "../base/fail.ts";
import { configFailure } from "../base/located-json.ts";
import {
  approvalsPath,
  type ReadApproval,
  readApprovals,
  type StoredApproval,
  type WorkspacePlace,
  workspaceKey,
  writeApprovals,
} from "../log/index.ts";
import { type Approvals, parseRule, type Rule } from "../permissions/index.ts";
import { withHostLock } from "../sandbox/index.ts";

export interface ApprovalsOptions {
  readonly clock: Clock;
  /** Stands beside each rule that is kept. */
  readonly sessionId: () => string;
}

/**
 * The rules that a person said yes to for good in one workspace, kept in its state folder. They are read once; what another process keeps
 * meanwhile is in force from the next session on, and is not lost. Kinds: `invalid_config` for a file that is broken, and those of the state folder.
 */
export async function workspaceApprovals(place: WorkspacePlace, { clock, sessionId }: ApprovalsOptions): Promise<Approvals> {
  const path = approvalsPath(place);
  let rules = (await readApprovals(place)).map((approval) => ruleOf(approval, path));
  return {
    scopes: ["workspace"],
    rules: () => rules,
    async remember(texts, scope) {
      if (scope !== "workspace")
        throw fail("invalid_args", "this store keeps rules of the workspace alone", { reason: "no_such_scope", scope });
      const wanted = texts.map((text) => parseRule(text, "allow", { from: "approval" }).text);
      const at = new Date(clock.now()).toISOString();
      await change(place, (kept) => {
        const added = [...new Set(wanted)].filter((rule) => !kept.some((each) => each.rule === rule));
        return [...kept, ...added.map((rule) => ({ rule, at, session_id: sessionId() }))];
      });
      const known = new Set([...rules.map(({ text }) => text), ...wanted]);
      rules = (await readApprovals(place)).map((approval) => ruleOf(approval, path)).filter(({ text }) => known.has(text));
    },
  };
}

/** Forgets one rule, or all. Returns those that were kept until now and are not any more. Kinds as `workspaceApprovals`. */
export async function forgetApprovals(place: WorkspacePlace, rule: string | null): Promise<readonly StoredApproval[]> {
  const isMeant = (each: StoredApproval) => rule === null || each.rule === rule.trim();
  const before = await change(place, (kept) => (kept.some(isMeant) ? kept.filter((each) => !isMeant(each)) : kept));
  return before.filter(isMeant).map(({ rule: text, at, session_id }) => ({ rule: text, at, session_id }));
}

/** One process at a time; gives what was kept before. */
function change(
  place: WorkspacePlace,
  work: (kept: readonly StoredApproval[]) => readonly StoredApproval[],
): Promise<readonly StoredApproval[]> {
  return withHostLock(`approvals-${workspaceKey(place.workspace)}`, async () => {
    const kept = await readApprovals(place);
    const next = work(kept);
    if (next !== kept) await writeApprovals(place, next, randomUUID());
    return kept;
  });
}

function ruleOf({ rule, line }: ReadApproval, path: string): Rule {
  try {
    return parseRule(rule, "allow", { from: "approval", file: path, line });
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw configFailure({ path, line, reason: "bad_rule", rule }, error.message);
  }
}
