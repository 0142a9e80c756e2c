import type { Decision, DecisionSource } from "../base/decision.ts";
import type { Effect, FileEffect } from "../base/effect.ts";
import type { JsonObject } from "../base/json.ts";
import type { Kind } from "../base/kinds.ts";
import { isRealPath, isWithin } from "../base/real-path.ts";
import { guardRefusal } from "./guard.ts";
import { modeRuling } from "./mode.ts";
import { isInside } from "./place.ts";
import type { Policy } from "./policy.ts";
import { type Rule, wouldBeRule } from "./rule.ts";
import { ruleMatches } from "./rule-match.ts";
import { effectText, pathRule } from "./rule-text.ts";
import { isVerify, writePolicyRefusal } from "./write-policy-judge.ts";

/** A decision, and all that a denial has to say: why, by which rule of whom, over what, and what would let it through. */
export interface Verdict {
  readonly decision: Decision;
  /** Kind of the denial, also of the one that an `ask` becomes where nobody says yes; `null` when allowed. */
  readonly kind: Kind | null;
  readonly message: string;
  /**
   * `effect` (its kind), `what` (in words), `path` of a file, `why`, `mode`, `rule`, `source`; where rules that name what the guard keeps would
   * lift it, and nothing else denies, these as `lifts_guard`, all of which are needed, and as `would_allow`, with their number as `narrowest`, where the call
   * would run then without a question.
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
  /** Of what the guard keeps the rules that name it, all needed, for an effect of this kind; `null`: they would not be enough. */
  readonly naming?: (kind: FileEffect["kind"]) => readonly string[] | null;
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
      ...(strictest.by === "guard" ? liftingRules(effects, policy, { rulings, later }) : {}),
    },
  };
}

interface Refused {
  readonly rulings: readonly Ruling[];
  readonly later: readonly Effect["kind"][];
}

/** Of a call that the guard refuses every rule that it needs; none where rules are not enough for one of its effects, or something else denies it. */
function liftingRules(effects: readonly Effect[], policy: Policy, { rulings, later }: Refused): JsonObject {
  const needed = effects.flatMap((effect, at) => {
    const ruling = rulings[at];
    if (ruling?.by !== "guard" || !isFileEffect(effect)) return [];
    return [effect.kind, ...later.filter(isFileKind)].map((kind) => ruling.naming?.(kind) ?? null);
  });
  if (needed.includes(null)) return {};
  const lifts_guard = [...new Set(needed.flatMap((rules) => rules ?? []))];
  const after = rulingsOf(effects, withRules(policy, lifts_guard)).map(({ outcome }) => outcome);
  if (after.includes("deny")) return {};
  return { lifts_guard, ...(after.includes("ask") ? {} : { would_allow: lifts_guard, narrowest: lifts_guard.length }) };
}

function withRules(policy: Policy, texts: readonly string[]): Policy {
  return { ...policy, rules: [...policy.rules, ...texts.flatMap((text) => wouldBeRule(text) ?? [])] };
}

function isFileKind(kind: Effect["kind"]): kind is FileEffect["kind"] {
  return kind === "file.read" || kind === "file.write" || kind === "file.delete";
}

/** Each effect judged by itself, in their order. */
export function rulingsOf(effects: readonly Effect[], policy: Policy): readonly Ruling[] {
  return effects.map((effect) => (isFileEffect(effect) ? refuseFile(effect, effects, policy) : null) ?? unguarded(effect, effects, policy));
}

/** What decides an effect that neither confinement nor the guard refuses. */
function unguarded(effect: Effect, effects: readonly Effect[], policy: Policy): Ruling {
  return refuseByWritePolicy(effect, effects, policy) ?? judgeByRules(effect, effects, policy);
}

function isBefore(a: Ruling, b: Ruling): boolean {
  const strictness = STRICTNESS[a.outcome] - STRICTNESS[b.outcome];
  return strictness > 0 || (strictness === 0 && ORDER.indexOf(a.by) < ORDER.indexOf(b.by));
}

function isFileEffect(effect: Effect): effect is FileEffect {
  return "path" in effect;
}

/** Confinement and guard: what no mode and no other rule changes. */
function refuseFile(effect: FileEffect, effects: readonly Effect[], policy: Policy): Ruling | null {
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
  return refuseGuarded(effect, effects, policy);
}

