/**
 * A bounded write policy: which files of the workspace may be written, and which commands may be run to verify that. It only narrows: what it
 * lets through is still decided by rules and mode.
 */
import { fail, isFailure } from "../base/fail.ts";
import { sha256OfJson } from "../base/hash.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { plainJson } from "../base/plain-json.ts";
import { splitLiteralWords } from "../base/words.ts";
import { normalWriteRule } from "./write-policy-rule.ts";

/** A write policy in normal form: plain JSON, and what its hash is over. */
export interface WritePolicy {
  readonly version: 1;
  readonly metadata: JsonObject;
  /** `metadata.id`, or `bounded-write`. */
  readonly id: string;
  readonly allow_writes: readonly string[];
  /** With the denials that every policy has, first. */
  readonly deny_writes: readonly string[];
  readonly bash: "disabled" | { readonly verify: readonly string[] };
  /** `sha256:` and the hash of the canonical JSON of `version`, `id`, `allow_writes`, `deny_writes` and `bash`. */
  readonly hash: string;
}

const MAX_RULES = 100;
/** In a normal form. */
export const MAX_KEPT_DENIES = 1000;
const MAX_VERIFY = 8;
const MAX_ID_LENGTH = 200;
const DEFAULT_ID = "bounded-write";
/** What no policy lets be written. */
const IMPLICIT_DENIES = [".collet/**", ".git/**", "**/.env*", "**/secrets/**"] as const;
const WRITTEN_KEYS = ["version", "metadata", "allow_writes", "deny_writes", "bash"];
const NORMAL_KEYS = [...WRITTEN_KEYS, "id", "hash"];

/** What else a reading of a write policy has to know. */
export interface ReadWritePolicyOptions {
  /** Path of the file that it was read from, relative to the workspace, when it lies there: it may not be written either. */
  readonly file?: string;
}

/**
 * Reads a policy, as a person writes it or in the normal form of an earlier reading, which is known by its `hash`. Fails with `invalid_args`:
 * `reason`, and `pointer` or `matched_rule`; a normal form whose hash is not that of its content has `stored_hash` and `computed_hash`.
 */
export function readWritePolicy(value: unknown, { file }: ReadWritePolicyOptions = {}): WritePolicy {
  const copied = plainJson(value);
  if (!copied.ok || !isObject(copied.value)) throw unusable("", "not_an_object", "it is one JSON object");
  const written = copied.value;
  const isNormal = written.hash !== undefined;
  const known = isNormal ? NORMAL_KEYS : WRITTEN_KEYS;
  const unknown = Object.keys(written).find((key) => !known.includes(key));
  if (unknown !== undefined) throw unusable(`/${unknown}`, "unknown_key", `it has the keys ${known.join(", ")}, and not ${unknown}`);
  if (written.version !== 1) throw unusable("/version", "unsupported_version", "its version is 1");
  const parts = {
    metadata: metadataOf(written.metadata),
    allow_writes: rulesOf(written, "allow_writes"),
    deny_writes: rulesOf(written, "deny_writes"),
    bash: bashOf(written.bash),
  };
  if (isNormal) refuseAltered(written, sealed({ ...parts, deny_writes: [...IMPLICIT_DENIES, ...parts.deny_writes] }));
  const own = file === undefined ? [] : [fileRule(file)];
  return sealed({ ...parts, deny_writes: [...IMPLICIT_DENIES, ...own, ...parts.deny_writes] });
}

/** Puts the parts together, each rule once, with their hash. */
export function sealed({ metadata, allow_writes, deny_writes, bash }: Omit<WritePolicy, "version" | "id" | "hash">): WritePolicy {
  const hashed = {
    version: 1,
    id: typeof metadata.id === "string" ? metadata.id : DEFAULT_ID,
    allow_writes: [...new Set(allow_writes)],
    deny_writes: [...new Set(deny_writes)],
    bash,
  } as const;
  return Object.freeze({ ...hashed, metadata, hash: `sha256:${sha256OfJson(hashed)}` });
}

function refuseAltered({ id, hash: stored }: JsonObject, { id: ownId, hash: computed }: WritePolicy): void {
  if (id === ownId && stored === computed) return;
  throw fail("invalid_args", "the stored write policy was altered: its hash is not that of its content", {
    reason: "hash_mismatch",
    matched_rule: "hash_mismatch",
    stored_hash: typeof stored === "string" ? stored : null,
    computed_hash: computed,
  });
}

