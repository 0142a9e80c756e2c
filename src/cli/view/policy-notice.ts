import { showLine } from "../../base/show.ts";
import type { PolicyReport } from "../../node.ts";
import { counted } from "./bytes-text.ts";
import { shownPath } from "./effect-text.ts";
import type { Look } from "./look.ts";
import { modeSourceText } from "./mode-source-text.ts";
import { sourceText } from "./source-text.ts";
import { wrapText } from "./wrap-text.ts";

export interface NoticeOptions {
  readonly look: Look;
  /** How the person starts Collet. */
  readonly command: string;
  /** The flags that say where, each with a blank before it. */
  readonly at: string;
  readonly withFindings: boolean;
}

/** More warnings than these are counted. */
const MAX_WARNINGS = 3;

/** What a person should know of the policy before anything runs; "" when that is nothing. */
export function policyNotice(report: PolicyReport, { look, command, at, withFindings }: NoticeOptions): string {
  const { mode, mode_source: source, files, findings, rules } = report;
  const { colors } = look;
  const lines: string[] = [];
  if (source.from === "file") lines.push(colors.dim(`Mode ${mode}: ${modeSourceText(report, look)}.`));
  for (const { path } of files.filter(({ state }) => state === "narrowing")) {
    const count = rules.filter((rule) => !rule.in_force && rule.source.file === path).length;
    const waits = `${counted(count, "allow rule")} ${count === 1 ? "waits" : "wait"}`;
    lines.push(
      colors.yellow(
        `Not trusted: ${shownPath(path, look)}. Only what it denies and asks about is in force; ${waits}. To look at it and decide:`,
      ),
    );
    lines.push(`  ${showLine(command)} trust${showLine(at)}`);
  }
  const warnings = withFindings ? findings.filter(({ level }) => level === "warning") : [];
  for (const { effect, rule, source: from, why } of warnings.slice(0, MAX_WARNINGS))
    lines.push(colors.yellow(`Rule ${effect} ${showLine(rule)} (${sourceText(from, look)}): ${showLine(why)}.`));
  const left = warnings.length - MAX_WARNINGS;
  if (left > 0) lines.push(colors.dim(`… ${left} more: ${showLine(command)} policy lint${showLine(at)}`));
  return lines.length > 0 ? wrapText(`${lines.join("\n")}\n`, look.columns ?? null) : "";
}