function refuseGuarded(effect: FileEffect, effects: readonly Effect[], policy: Policy): Ruling | null {
  const refusal = guardRefusal(effect, policy);
  if (!refusal) return null;
  const { path } = effect;
  const what = refusal.path === path ? path : `${path}, which is also ${refusal.path},`;
  const named = namings(effect, effects, policy);
  // a change is planned by reading first, so whoever is told of the read alone would be refused the change next
  const change = effect.kind === "file.read" ? namings({ ...effect, kind: "file.write", sure: "open" }, [], policy) : null;
  const beside = change && "rules" in change ? `, and to change it ${change.rules.join(" and ")} beside it` : "";
  const way =
    "rules" in named ? `only a rule that names it lets it through, such as ${named.rules.join(" and ")}${beside}` : named.hindrance;
  return {
    outcome: "deny",
    reason: undefined,
    by: "guard",
    rule: `evidence guard: ${refusal.what}`,
    source: { from: "guard" },
    kind: "protected_path",
    message: `${what} is protected (${refusal.what}: ${refusal.why}); ${leavingOut(effect, effects)}${way}`,
    details: { why: refusal.why, guarded: refusal.path },
    naming(kind) {
      const other = kind === effect.kind ? named : namings({ ...effect, kind, sure: "open" } as FileEffect, [], policy);
      return "rules" in other ? other.rules : null;
    },
  };
}

/** How a command that meant to read other files passes this one over; empty where it was meant, or nobody can say. */
function leavingOut(effect: FileEffect, effects: readonly Effect[]): string {
  const { kind, path, sure } = effect;
  if (kind !== "file.read" || sure === "exact" || ("tree" in effect && effect.tree)) return "";
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isSwept = effects.some((other) => other.kind === "file.read" && "tree" in other && other.tree && isWithin(path, other.path));
  if (isSwept) return `leave it out, as with --exclude=${name} of grep, or name the folders that are meant; else `;
  const isShown = effects.some(
    (other) => other.kind === "command" && /(?:^|\/)git$/.test(other.argv[0] ?? "") && !other.argv.some((word) => word.includes(name)),
  );
  return isShown ? `leave it out, as with git … -- . ':!${name}'; else ` : "";
}

/** A file has few names that are guarded, each for itself. */
const MAX_NAMINGS = 8;

/** The rules that name all that the guard keeps of an effect, which is then not denied any more; or why no rules are enough, in words. */
function namings(
  effect: FileEffect,
  effects: readonly Effect[],
  policy: Policy,
): { readonly rules: readonly string[] } | { readonly hindrance: string } {
  const rules: string[] = [];
  while (rules.length <= MAX_NAMINGS) {
    const trial = withRules(policy, rules);
    const refusal = guardRefusal(effect, trial);
    if (!refusal) {
      const rest = unguarded(effect, effects, trial);
      const why = rest.by === "mode" ? `the mode ${policy.mode} denies it all the same` : rest.message;
      return rest.outcome === "deny" ? { hindrance: `a rule that names it would not be enough: ${why}` } : { rules };
    }
    if (!refusal.canBeNamed) return { hindrance: `no rule lets it through${refusal.instead === undefined ? "" : `; ${refusal.instead}`}` };
    const rule = pathRule(effect, refusal.path, policy.workspace);
    if (rules.includes(rule) || !wouldBeRule(rule)) break;
    rules.push(rule);
  }
  return { hindrance: "no rule can be written that names it" };
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
  const { writePolicy, workspace } = policy;
  const verifies = writePolicy && isVerify(effect, { policy: writePolicy, workspace });
  const reason = verifies ? "the write policy lets it be run to verify, and allows nothing by itself" : undefined;
  const message = `the mode ${policy.mode} demands a yes, and no rule allows it: ${what}${reason === undefined ? "" : `; ${reason}`}`;
  if (effect.kind !== "unknown") return { ...byMode, ...(reason === undefined ? {} : { reason }), kind, message, details: {} };
  return { ...byMode, kind, message: `${message}; no rule can allow what is not known`, details: { why: effect.reason } };
}

function ruleText({ effect, text, source }: Rule): string {
  const place = source.file === undefined ? source.from : `${source.file}${source.line === undefined ? "" : `:${source.line}`}`;
  return `the rule ${effect} ${text} (${place})`;
}
