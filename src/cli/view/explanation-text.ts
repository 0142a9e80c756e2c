import { KINDS } from "../../base/kinds.ts";
import { showLine } from "../../base/show.ts";
import type { EffectRuling, Explanation, PolicyReport, ReportedRule } from "../../node.ts";
import { effectLine } from "./effect-text.ts";
import type { Look } from "./look.ts";
import { modeSourceText } from "./mode-source-text.ts";
import { offerLines } from "./offer-lines.ts";
import { sourceText } from "./source-text.ts";

const WORD_WIDTH = 7;
/** The exit status of every kind that says no. */
const NOT_PERMITTED = 3;
const INDENT = " ".repeat(WORD_WIDTH);

/** What stands beside the decision of one call. */
export interface ExplanationGround {
  readonly report: Pick<PolicyReport, "mode_source" | "files">;
  /** Rules of a file that is not trusted, that would allow a part of the call, or all of it; `null`: none. */
  readonly waiting: { readonly rules: readonly ReportedRule[]; readonly suffice: boolean } | null;
  /** The command that asks for trust, as a person types it. */
  readonly trust: string;
  /** As the flag `--on-ask` says; `null` without it. */
  readonly onAsk: "ask" | "deny" | null;
}

/** How a call would be decided: each effect with what decides it, the decision of the whole, and what would let it through. */
export function explanationText(explanation: Explanation, look: Look, ground: ExplanationGround | null = null): string {
  const { colors } = look;
  const { effects, rulings, decision, error, offers, narrowest, no_offer: noOffer, lifts_guard: lifting } = explanation;
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
      : [
          `${colors.red(isDenial(error) ? "It would be denied:" : "It cannot be planned:")} ${showLine(error.message)} ${colors.dim(`(${error.kind})`)}`,
        ]),
    ...(decision ? ["", ...decisionLines(explanation, look, ground)] : []),
    ...(isCut ? [colors.dim("The plan ends at this read; what it would come to after it is not known yet.")] : []),
    ...(offers.length > 0 ? ["", colors.dim("To allow it:"), ...offerLines({ rules: offers, narrowest, indent: "  " }, look)] : []),
    ...(noOffer === null ? [] : ["", `No rule can allow it: ${showLine(noOffer)}.`]),
    ...(lifting.length > 0
      ? [
          "",
          colors.dim("To lift the guard, so that rules and mode decide:"),
          ...offerLines({ rules: lifting, narrowest: lifting.length, indent: "  " }, look),
        ]
      : []),
    ...waitingLines(ground, look),
    "",
  ].join("\n");
}

/** True for a refusal in which neither rules nor mode had a part, such as that of a grant or of a tool that only reads. */
export function isDenial({ kind }: NonNullable<Explanation["error"]>): boolean {
  return KINDS[kind].exit === NOT_PERMITTED;
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

function decisionLines({ decision, rulings }: Explanation, look: Look, ground: ExplanationGround | null): readonly string[] {
  if (!decision) return [];
  const ruling = decision.effect === null ? undefined : rulings[decision.effect];
  const { colors } = look;
  const isAsk = decision.outcome === "ask";
  const end = isAsk && ground?.onAsk === "deny" ? "deny" : decision.outcome;
  const what = { allow: "It would be allowed", ask: "It would be asked about", deny: "It would be denied" }[end];
  const paint = { allow: colors.green, ask: colors.yellow, deny: colors.red }[end];
  const note = isAsk && (ground?.onAsk ?? null) === null ? colors.dim(" (denied where nobody is there to ask)") : "";
  const by = ruling ? rulingText(ruling, look) : showLine(decision.rule);
  const byMode = ruling?.by === "mode" && ground && ground.report.mode_source.from === "file";
  return [
    isAsk && end === "deny"
      ? `${paint(what)}: --on-ask deny says no to every question, and it is one, by ${by}`
      : `${paint(what)}, by ${by}${note}`,
    ...(byMode ? [colors.dim(`The mode: ${modeSourceText(ground.report, look)}.`)] : []),
  ];
}

/** Rules that would help, were they trusted, and how they come to be. */
function waitingLines(ground: ExplanationGround | null, look: Look): readonly string[] {
  if (!ground?.waiting) return [];
  const { rules, suffice } = ground.waiting;
  return [
    "",
    `${suffice ? "It would be allowed" : "A part of it would be allowed"} by what is not in force, since its file is not trusted:`,
    ...rules.map(({ rule, source }) => `  allow ${showLine(rule)}  ${look.colors.dim(sourceText(source, look))}`),
    look.colors.dim("To look at the file and decide:"),
    `  ${showLine(ground.trust)}`,
  ];
}
