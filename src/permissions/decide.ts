import type { Decision, DecisionSource } from "../base/decision.ts";
import type { Effect, FileEffect } from "../base/effect.ts";
import type { JsonObject } from "../base/json.ts";
import type { Kind } from "../base/kinds.ts";
import { isRealPath } from "../base/real-path.ts";
import { guardRefusal } from "./guard.ts";
import { modeRuling } from "./mode.ts";
import { isInside } from "./place.ts";
import type { Policy } from "./policy.ts";
import type { Rule } from "./rule.ts";
import { ruleMatches } from "./rule-match.ts";
import { effectText, pathRule } from "./rule-text.ts";
import { writePolicyRefusal } from "./write-policy-judge.ts";

/** A decision, and all that a denial has to say: why, by which rule of whom, over what, and what would let it through. */
export interface Verdict {
  readonly decision: Decision;
  /** Kind of the denial, also of the one that an `ask` becomes where nobody says yes; `null` when allowed. */
  readonly kind: Kind | null;
  readonly message: string;
  /**
   * `effect` (its kind), `what` (in words), `path` of a file, `why`, `mode`, `rule`, `source`; where the guard refuses what rules can name,
   * `would_allow`, all of which are needed, and `narrowest`, how many that are.
   */
  readonly details: JsonObject;
}

/** How one effect was judged. */
export interface Ruling {
  readonly outcome: Decision["outcome"];
  /** What decided; of two equal outcomes the earlier one counts. */
  readonly by: (typeof ORDER)[number];
  readonly rule: string;
  readonly source: DecisionSource;
  readonly reason?: string;
  readonly kind: Kind | null;
  readonly message: string;
  readonly details: JsonObject;
  /** Of a guarded path the rule that would name it, for an effect of this kind; `null`: of its own. */
  readonly naming?: (kind: FileEffect["kind"] | null) => string;
}

const ORDER = ["confinement", "guard", "write_policy", "deny", "ask", "allow", "mode"] as const;
const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;
const BUILTIN: DecisionSource = { from: "builtin" };

export interface DecideOptions {
  /** Kinds of file effect that the call may want on the same paths once these are allowed: a refusal names the rules for them as well. */
  readonly later?: readonly Effect["kind"][];
}

/**
 * Decides a call by its strictest effect: deny before ask before allow, and among equals by what is asked first (confinement, guard, write
 * policy, deny rules, ask rules, allow rules, mode), then by place. Pure. `decision.effect` is the index of the effect that decided.
 */
export function decide(effects: readonly Effect[], policy: Policy, { later = [] }: DecideOptions = {}): Verdict {
  if (effects.length === 0) {
    const decision: Decision = { outcome: "allow", rule: "no effects", source: BUILTIN, effect: null };
    return { decision, kind: null, message: "allowed: it has no effects", details: {} };
  }
  const rulings = rulingsOf(effects, policy);
  const [strictest, index] = rulings.reduce<readonly [Ruling | null, number]>(
    (best, ruling, at) => (best[0] === null || isBefore(ruling, best[0]) ? [ruling, at] : best),
    [null, 0],
  );
  const effect = effects[index];
  if (!strictest || !effect) throw new TypeError("decide(): an effect is missing");
  const { outcome, rule, source, reason, kind, message, details } = strictest;
  const others = rulings.filter((ruling) => ruling.outcome === outcome).length - 1;
  return {
    decision: { outcome, ...(reason ? { reason } : {}), rule, source, effect: index },
    kind,
    message: others > 0 && outcome !== "allow" ? `${message} (and ${others} more of the same call)` : message,
    details: {
      effect: effect.kind,
      what: effectText(effect, policy),
      ...("path" in effect ? { path: effect.path } : {}),
      mode: policy.mode,
      rule,
      source: { ...source },
      ...details,
      ...allNamings(strictest, rulings, later),
    },
  };
}

/** Of a call that the guard refuses every rule that it needs; none where one of its effects no rule lets through. */
function allNamings({ by }: Ruling, rulings: readonly Ruling[], later: readonly Effect["kind"][]): JsonObject {
  if (by !== "guard") return {};
  const guarded = rulings.filter((ruling) => ruling.by === "guard");
  const rules = guarded.flatMap(({ naming }) =>
    naming ? [naming(null), ...later.flatMap((kind) => (isFileKind(kind) ? [naming(kind)] : []))] : [],
  );
  const needed = [...new Set(rules)];
  return guarded.every(({ naming }) => naming) ? { would_allow: needed, narrowest: needed.length } : {};
}

function isFileKind(kind: Effect["kind"]): kind is FileEffect["kind"] {
  return kind === "file.read" || kind === "file.write" || kind === "file.delete";
}

/** Each effect judged by itself, in their order. */
export function rulingsOf(effects: readonly Effect[], policy: Policy): readonly Ruling[] {
  return effects.map(
    (effect) =>
      (isFileEffect(effect) ? refuseFile(effect, policy) : null) ??
      refuseByWritePolicy(effect, effects, policy) ??
      judgeByRules(effect, effects, policy),
  );
}

function isBefore(a: Ruling, b: Ruling): boolean {
  const strictness = STRICTNESS[a.outcome] - STRICTNESS[b.outcome];
  return strictness > 0 || (strictness === 0 && ORDER.indexOf(a.by) < ORDER.indexOf(b.by));
}

