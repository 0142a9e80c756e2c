import { isObject } from "../base/json.ts";
import { configFailure, type LocatedJson, readLocatedJson } from "../base/located-json.ts";
import type { WorkspacePlace } from "./approvals-file.ts";
import { readWorkspaceFile, workspaceFilePath, writeWorkspaceFile } from "./workspace-state.ts";

/** A content of a file of the workspace that a person has seen and trusts. */
export interface TrustedContent {
  /** Relative to the workspace, with `/`. */
  readonly file: string;
  /** Of the bytes that were shown; lower-case hex. */
  readonly sha256: string;
  /** UTC, ISO 8601. */
  readonly at: string;
}

const NAME = "trust.json";

/** What is trusted in a workspace. Kinds: `unsafe_state_path`, `log_read_failed`, `invalid_config` (`path`, `line`, `reason`). */
export async function readTrust(place: WorkspacePlace): Promise<readonly TrustedContent[]> {
  const text = readWorkspaceFile({ ...place, name: NAME });
  if (text === null) return [];
  const path = workspaceFilePath({ ...place, name: NAME });
  const json = await readLocatedJson(text, path);
  const list = json.members.find(({ name }) => name === "trusted")?.value;
  if (json.members.find(({ name }) => name === "version")?.value.value !== 1 || !Array.isArray(list?.value))
    throw configFailure({ path, line: json.line, reason: "bad_shape" }, 'it is not { "version": 1, "trusted": […] }');
  return list.items.map((item) => contentOf(item, path));
}

function contentOf({ value, line }: LocatedJson, path: string): TrustedContent {
  if (isObject(value)) {
    const { file, sha256, at } = value;
    if (typeof file === "string" && typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256) && typeof at === "string")
      return { file, sha256, at };
  }
  throw configFailure({ path, line, reason: "bad_shape" }, "what is trusted has a file, its sha256 and at");
}

/** Puts these in the place of all that was trusted. To be called under a lock. Kinds: those of the state folder, and `log_write_failed`. */
export async function writeTrust(place: WorkspacePlace, trusted: readonly TrustedContent[], unique: string): Promise<void> {
  const lines = trusted.map(({ file, sha256, at }) => JSON.stringify({ file, sha256, at }));
  await writeWorkspaceFile({ ...place, name: NAME }, `{ "version": 1, "trusted": [\n${lines.join(",\n")}\n] }\n`, unique);
}