function metadataOf(metadata: JsonObject[string]): JsonObject {
  if (metadata === undefined) return {};
  if (!isObject(metadata)) throw unusable("/metadata", "not_an_object", "metadata is an object");
  const { id } = metadata;
  const isName = typeof id === "string" && id.trim() !== "" && id.length <= MAX_ID_LENGTH && !/[\0-\x1f\x7f\p{Cs}]/u.test(id);
  if (id !== undefined && !isName)
    throw unusable("/metadata/id", "bad_id", `metadata.id is a name of at most ${MAX_ID_LENGTH} characters without control characters`);
  return metadata;
}

function rulesOf(written: JsonObject, key: "allow_writes" | "deny_writes"): readonly string[] {
  const rules = written[key];
  if (rules === undefined && key === "deny_writes") return [];
  if (!Array.isArray(rules)) throw unusable(`/${key}`, "not_a_list", `${key} is a list of path rules`);
  // a normal form also holds the denials of the policies that it was narrowed from
  const most = written.hash !== undefined && key === "deny_writes" ? MAX_KEPT_DENIES : MAX_RULES;
  if (rules.length > most) throw unusable(`/${key}`, "too_many", `${key} holds at most ${most} rules, not ${rules.length}`);
  return rules.map((rule, index) => at(`/${key}/${index}`, () => normalWriteRule(rule)));
}

function bashOf(bash: JsonObject[string]): WritePolicy["bash"] {
  if (bash === undefined || bash === "disabled") return "disabled";
  const why = 'bash is "disabled" or {"verify": […]}';
  if (!isObject(bash) || Object.keys(bash).some((key) => key !== "verify")) throw unusable("/bash", "bad_bash", why);
  const { verify } = bash;
  if (!Array.isArray(verify)) throw unusable("/bash/verify", "not_a_list", why);
  if (verify.length > MAX_VERIFY)
    throw unusable("/bash/verify", "too_many", `verify holds at most ${MAX_VERIFY} commands, not ${verify.length}`);
  return { verify: [...new Set(verify.map((command, index) => at(`/bash/verify/${index}`, () => verifyCommand(command))))] };
}

/** One simple command of literal words, without the blanks around it. */
function verifyCommand(written: unknown): string {
  const refuse = (reason: string, why: string) =>
    fail("invalid_args", `the verify command ${JSON.stringify(written)} cannot be used: ${why}`, { reason });
  if (typeof written !== "string" || written.trim() === "") throw refuse("not_a_command", "it is no text, or empty");
  const words = splitLiteralWords(written.trim());
  const [program = ""] = words;
  if (program === "" || /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(program)) throw refuse("not_a_command", "it does not begin with a program");
  // an option can hold a path too, as in --config=/etc/x or -C../y
  const leadsOut = words.find((word) => /(?:^|[/=:,]|^-[A-Za-z])\.\.(?:$|[/=:,])/.test(word) || /(?:^|[=:,]|^-[A-Za-z])[/~]/.test(word));
  if (leadsOut !== undefined) throw refuse("path_outside_workspace", `${JSON.stringify(leadsOut)} may lead out of the workspace`);
  return written.trim();
}

/** The words of each verify command. */
export function verifyWords({ bash }: WritePolicy): readonly (readonly string[])[] {
  return bash === "disabled" ? [] : bash.verify.map(splitLiteralWords);
}

function fileRule(file: string): string {
  const rule = normalWriteRule(file);
  if (rule !== file || rule.includes("*")) {
    throw fail("invalid_args", `the file of the write policy cannot be protected, since no rule names it: ${JSON.stringify(file)}`, {
      reason: "unprotectable_file",
      matched_rule: file,
    });
  }
  return rule;
}

/** Says where in the policy it went wrong. */
function at<T>(pointer: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw fail(error.kind, error.message, { ...error.details, pointer }, { cause: error });
  }
}

function unusable(pointer: string, reason: string, why: string): Error {
  return fail("invalid_args", `the write policy cannot be used: ${why}`, { pointer, reason });
}
