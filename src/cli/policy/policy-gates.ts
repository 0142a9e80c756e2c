import { showLine } from "../../base/show.ts";
import { type GateRule, type PolicyGate, readPolicy, type WritePolicy } from "../../node.ts";
import { columns } from "../view/columns.ts";
import type { Look } from "../view/look.ts";
import { sourceText } from "../view/source-text.ts";
import { wrapText } from "../view/wrap-text.ts";
import { writePolicyPart } from "../view/write-policy-text.ts";
import { lookOf, type PolicyCommand, policyPlace, tellJson } from "./policy-command.ts";

/** `collet policy gates`: what the policy as it stands can still ask. Returns the exit status. */
export async function policyGates(command: PolicyCommand): Promise<number> {
  const { terminal, flags } = command;
  const { options, place } = await policyPlace(command);
  const { gates, mode, mode_source: source } = await readPolicy(options);
  if (flags.json) {
    await tellJson(terminal, { mode, mode_source: source, gates, headless: "deny" });
    return 0;
  }
  const look = lookOf(terminal, place);
  const { colors } = look;
  const { writePolicy } = options;
  const rows = gates.map((gate) => [gate.row, answerText(gate, look), ...whyText(gate, writePolicy, look)]);
  const by = source.from === "file" ? colors.dim(` (${sourceText(source, look)})`) : "";
  const head = `mode ${colors.bold(mode)}${by}${writePolicy ? `, write policy ${showLine(writePolicy.id)}` : ""}`;
  const notes = notesOf(gates).map((note) => colors.dim(note));
  await terminal.out.write(wrapText([head, ...columns(rows), "", ...notes, ""].join("\n"), look.columns ?? null));
  return 0;
}

function notesOf(gates: readonly PolicyGate[]): readonly string[] {
  const isSplit = gates.some(({ row, ask_rules: ask }) => row === "command that only reads" && ask.length > 0);
  return [
    ...(isSplit
      ? [
          "A rule for a command stands at every row of commands: which one a command belongs to is known when it is planned, and the rule asks in each. Unknown ones can be what a rule asks about.",
        ]
      : []),
    "The guard and the bounds of the workspace deny, and never ask.",
    gates.some(({ can_ask: canAsk }) => canAsk)
      ? "Where nobody is there to ask (no terminal, or --on-ask deny), each of these questions is a denial: permission_denied, nobody_to_ask."
      : "Nothing is ever asked.",
  ];
}

function answerText({ by_mode: byMode, by_write_policy: left, can_ask: canAsk }: PolicyGate, { colors }: Look): string {
  if (left === "denies") return colors.red("never asks: denied");
  if (canAsk) return colors.yellow(byMode === "ask" ? "asks" : "allowed, asks by rule");
  return byMode === "allow" ? colors.green("never asks: allowed") : colors.red("never asks: denied");
}

function whyText(gate: PolicyGate, writePolicy: WritePolicy | null, look: Look): readonly string[] {
  const listed = (effect: string, rules: readonly GateRule[]) =>
    rules.map(({ rule, source }) => `${effect} ${showLine(rule)} ${look.colors.dim(`(${sourceText(source, look)})`)}`).join(", ");
  const { ask_rules: ask, allow_rules: allow, deny_rules: deny, by_write_policy: left, row } = gate;
  const parts = [
    left === null || writePolicy === null ? "" : writePolicyPart(row, left, writePolicy),
    listed("ask", ask),
    allow.length > 0 ? `but for ${listed("allow", allow)}` : "",
    deny.length > 0 ? `denied by ${listed("deny", deny)}` : "",
  ];
  const text = parts.filter(Boolean).join("; ");
  return text === "" ? [] : [text];
}
