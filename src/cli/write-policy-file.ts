import { realpathSync } from "node:fs";
import path from "node:path";
import { isFailure } from "../base/fail.ts";
import { configFailure, type LocatedJson, readLocatedJson } from "../base/located-json.ts";
import { namesBelow } from "../base/real-path.ts";
import { readWritePolicy, type WritePolicy } from "../node.ts";
import type { CommonFlags } from "./common-flags.ts";
import { readUserFile } from "./user-file.ts";

/** Far more than a policy of 200 rules. */
const MAX_POLICY_BYTES = 1024 * 1024;

export interface WritePolicyPlace {
  /** What a relative file is taken from. */
  readonly cwd: string;
  /** Real path. */
  readonly workspace: string;
  readonly signal: AbortSignal;
}

/**
 * The policy that `--write-policy` names, which its own file is protected by when that lies in the workspace; `null` without the flag. A file
 * that cannot be read or used is `invalid_config`: `path`, `line` where one is to blame, `reason`, `flag`.
 */
export async function writePolicyOf({ writePolicy }: CommonFlags, place: WritePolicyPlace): Promise<WritePolicy | null> {
  if (writePolicy === undefined) return null;
  const file = path.resolve(place.cwd, writePolicy);
  const text = await readUserFile(file, {
    maxBytes: MAX_POLICY_BYTES,
    signal: place.signal,
    refuse: (why, reason) => configFailure({ path: file, reason, ...FLAG }, `the write policy cannot be used: ${why}`),
  });
  const located = await readLocatedJson(text, file);
  const names = namesBelow(realFile(file), place.workspace);
  try {
    return readWritePolicy(located.value, names ? { file: names.join("/") } : {});
  } catch (error) {
    if (!isFailure(error) || error.kind !== "invalid_args") throw error;
    const { reason, pointer, ...more } = error.details;
    const line = typeof pointer === "string" ? lineAt(located, pointer) : 1;
    const texts = Object.entries(more).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
    throw configFailure({ ...Object.fromEntries(texts), path: file, line, reason: String(reason), ...FLAG }, error.message);
  }
}

const FLAG = { flag: "--write-policy" } as const;

/** Where the file lies when every link is followed. */
function realFile(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    // a pipe has no place
    return file;
  }
}

/** Line of the innermost value on the way that is there. */
function lineAt(located: LocatedJson, pointer: string): number {
  let value = located;
  let { line } = located;
  for (const key of pointer.split("/").slice(1)) {
    const member = value.members.find(({ name }) => name === key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const next = member?.value ?? value.items[Number(key)];
    if (!next) return line;
    line = member?.line ?? next.line;
    value = next;
  }
  return line;
}
