/** How a call, judged by its strictest effect, was decided, and by what. */
export type Decision = {
  readonly outcome: "allow" | "ask" | "deny";
  /** Why, where the rule does not say it: `nobody_to_ask`, `would_ask`, `read_only_is_a_ceiling`, or a person's words, which the model reads. */
  readonly reason?: string;
  /** The rule as written, or the built-in's name. */
  readonly rule: string;
  readonly source: DecisionSource;
  /** Index into the plan's effects of the one that decided; `null` when there is none. */
  readonly effect: number | null;
};

/** Where the rule stands that decided; `file` and `line` (from 1) when it was read from a file. */
export type DecisionSource = {
  readonly from: "builtin" | "flag" | "api" | "file" | "person" | "approval" | "guard" | "write_policy";
  readonly file?: string;
  readonly line?: number;
};

/** What is done where no rule says: `auto` allows, `ask` asks for all but reads, `read_only` refuses all but reads, whatever a rule allows. */
export type Mode = "auto" | "ask" | "read_only";

/** How an interrupted call is settled on resume: run again, compare the files with the plan's hashes, or take its outcome as unknown. */
export type Recovery = "repeat" | "reconcile" | "unknown";
