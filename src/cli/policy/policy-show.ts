import { showLine } from "../../base/show.ts";
import { type PolicyReport, readPolicy } from "../../node.ts";
import { columns } from "../view/columns.ts";
import { shownPath } from "../view/effect-text.ts";
import type { Look } from "../view/look.ts";
import { sourceText } from "../view/source-text.ts";
import { wrapText } from "../view/wrap-text.ts";
import { lookOf, type PolicyCommand, policyPlace, tellJson } from "./policy-command.ts";

/** `collet policy show`: mode and rules in force, each with its place. Returns the exit status. */
export async function showPolicy(command: PolicyCommand): Promise<number> {
  const { terminal, flags } = command;
  const { options, place } = await policyPlace(command);
  const report = await readPolicy(options);
  if (flags.json) {
    const { findings: _, gates: __, ...shown } = report;
    await tellJson(terminal, shown);
  } else {
    const look = lookOf(terminal, place);
    await terminal.out.write(wrapText(policyText(report, look), look.columns ?? null));
  }
  return 0;
}

const STATES = {
  absent: "not there",
  in_force: "in force",
  narrowing: "not trusted: only what it denies and asks about is in force; see collet trust",
} as const;

function policyText(report: PolicyReport, look: Look): string {
  const { workspace, mode, mode_source: source, write_policy: writePolicy, files, rules } = report;
  const { colors } = look;
  const by = source.from === "builtin" ? "the default" : sourceText(source, workspace);
  const heads = [
    ["workspace", showLine(workspace)],
    ["mode", `${colors.bold(mode)} ${colors.dim(`(${by})`)}`],
    ...(writePolicy === null ? [] : [["write policy", writePolicy]]),
  ];
  const fileRows = files.map(({ path, state }) => [shownPath(path, workspace), colors.dim(STATES[state])]);
  const inForce = ruleRows(report, true, look);
  const waiting = ruleRows(report, false, look);
  return [
    ...columns(heads, ""),
    ...section("files", columns(fileRows), look),
    ...section("rules: deny beats ask beats allow", rules.some((rule) => rule.in_force) ? columns(inForce) : [colors.dim("  none")], look),
    ...section("not in force, until the file is trusted", columns(waiting), look),
    "",
  ].join("\n");
}

function section(title: string, lines: readonly string[], { colors }: Look): readonly string[] {
  return lines.length === 0 ? [] : ["", colors.cyan(title), ...lines];
}

const ORDER = ["deny", "ask", "allow"] as const;

function ruleRows({ rules, workspace }: PolicyReport, inForce: boolean, { colors }: Look): readonly (readonly string[])[] {
  const paint = { deny: colors.red, ask: colors.yellow, allow: colors.green };
  return ORDER.flatMap((effect) =>
    rules
      .filter((rule) => rule.effect === effect && rule.in_force === inForce)
      .map((rule) => [paint[effect](effect), showLine(rule.rule), colors.dim(sourceText(rule.source, workspace))]),
  );
}
