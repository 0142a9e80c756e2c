import { showLine } from "../../base/show.ts";
import { type GateRule, type PolicyGate, readPolicy } from "../../node.ts";
import { columns } from "../view/columns.ts";
import type { Look } from "../view/look.ts";
import { sourceText } from "../view/source-text.ts";
import { wrapText } from "../view/wrap-text.ts";
import { lookOf, type PolicyCommand, policyPlace, tellJson } from "./policy-command.ts";

/** `collet policy gates`: what the policy as it stands can still ask. Returns the exit status. */
export async function policyGates(command: PolicyCommand): Promise<number> {
  const { terminal, flags } = command;
  const { options, place } = await policyPlace(command);
  const { gates, mode } = await readPolicy(options);
  if (flags.json) {
    await tellJson(terminal, { mode, gates, headless: "deny" });
    return 0;
  }
  const look = lookOf(terminal, place);
  const { colors } = look;
  const rows = gates.map((gate) => [gate.row, answerText(gate, look), ...rulesText(gate, look)]);
  const asks = gates.filter(({ can_ask: canAsk }) => canAsk).length;
  const end =
    asks === 0
      ? "Nothing is ever asked."
      : "Where nobody is there to ask (no terminal, or --on-ask deny), each of these questions is a denial: permission_denied, nobody_to_ask.";
  await terminal.out.write(
    wrapText(`${[`mode ${colors.bold(mode)}`, ...columns(rows), "", colors.dim(end), ""].join("\n")}`, look.columns ?? null),
  );
  return 0;
}

function answerText({ by_mode: byMode, can_ask: canAsk }: PolicyGate, { colors }: Look): string {
  if (byMode === "ask") return colors.yellow("asks");
  if (canAsk) return colors.yellow("asks by rule");
  return byMode === "allow" ? colors.green("never asks: allowed") : colors.red("never asks: denied");
}

function rulesText({ ask_rules: ask, allow_rules: allow }: PolicyGate, { workspace, colors }: Look): readonly string[] {
  const listed = (rules: readonly GateRule[]) =>
    rules.map(({ rule, source }) => `${showLine(rule)} ${colors.dim(`(${sourceText(source, workspace)})`)}`).join(", ");
  const parts = [ask.length > 0 ? `ask ${listed(ask)}` : "", allow.length > 0 ? `but for allow ${listed(allow)}` : ""];
  const text = parts.filter(Boolean).join("; ");
  return text === "" ? [] : [text];
}
