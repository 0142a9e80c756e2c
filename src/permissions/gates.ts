import type { DecisionSource } from "../base/decision.ts";
import { modeRows, type Row } from "./mode.ts";
import type { Policy } from "./policy.ts";
import type { Rule } from "./rule.ts";
import type { WritePolicy } from "./write-policy.ts";

/** One kind of thing that a call may do, and whether the policy as it stands can still ask about it. */
export interface PolicyGate {
  /** The row of the mode's table, such as `write` or `command that only reads`. */
  readonly row: string;
  /** What the mode says where no rule does. */
  readonly by_mode: "allow" | "ask" | "deny";
  /**
   * What a bounded write policy leaves of it before rules and mode are looked at: a part (`narrows`) or nothing (`denies`); `null` where it has nothing
   * against it, or there is none.
   */
  readonly by_write_policy: "narrows" | "denies" | null;
  /** Ask rules that can reach such effects: each asks also where the mode allows. */
  readonly ask_rules: readonly GateRule[];
  /** Allow rules that take some of them out of what the mode asks. */
  readonly allow_rules: readonly GateRule[];
  /** Deny rules that can reach such effects: what they reach is never asked. */
  readonly deny_rules: readonly GateRule[];
  /** What can still come: a question, where somebody is there; without anybody each of them is a denial (`nobody_to_ask`). */
  readonly can_ask: boolean;
}

/** A rule that has a part in a gate. */
export interface GateRule {
  readonly rule: string;
  readonly source: DecisionSource;
}

const HEADS: Readonly<Record<Row, Rule["matcher"]["head"] | null>> = {
  read: "read",
  "read outside": "read",
  write: "write",
  "write outside": "write",
  delete: "delete",
  "delete outside": "delete",
  "command that only reads": "command",
  command: "command",
  "command outside": "command",
  network: "network",
  agent: "agent",
  unknown: null,
};

/**
 * Everything that the policy can still ask, row by row of the mode's table. Static: no call is looked at, so a command rule stands at every row
 * of commands. Which of them a command falls under is known when it is planned.
 */
export function gatesOf(policy: Pick<Policy, "mode" | "rules" | "writePolicy">): readonly PolicyGate[] {
  return modeRows(policy.mode).map(({ row, outcome }) => {
    const of = (effect: Rule["effect"]) => rulesOf(policy.rules, effect, row);
    const left = leftBy(policy.writePolicy ?? null, row);
    // what the ceiling or the write policy denies is never asked, whatever ask rules say
    const isDenied = outcome === "deny" || left === "denies";
    const asking = isDenied ? [] : of("ask");
    return {
      row,
      by_mode: outcome,
      by_write_policy: left,
      ask_rules: asking,
      allow_rules: outcome === "ask" && !isDenied ? of("allow") : [],
      deny_rules: isDenied ? [] : of("deny"),
      can_ask: !isDenied && (outcome === "ask" || asking.length > 0),
    };
  });
}

/** As `writePolicyRefusal` judges: a verify command may do whatever it does by itself, reads and commands that only read are left alone. */
function leftBy(policy: WritePolicy | null, row: Row): PolicyGate["by_write_policy"] {
  if (policy === null) return null;
  const verifies = policy.bash !== "disabled" && policy.bash.verify.length > 0;
  switch (row) {
    case "read":
    case "read outside":
    case "command that only reads":
      return null;
    case "write":
    case "delete":
      return policy.allow_writes.length > 0 || verifies ? "narrows" : "denies";
    case "command outside":
      // some of them only read
      return "narrows";
    case "agent":
      return "denies";
    default:
      return verifies ? "narrows" : "denies";
  }
}

function rulesOf(rules: readonly Rule[], effect: Rule["effect"], row: Row): readonly GateRule[] {
  // no rule allows what is unknown; where that is which commands run, it may be the one that a rule asks about or denies
  const head = row === "unknown" && effect !== "allow" ? "command" : HEADS[row];
  // what a relative pattern allows lies inside; a tree from above the workspace reaches what it asks about or denies
  const speaks = ({ matcher }: Rule) =>
    matcher.head === head && !(effect === "allow" && row.endsWith(" outside") && "anchor" in matcher && matcher.anchor === "workspace");
  return rules.filter((rule) => rule.effect === effect && speaks(rule)).map(({ text, source }) => ({ rule: text, source }));
}
