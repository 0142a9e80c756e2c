import type { DecisionSource } from "../base/decision.ts";
import { modeRows, type Row } from "./mode.ts";
import type { Policy } from "./policy.ts";
import type { Rule } from "./rule.ts";

/** One kind of thing that a call may do, and whether the policy as it stands can still ask about it. */
export interface PolicyGate {
  /** The row of the mode's table, such as `write` or `command that only reads`. */
  readonly row: string;
  /** What the mode says where no rule does. */
  readonly by_mode: "allow" | "ask" | "deny";
  /** Ask rules that speak of such effects: each asks also where the mode allows. */
  readonly ask_rules: readonly GateRule[];
  /** Allow rules that take some of them out of what the mode asks. */
  readonly allow_rules: readonly GateRule[];
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

/** Everything that the policy can still ask, row by row of the mode's table. Static: no call is looked at. */
export function gatesOf(policy: Pick<Policy, "mode" | "rules">): readonly PolicyGate[] {
  return modeRows(policy.mode).map(({ row, outcome }) => {
    const of = (effect: Rule["effect"]) => rulesOf(policy.rules, effect, row);
    // the ceiling comes before ask rules: what it denies is never asked
    const asking = outcome === "deny" ? [] : of("ask");
    return {
      row,
      by_mode: outcome,
      ask_rules: asking,
      allow_rules: outcome === "ask" ? of("allow") : [],
      can_ask: outcome === "ask" || asking.length > 0,
    };
  });
}

function rulesOf(rules: readonly Rule[], effect: Rule["effect"], row: Row): readonly GateRule[] {
  const head = HEADS[row];
  // of a relative pattern it is sure that it lies inside, of the others it is not
  const speaks = ({ matcher }: Rule) =>
    matcher.head === head && !(row.endsWith(" outside") && "anchor" in matcher && matcher.anchor === "workspace");
  return rules.filter((rule) => rule.effect === effect && speaks(rule)).map(({ text, source }) => ({ rule: text, source }));
}
