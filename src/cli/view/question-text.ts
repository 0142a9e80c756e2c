import type { Effect } from "../../base/effect.ts";
import type { JsonObject } from "../../base/json.ts";
import { showLine, showText } from "../../base/show.ts";
import type { Question } from "../../node.ts";
import { ruleText } from "./decision-text.ts";
import { diffLines } from "./diff-lines.ts";
import { effectLine } from "./effect-text.ts";
import type { Look } from "./look.ts";
import { offerLines } from "./offer-lines.ts";

const INDENT = "    ";

/**
 * A question whole, as it stands on the terminal before the choices: tool and arguments, the rule that asks, the first of the rules that
 * would have let the call through, and every effect with its diff. Of what is agreed to nothing is cut, however long it is.
 */
export function questionText(question: Question, look: Look): string {
  const { colors } = look;
  const { tool, args, effects, decision, offers, narrowest, no_offer: noOffer, agent } = question;
  const who = agent.depth > 0 ? `the agent ${showLine(agent.name)} wants` : "the model wants";
  const lines = [
    "",
    `${colors.yellow("?")} ${colors.bold(`${who} to use ${showLine(tool)}`)}${question.changed ? colors.yellow("  (with your arguments)") : ""}${question.again ? colors.yellow("  (asked again: files changed meanwhile)") : ""}`,
    // exact effects say all that a call does; else the arguments say what the effects leave open
    ...(effects.length > 0 && effects.every((effect) => effect.sure === "exact") ? [] : argumentLines(args, colors)),
    `  ${colors.dim("Asked by:")} ${ruleText(decision, look)}`,
    `  ${colors.dim("Because:")} ${showLine(reasonText(question))}`,
    ...(offers.length > 0
      ? [`  ${colors.dim("To skip this question:")}`, ...offerLines({ rules: offers, narrowest, indent: INDENT }, look)]
      : []),
    ...(noOffer === null ? [] : [`  ${colors.dim("No rule can be kept for it:")} ${showLine(noOffer)}`]),
    // last, where the eye is when the answer is given
    `  ${colors.dim("It will:")}`,
    ...effects.flatMap((effect) => effectLines(effect, effects, look)),
  ];
  return `${lines.join("\n")}\n`;
}

function argumentLines(args: JsonObject, colors: Look["colors"]): string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const lines = showText(text ?? "").split("\n");
    const label = `  ${colors.dim(`${showLine(name)}:`)}`;
    return lines.length === 1 ? [`${label} ${lines[0]}`] : [label, ...lines.map((line) => INDENT + line)];
  });
}

function effectLines(effect: Effect, all: readonly Effect[], look: Look): string[] {
  const lines = [INDENT + effectLine(effect, all, look)];
  if (effect.kind === "file.write" && effect.sure === "exact" && effect.diff !== "") {
    lines.push(...diffLines(effect.diff, { colors: look.colors, max: Number.POSITIVE_INFINITY }).map((line) => INDENT + line));
  }
  return lines;
}

/** Why it is asked, where the rule does not say it itself. */
function reasonText({ decision, effects }: Question): string {
  const { reason, source, effect } = decision;
  if (reason !== undefined) return reason;
  if (source.from !== "builtin") return "this rule wants every such call to be asked about";
  const asked = effect === null ? undefined : effects[effect];
  return asked?.kind === "unknown" ? asked.reason : "no rule allows it, and the mode asks about all but reads inside";
}
