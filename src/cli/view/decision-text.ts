import type { Decision } from "../../base/decision.ts";
import { showLine } from "../../base/show.ts";
import type { Colors } from "../output.ts";

/** How a call was decided and by what, in one line: `allowed by write(src/**) (from a flag)`. */
export function decisionText(decision: Decision, colors: Colors): string {
  const { outcome, rule, reason } = decision;
  const because = reason ? `: ${REASONS[reason] ?? showLine(reason)}` : "";
  const by =
    decision.source.from === "person" ? `by a person, whom ${showLine(rule)} asked` : `by ${showLine(rule)} ${source(decision, colors)}`;
  switch (outcome) {
    case "allow":
      return `${colors.green("allowed")} ${by}${because}`;
    case "ask":
      return `${colors.yellow("to be asked")} ${by}${because}`;
    case "deny":
      return `${colors.red("refused")} ${by}${because}`;
  }
}

/** Reasons that Collet itself gives; any other is a person's own words. */
const REASONS: Readonly<Record<string, string>> = {
  nobody_to_ask: "it would have to be asked, and there is nobody to ask",
  would_ask: "it would have to be asked",
  read_only_is_a_ceiling: "read_only allows no more than reading, whatever a rule says",
  denied_by_person: "no reason given",
  asker_failed: "the question could not be put",
  unknown_answer: "the answer is none that is known",
};

function source(decision: Decision, colors: Colors): string {
  return colors.dim(`(${sourceText(decision)})`);
}

/** Where a rule comes from, in words. */
export function sourceText({ source }: Decision): string {
  switch (source.from) {
    case "builtin":
      return "built in";
    case "flag":
      return "from a flag";
    case "api":
      return "given in code";
    case "file":
      return showLine(source.line === undefined ? (source.file ?? "a file") : `${source.file}:${source.line}`);
    case "person":
      return "from a person";
    case "approval":
      return "from an approval";
    case "guard":
      return "guarded paths";
    case "write_policy":
      return "the write policy";
  }
}