function isFileEffect(effect: Effect): effect is FileEffect {
  return "path" in effect;
}

/** Confinement and guard: what no mode and no other rule changes. */
function refuseFile(effect: FileEffect, policy: Policy): Ruling | null {
  const { path } = effect;
  const deny = { outcome: "deny", reason: undefined } as const;
  if (![path, ...(effect.also ?? [])].every(isRealPath)) {
    const message = `${effectText(effect, policy)}: not an absolute real path, so it cannot be told where it lies`;
    return {
      ...deny,
      by: "confinement",
      rule: "workspace confinement",
      source: BUILTIN,
      kind: "outside_workspace",
      message,
      details: { why: "not_a_real_path" },
    };
  }
  if (effect.sure === "exact" && !isInside(effect, policy)) {
    const message = `${path} lies outside every folder that tools may touch: ${policy.roots.join(", ")}`;
    return {
      ...deny,
      by: "confinement",
      rule: "workspace confinement",
      source: BUILTIN,
      kind: "outside_workspace",
      message,
      details: { why: "outside_every_root", roots: policy.roots },
    };
  }
  const refusal = guardRefusal(effect, policy);
  if (!refusal) return null;
  const { canBeNamed } = refusal;
  const ruleFor = (kind: FileEffect["kind"] | null): string =>
    pathRule({ kind: kind ?? effect.kind, ...("tree" in effect && effect.tree ? { tree: true } : {}) }, refusal.path, policy.workspace);
  const what = refusal.path === path ? path : `${path}, which is also ${refusal.path},`;
  // a change is planned by reading first, so whoever is told of the read alone would be refused the change next
  const beside = effect.kind === "file.read" ? `, and to change it ${ruleFor("file.write")} beside it` : "";
  const way = canBeNamed ? `only a rule that names it lets it through, such as ${ruleFor(null)}${beside}` : "no rule lets it through";
  return {
    ...deny,
    by: "guard",
    rule: `evidence guard: ${refusal.what}`,
    source: { from: "guard" },
    kind: "protected_path",
    message: `${what} is protected (${refusal.what}: ${refusal.why}); ${way}`,
    details: { why: refusal.why, guarded: refusal.path },
    ...(canBeNamed ? { naming: ruleFor } : {}),
  };
}

/** What a write policy lets through is still to be decided. */
function refuseByWritePolicy(effect: Effect, effects: readonly Effect[], policy: Policy): Ruling | null {
  const { writePolicy, workspace } = policy;
  const refusal = writePolicy ? writePolicyRefusal(effect, effects, { policy: writePolicy, workspace }) : null;
  if (!refusal) return null;
  const { kind, rule, reason, why, details } = refusal;
  const message = `denied by the ${rule}: ${effectText(effect, policy)}; ${why}`;
  return { outcome: "deny", by: "write_policy", rule, source: { from: "write_policy" }, reason, kind, message, details };
}

function judgeByRules(effect: Effect, effects: readonly Effect[], policy: Policy): Ruling {
  const find = (wanted: Rule["effect"]): Rule | undefined =>
    policy.rules.find((rule) => rule.effect === wanted && ruleMatches(rule, effect, policy));
  const { outcome, row } = modeRuling(effect, effects, policy);
  const what = effectText(effect, policy);
  const kind: Kind = row.endsWith(" outside") ? "outside_workspace" : "permission_denied";
  const byRule = (rule: Rule) => ({ outcome: rule.effect, by: rule.effect, rule: rule.text, source: rule.source }) as const;

  const denying = find("deny");
  if (denying) return { ...byRule(denying), kind: "permission_denied", message: `denied by ${ruleText(denying)}: ${what}`, details: {} };

  const allowing = find("allow");
  const byMode = { outcome, by: "mode", rule: `mode ${policy.mode}: ${row}`, source: BUILTIN } as const;
  if (policy.mode === "read_only" && outcome === "deny") {
    const message = `denied by the mode read_only: ${what}`;
    if (!allowing) return { ...byMode, kind, message, details: {} };
    const details = { allow_rule: allowing.text, allow_source: { ...allowing.source } };
    return { ...byMode, reason: "read_only_is_a_ceiling", kind, message: `${message}; ${ruleText(allowing)} does not lift it`, details };
  }

  const asking = find("ask");
  if (asking) return { ...byRule(asking), kind, message: `${ruleText(asking)} demands a yes: ${what}`, details: {} };
  if (allowing) return { ...byRule(allowing), kind: null, message: `allowed by ${ruleText(allowing)}: ${what}`, details: {} };
  if (outcome === "allow") return { ...byMode, kind: null, message: `allowed by the mode ${policy.mode}: ${what}`, details: {} };
  const message = `the mode ${policy.mode} demands a yes, and no rule allows it: ${what}`;
  if (effect.kind !== "unknown") return { ...byMode, kind, message, details: {} };
  return { ...byMode, kind, message: `${message}; no rule can allow what is not known`, details: { why: effect.reason } };
}

function ruleText({ effect, text, source }: Rule): string {
  const place = source.file === undefined ? source.from : `${source.file}${source.line === undefined ? "" : `:${source.line}`}`;
  return `the rule ${effect} ${text} (${place})`;
}
