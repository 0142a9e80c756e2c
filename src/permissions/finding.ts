import type { DecisionSource } from "../base/decision.ts";

/** Something about a rule that its author should know. */
export interface Finding {
  /** `warning`: the rule does not do what it says, or much more. `hint`: it is right, and could be said better. */
  readonly level: "warning" | "hint";
  readonly code:
    | "never_matches"
    | "no_such_program"
    | "guard_refuses"
    | "no_effect_in_read_only"
    | "needless"
    | "duplicate"
    | "shadowed"
    | "covered"
    | "too_wide"
    | "star_is_one_word"
    | "only_at_the_beginning"
    | "outside_workspace";
  readonly rule: string;
  readonly effect: "allow" | "ask" | "deny";
  readonly source: DecisionSource;
  /** Why, as a sentence without its end. */
  readonly why: string;
  /** What to write in its place, or what to do. */
  readonly instead?: string;
  /** The rule that stands in its way. */
  readonly other?: { readonly rule: string; readonly effect: "allow" | "ask" | "deny"; readonly source: DecisionSource };
}

/** What a rule's own finding says; whose it is stands in `Finding`. */
export type Remark = Pick<Finding, "level" | "code" | "why" | "instead">;
