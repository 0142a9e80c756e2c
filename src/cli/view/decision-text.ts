import type { Decision } from "../../base/decision.ts";
import { showLine } from "../../base/show.ts";
import { quoteWord } from "../../base/words.ts";
import { shownPath } from "./effect-text.ts";
import type { Look } from "./look.ts";

/** How a call was decided, by what and why, in one line: `allowed by --allow 'write(src/**)'`. */
export function decisionText(decision: Decision, look: Look): string {
  const { colors } = look;
  const { outcome, reason } = decision;
  const word = outcome === "allow" ? colors.green("allowed") : outcome === "ask" ? colors.yellow("to be asked") : colors.red("refused");
  const why = reason === undefined ? "" : `: ${REASONS[reason] ?? showLine(reason)}`;
  const by = ruleText(decision, look);
  if (decision.source.from === "person") return `${word} by a person${why}`;
  return decision.source.from === "builtin" || why ? `${word}${why} ${colors.dim(`(${by})`)}` : `${word} by ${by}`;
}

/** Reasons that Collet itself gives; any other is a person's own words. */
const REASONS: Readonly<Record<string, string>> = {
  nobody_to_ask: "it would have been asked about, and nobody is asked",
  would_ask: "it would be asked about",
  read_only_is_a_ceiling: "read_only allows no more than reading, whatever a rule says",
  denied_by_person: "no reason given",
  asker_failed: "the question could not be put",
  unknown_answer: "the answer is none that is known",
  args_changed: "in favour of other arguments",
  unusable_rules: "the rules that were to be kept cannot be used",
  too_many_changes: "the arguments were changed too often",
};

/** A question that became a denial stands at the flag that asked. */
const FLAGS = { allow: "--allow", ask: "--ask-for", deny: "--deny" } as const;

/** The rule as it was written, and where. */
export function ruleText({ rule, source, outcome, reason }: Decision, look: Pick<Look, "workspace" | "home">): string {
  const shown = showLine(rule);
  switch (source.from) {
    case "builtin":
    case "guard":
    case "write_policy":
    case "person":
      return shown;
    case "flag":
      return `${FLAGS[outcome === "deny" && reason !== undefined ? "ask" : outcome]} ${showLine(quoteWord(rule))}`;
    case "api":
      return `${shown} (given in code)`;
    case "approval":
      return `${shown} (approved earlier)`;
    case "file":
      return `${shown} (${source.file === undefined ? "a file" : shownPath(source.file, look)}${source.line === undefined ? "" : `:${source.line}`})`;
  }
}
