import type { CommandEffect, Effect, FileEffect } from "../base/effect.ts";
import type { JsonObject } from "../base/json.ts";
import type { Kind } from "../base/kinds.ts";
import { namesBelow } from "../base/real-path.ts";
import { foldName } from "./guard.ts";
import { verifyWords, type WritePolicy } from "./write-policy.ts";
import { allowsWrite, deniesWrite } from "./write-policy-rule.ts";

/** Why a write policy refuses an effect. */
export interface WritePolicyRefusal {
  readonly kind: Extract<Kind, "write_policy_denied" | "bash_disabled">;
  readonly rule: string;
  readonly reason: string;
  readonly why: string;
  /** `matched_rule`, `policy_id`, `hash`, `next_actions`; beside a disabled shell `verify`, the commands that may be run. */
  readonly details: JsonObject;
}

export interface WritePolicyGround {
  readonly policy: WritePolicy;
  /** Real path; what the rules are relative to. */
  readonly workspace: string;
}

/**
 * Judges one effect of a call, `null` when the policy has nothing against it. Reads are none of its business. Commands may run when they only
 * read, or when the whole script is one verify command, and then with all that they do by themselves; else everything that the call does
 * beside reading is `bash_disabled`. Of other tools files are judged by their real paths, and nothing but files may be changed.
 */
export function writePolicyRefusal(effect: Effect, effects: readonly Effect[], ground: WritePolicyGround): WritePolicyRefusal | null {
  if (effect.kind === "file.read") return null;
  if (effects.some(isCommand)) {
    const onlyReads = effects.every((each) => each.kind === "file.read" || (each.kind === "command" && each.sure === "declared"));
    return onlyReads || effects.some((each) => isVerify(each, ground)) ? null : bashDisabled(ground.policy);
  }
  if (effect.kind === "file.write" || effect.kind === "file.delete") return fileRefusal(effect, ground);
  const why = `under a write policy nothing but files may be changed, and this is ${effect.kind === "unknown" ? "not known to be that" : `${effect.kind}`}`;
  return denied(ground.policy, { reason: "unsupported_mutating_tool", matched: null, why });
}

function isCommand(effect: Effect): boolean {
  return effect.kind === "command" || (effect.kind === "unknown" && effect.commands === true);
}

/** True for a command that the policy names as one to verify with, and that is the whole script, in the workspace. */
export function isVerify(effect: Effect, { policy, workspace }: WritePolicyGround): boolean {
  return effect.kind === "command" && effect.alone === true && effect.cwd === workspace && isOneOf(effect, verifyWords(policy));
}

function isOneOf({ argv }: CommandEffect, commands: readonly (readonly string[])[]): boolean {
  return commands.some((words) => words.length === argv.length && words.every((word, index) => word === argv[index]));
}

function fileRefusal(effect: FileEffect, { policy, workspace }: WritePolicyGround): WritePolicyRefusal | null {
  const names = namesBelow(effect.path, workspace);
  if (names === null) {
    return denied(policy, { reason: "path_outside_workspace", matched: null, why: `${effect.path} lies outside the workspace` });
  }
  if (names.length === 0)
    return denied(policy, { reason: "workspace_root_not_writable", matched: null, why: "it is the workspace itself" });
  const path = names.join("/");
  const [first = ""] = names.map(foldName);
  if (/^\.(?:collet|git)$/.test(first) || names.map(foldName).some((name) => name.startsWith(".env") || name === "secrets")) {
    return denied(policy, { reason: "protected_path", matched: "protected_path", why: `${path} is protected under every write policy` });
  }
  const isTree = "tree" in effect && effect.tree === true;
  const denying = policy.deny_writes.find((rule) => deniesWrite(rule, names, { fold: foldName, isTree }));
  if (denying !== undefined) {
    return denied(policy, { reason: "deny_match", matched: denying, why: `${path} is denied by ${denying}` });
  }
  if (policy.allow_writes.some((rule) => allowsWrite(rule, names))) return null;
  return denied(policy, { reason: "no_allow_match", matched: null, why: `no rule of allow_writes allows ${path}` });
}

interface Denial {
  readonly reason: string;
  readonly matched: string | null;
  readonly why: string;
}

function denied({ id, hash }: WritePolicy, { reason, matched, why }: Denial): WritePolicyRefusal {
  return {
    kind: "write_policy_denied",
    rule: `write policy ${id}${matched === null || reason === "protected_path" ? "" : `: deny_writes ${matched}`}`,
    reason,
    why,
    details: {
      matched_rule: matched ?? reason,
      policy_id: id,
      hash,
      next_actions: ["request_policy_expansion", "write_within_allowed_globs"],
    },
  };
}

function bashDisabled({ id, hash, bash }: WritePolicy): WritePolicyRefusal {
  const verify = bash === "disabled" ? [] : bash.verify;
  const only = "under it a shell may run what is certain to only read";
  const why =
    verify.length === 0
      ? `${only}, and it names no command to verify with`
      : `${only}, and the commands to verify with, each alone and word for word, in the workspace itself: ${verify.join(" · ")}`;
  return {
    kind: "bash_disabled",
    rule: `write policy ${id}: bash`,
    reason: "bash_disabled",
    why,
    details: {
      matched_rule: "bash",
      policy_id: id,
      hash,
      verify,
      next_actions: [...(verify.length > 0 ? ["run_a_verify_command"] : []), "write_within_allowed_globs"],
    },
  };
}
