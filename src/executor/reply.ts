import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { plainJson } from "../base/plain-json.ts";
import type { Answer, RememberScope } from "../permissions/index.ts";

/** Rules that an answer wants to be kept. */
export interface Remembered {
  readonly rules: readonly string[];
  readonly scope: RememberScope;
}

/** What the one who was asked has said, as far as it counts. */
export type Reply =
  | { readonly answer: "allow"; readonly remember: Remembered | null }
  | { readonly answer: "deny"; readonly reason: string | null }
  | { readonly answer: "change"; readonly args: JsonObject }
  /** The asker threw, or gave what is no answer. */
  | { readonly answer: "failed" | "unknown" };

export const FAILED: Reply = { answer: "failed" };
const UNKNOWN: Reply = { answer: "unknown" };
/** Members that each answer may have: one more could narrow what is allowed, so it is not an answer that is known. */
const MEMBERS: Readonly<Record<Answer["answer"], readonly string[]>> = {
  allow: ["answer", "remember"],
  deny: ["answer", "reason"],
  change: ["answer", "args"],
};
/** More rules than a call can need, and longer ones than a person reads, are no answer. */
const MAX_RULES = 100;
const MAX_RULE_CHARS = 10_000;

/** Reads an answer once; it is whatever a host gives. Does not throw. */
export function replyOf(given: unknown): Reply {
  const copied = plainJson(given);
  if (!copied.ok) return copied.cause === undefined ? UNKNOWN : FAILED;
  if (!isObject(copied.value)) return UNKNOWN;
  const { answer, reason, remember, args } = copied.value;
  if (answer !== "allow" && answer !== "deny" && answer !== "change") return UNKNOWN;
  if (Object.keys(copied.value).some((name) => !MEMBERS[answer].includes(name))) return UNKNOWN;
  switch (answer) {
    case "deny":
      // a denial stands, whatever its reason is
      return { answer, reason: typeof reason === "string" && reason !== "" ? reason : null };
    case "change":
      return isObject(args) ? { answer, args } : UNKNOWN;
    case "allow": {
      if (remember === undefined) return { answer, remember: null };
      const kept = rememberedOf(remember);
      return kept ? { answer, remember: kept } : UNKNOWN;
    }
  }
}

function rememberedOf(given: JsonValue): Remembered | null {
  if (!isObject(given) || Object.keys(given).some((name) => name !== "rules" && name !== "scope")) return null;
  const { rules, scope } = given;
  if (scope !== "session" && scope !== "workspace") return null;
  if (!Array.isArray(rules) || rules.length === 0 || rules.length > MAX_RULES) return null;
  const texts = rules.filter((rule): rule is string => typeof rule === "string" && rule.length <= MAX_RULE_CHARS);
  return texts.length === rules.length ? { rules: texts, scope } : null;
}
