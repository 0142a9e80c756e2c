import type { Finding, Remark } from "./finding.ts";
import { guardRefusal } from "./guard.ts";
import { commandFindings } from "./lint-command.ts";
import { isInside } from "./place.ts";
import type { Policy } from "./policy.ts";
import type { PathMatcher, Rule } from "./rule.ts";
import { coversExamples, examplesOf } from "./rule-cover.ts";

export interface LintOptions {
  /** Whether a file lies at this absolute path; default: not looked at. */
  readonly exists?: (path: string) => boolean;
}

/** More rules than these are not compared with each other: the time grows with the square of their number. */
const MAX_COMPARED = 200;

/**
 * What is odd about rules in force, in their order: rules that never match, that another one shadows, that allow far more than they seem to,
 * or that say what goes without saying. Advice only, by examples of what a rule speaks of: nothing is decided by it.
 */
export function lintRules(policy: Policy, { exists }: LintOptions = {}): readonly Finding[] {
  const { rules } = policy;
  const compared = rules.slice(0, MAX_COMPARED);
  const examples = new Map(compared.map((rule) => [rule, examplesOf(rule, policy)]));
  const covers = (wide: Rule, narrow: Rule) => coversExamples(wide, examples.get(narrow) ?? [], policy);
  return rules.flatMap((rule, index) => {
    const own = ownRemarks(rule, policy, exists).map((remark): Finding => ({ ...remark, ...identity(rule) }));
    const beside = index < MAX_COMPARED ? besideOthers(rule, index, { compared, policy, covers }) : null;
    return beside ? [...own, beside] : own;
  });
}

function identity({ text, effect, source }: Rule): Pick<Finding, "rule" | "effect" | "source"> {
  return { rule: text, effect, source };
}

function ownRemarks(rule: Rule, policy: Policy, exists: LintOptions["exists"]): readonly Remark[] {
  const { matcher, effect } = rule;
  const remarks: Remark[] = [];
  if (matcher.head === "command") remarks.push(...commandFindings(matcher.pattern, { effect, workspace: policy.workspace, exists }));
  else if ("glob" in matcher) remarks.push(...pathRemarks(rule, matcher, policy));
  else if (effect === "allow" && matcher.head === "network" && matcher.host === null && !matcher.below)
    remarks.push({ level: "warning", code: "too_wide", why: "it allows connections to every host", instead: "network(host:443)" });
  if (effect === "allow" && policy.mode === "read_only" && matcher.head !== "read")
    remarks.push({
      level: "warning",
      code: "no_effect_in_read_only",
      why: "the mode read_only is a ceiling: no rule allows more than reading",
    });
  return remarks;
}

function pathRemarks(rule: Rule, matcher: PathMatcher, policy: Policy): readonly Remark[] {
  const { head, glob, anchor } = matcher;
  const examples = examplesOf(rule, policy).flatMap((effect) => ("path" in effect ? [effect] : []));
  if (examples.length === 0) return [{ level: "warning", code: "never_matches", why: "no home folder is known, for which ~/ stands" }];
  if (rule.effect === "deny") return [];
  const refusals = examples.map((effect) => guardRefusal(effect, { ...policy, rules: [] }));
  const always = refusals.every((refusal) => refusal && !refusal.canBeNamed) ? refusals[0] : null;
  if (always) {
    const why = `the guard refuses it whatever a rule says: ${always.what} is never ${head === "read" ? "read" : "changed"} (${always.why})`;
    return [{ level: "warning", code: "guard_refuses", why }];
  }
  if (rule.effect === "ask") return [];
  const names = glob.pattern.split("/");
  const isAll = names.at(-1) === "**" && names.slice(0, -1).every((name) => name === "**" || name === "*");
  if (isAll && (head !== "read" || anchor !== "workspace")) return [wholeTree(head, anchor)];
  const isInRoot = examples.every((effect) => isInside(effect, policy));
  if (head === "read" && isInRoot && refusals.every((refusal) => refusal === null))
    return [{ level: "hint", code: "needless", why: "reads inside the workspace are allowed in every mode" }];
  if (head !== "read" && examples.every((effect) => !isInside(effect, policy)))
    return [
      {
        level: "hint",
        code: "outside_workspace",
        why: `only commands can ${head} there: file tools stay inside the workspace in every mode`,
      },
    ];
  return [];
}

function wholeTree(head: PathMatcher["head"], anchor: PathMatcher["anchor"]): Remark {
  const where = anchor === "workspace" ? "everything in the workspace" : anchor === "home" ? "the whole home folder" : "the whole disk";
  const but = head === "read" ? "" : ", but for guarded files that it does not spell";
  return {
    level: "warning",
    code: "too_wide",
    why: `it allows to ${head} ${where}${but}`,
    instead: `${head}(src/**), or the folder that is meant`,
  };
}

interface Others {
  readonly compared: readonly Rule[];
  readonly policy: Policy;
  readonly covers: (wide: Rule, narrow: Rule) => boolean;
}

const STRENGTH = { allow: 0, ask: 1, deny: 2 } as const;

/** The one finding about a rule and another: that it stands twice, is beaten, or says what a wider one says. */
function besideOthers(rule: Rule, index: number, { compared, policy, covers }: Others): Finding | null {
  const finding = (other: Rule, remark: Remark): Finding => ({ ...remark, ...identity(rule), other: identity(other) });
  const isSame = (other: Rule) => other.text === rule.text;
  const twin = compared.slice(0, index).find((other) => other.effect === rule.effect && isSame(other));
  if (twin) return finding(twin, { level: "warning", code: "duplicate", why: "it stands twice" });
  const stronger = compared.find((other) => STRENGTH[other.effect] > STRENGTH[rule.effect] && (isSame(other) || covers(other, rule)));
  if (stronger) {
    const why = `${stronger.effect} beats ${rule.effect}, and ${stronger.effect} ${stronger.text} covers all of it`;
    return finding(stronger, { level: "warning", code: "shadowed", why });
  }
  const wider = compared.find((other, at) => other.effect === rule.effect && at !== index && isWider(other, rule, { policy, covers }));
  return wider ? finding(wider, { level: "hint", code: "covered", why: `${wider.effect} ${wider.text} covers it already` }) : null;
}

function isWider(other: Rule, rule: Rule, { policy, covers }: Omit<Others, "compared">): boolean {
  return other.text !== rule.text && covers(other, rule) && !covers(rule, other) && !namesGuarded(rule, policy);
}

/** A rule that spells a guarded name does what no wider one does. */
function namesGuarded(rule: Rule, policy: Policy): boolean {
  return examplesOf(rule, policy).some((effect) => "path" in effect && guardRefusal(effect, { ...policy, rules: [] }) !== null);
}
