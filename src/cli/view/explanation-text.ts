import { showLine } from "../../base/show.ts";
import type { EffectRuling, Explanation } from "../../node.ts";
import { effectLine } from "./effect-text.ts";
import type { Look } from "./look.ts";
import { offerLines } from "./offer-lines.ts";
import { sourceText } from "./source-text.ts";

const WORD_WIDTH = 7;
const INDENT = " ".repeat(WORD_WIDTH);

/** How a call would be decided: each effect with what decides it, the decision of the whole, and what would let it through. */
export function explanationText(explanation: Explanation, look: Look): string {
  const { colors } = look;
  const { effects, rulings, decision, error, offers, narrowest } = explanation;
  const lines = effects.flatMap((effect, at) => {
    const ruling = rulings[at];
    return ruling ? [`${word(ruling.outcome, look)}${effectLine(effect, effects, look)}`, ...rulingLines(ruling, look)] : [];
  });
  const isCut = error !== null && decision !== null;
  return [
    ...lines,
    ...(effects.length === 0 && error === null ? [colors.dim("It has no effects.")] : []),
    ...(error === null || isCut
      ? []
      : [`${colors.red("It cannot be planned:")} ${showLine(error.message)} ${colors.dim(`(${error.kind})`)}`]),
    ...(decision ? ["", decisionLine(explanation, look)] : []),
    ...(isCut ? [colors.dim("The plan ends at this read; what it would come to after it is not known yet.")] : []),
    ...(offers.length > 0 ? ["", colors.dim("To allow it:"), ...offerLines({ rules: offers, narrowest, indent: "  " }, look)] : []),
    "",
  ].join("\n");
}

function word(outcome: EffectRuling["outcome"], { colors }: Look): string {
  const paint = { allow: colors.green, ask: colors.yellow, deny: colors.red }[outcome];
  return paint(outcome.padEnd(WORD_WIDTH));
}

function rulingLines(ruling: EffectRuling, look: Look): readonly string[] {
  const { colors } = look;
  const by = `${INDENT}${colors.dim("by")} ${rulingText(ruling, look)}`;
  // of a denial the sentence says what neither the rule nor the effect does
  return ruling.outcome === "allow" || ruling.by === "mode" || ruling.by === "deny" || ruling.by === "ask"
    ? [by + reasonText(ruling)]
    : [by, `${INDENT}${colors.dim(showLine(ruling.message))}`];
}

/** What decided, and where it stands: `deny read(x)  .collet/permissions.json:3`. */
export function rulingText({ by, rule, source }: EffectRuling, look: Look): string {
  const isRule = by === "deny" || by === "ask" || by === "allow";
  return isRule ? `${by} ${showLine(rule)}  ${look.colors.dim(sourceText(source, look))}` : showLine(rule);
}

function reasonText({ reason }: EffectRuling): string {
  return reason === undefined ? "" : ` (${showLine(reason)})`;
}

function decisionLine({ decision, rulings }: Explanation, look: Look): string {
  if (!decision) return "";
  const ruling = decision.effect === null ? undefined : rulings[decision.effect];
  const what = { allow: "It would be allowed", ask: "It would be asked about", deny: "It would be denied" }[decision.outcome];
  const paint = { allow: look.colors.green, ask: look.colors.yellow, deny: look.colors.red }[decision.outcome];
  const note = decision.outcome === "ask" ? look.colors.dim(" (denied where nobody is there to ask)") : "";
  return `${paint(what)}, by ${ruling ? rulingText(ruling, look) : showLine(decision.rule)}${note}`;
}
