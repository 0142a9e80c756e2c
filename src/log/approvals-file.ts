import { configFailure, type LocatedJson, readLocatedJson } from "../base/located-json.ts";
import { readWorkspaceFile, type WorkspaceFile, workspaceFilePath, writeWorkspaceFile } from "./workspace-state.ts";

/** An allow rule that a person said yes to for good in one workspace. */
export interface StoredApproval {
  readonly rule: string;
  /** UTC, ISO 8601. */
  readonly at: string;
  readonly session_id: string;
}

/** One of them as it was read. */
export interface ReadApproval extends StoredApproval {
  /** In the file, from 1. */
  readonly line: number;
}

/** Which workspace, in which state folder. */
export type WorkspacePlace = Omit<WorkspaceFile, "name">;

const NAME = "approvals.json";

/** Where the approvals of a workspace lie, whether there are any or not. */
export function approvalsPath(place: WorkspacePlace): string {
  return workspaceFilePath({ ...place, name: NAME });
}

/** Those that are kept, oldest first. Kinds: `unsafe_state_path`, `log_read_failed`, `invalid_config` (`path`, `line`, `reason`). */
export async function readApprovals(place: WorkspacePlace): Promise<readonly ReadApproval[]> {
  const text = readWorkspaceFile({ ...place, name: NAME });
  if (text === null) return [];
  const path = approvalsPath(place);
  const json = await readLocatedJson(text, path);
  const list = json.members.find(({ name }) => name === "approvals")?.value;
  const isKnown = json.members.every(({ name }) => name === "version" || name === "approvals");
  if (!isKnown || json.members.find(({ name }) => name === "version")?.value.value !== 1 || !Array.isArray(list?.value))
    throw configFailure({ path, line: json.line, reason: "bad_shape" }, 'it is not { "version": 1, "approvals": […] }');
  return list.items.map((item) => approvalOf(item, path));
}

function approvalOf({ members, line }: LocatedJson, path: string): ReadApproval {
  const of = (name: keyof StoredApproval): string => {
    const value = members.find((member) => member.name === name)?.value.value;
    if (typeof value === "string") return value;
    throw configFailure({ path, line, reason: "bad_shape" }, `an approval has a rule, at and session_id, each a text; ${name} is none`);
  };
  return { rule: of("rule"), at: of("at"), session_id: of("session_id"), line };
}

/**
 * Puts these in the place of all that were kept; each has a line of its own. To be called under a lock, with what was read under the same one.
 * Kinds: those of the state folder, and `log_write_failed`.
 */
export async function writeApprovals(place: WorkspacePlace, approvals: readonly StoredApproval[], unique: string): Promise<void> {
  const lines = approvals.map(({ rule, at, session_id }) => JSON.stringify({ rule, at, session_id }));
  const text = `{ "version": 1, "approvals": [\n${lines.join(",\n")}\n] }\n`;
  await writeWorkspaceFile({ ...place, name: NAME }, text, unique);
}
