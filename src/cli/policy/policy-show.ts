import path from "node:path";
import { showLine } from "../../base/show.ts";
import { type PolicyReport, readPolicy, type WritePolicy } from "../../node.ts";
import { columns } from "../view/columns.ts";
import { shownPath } from "../view/effect-text.ts";
import type { Look } from "../view/look.ts";
import { modeSourceText } from "../view/mode-source-text.ts";
import { sourceText } from "../view/source-text.ts";
import { wrapText } from "../view/wrap-text.ts";
import { writePolicyRows } from "../view/write-policy-text.ts";
import { lookOf, type PolicyCommand, policyPlace, tellJson } from "./policy-command.ts";

/** `collet policy show`: mode and rules in force, each with its place. Returns the exit status. */
export async function showPolicy(command: PolicyCommand): Promise<number> {
  const { terminal, flags } = command;
  const { options, place } = await policyPlace(command);
  const report = await readPolicy(options);
  const { writePolicy: policy } = options;
  const bounded = policy && flags.writePolicy !== undefined ? { policy, file: path.resolve(terminal.cwd(), flags.writePolicy) } : null;
  if (flags.json) {
    const { findings: _, gates: __, ...shown } = report;
    await tellJson(terminal, { ...shown, ...(bounded ? { write_policy_rules: { file: bounded.file, ...bounded.policy } } : {}) });
  } else {
    const look = lookOf(terminal, place);
    await terminal.out.write(wrapText(policyText(report, bounded, look), look.columns ?? null));
  }
  return 0;
}

const STATES = {
  absent: "not there",
  in_force: "in force",
  narrowing: "not trusted: only what it denies and asks about is in force; see collet trust",
} as const;

interface Bounded {
  readonly policy: WritePolicy;
  /** Absolute path of the file that it was read from. */
  readonly file: string;
}

function policyText(report: PolicyReport, bounded: Bounded | null, look: Look): string {
  const { workspace, mode, files, rules } = report;
  const { colors } = look;
  const heads = [
    // whole: what follows is relative to it
    ["workspace", showLine(workspace)],
    ["mode", `${colors.bold(mode)} ${colors.dim(`(${modeSourceText(report, look)})`)}`],
  ];
  const fileRows = files.map(({ path, state }) => [shownPath(path, look), colors.dim(STATES[state])]);
  const inForce = ruleRows(report, true, look);
  const waiting = ruleRows(report, false, look);
  return [
    ...columns(heads, ""),
    ...(bounded
      ? section(
          "write policy: nothing else is written, whatever rules and mode say",
          columns(writePolicyRows(bounded.policy, shownPath(bounded.file, look))),
          look,
        )
      : []),
    ...section("files", columns(fileRows), look),
    ...section("rules: deny beats ask beats allow", rules.some((rule) => rule.in_force) ? columns(inForce) : [colors.dim("  none")], look),
    ...section("not in force, until the file is trusted: collet trust", columns(waiting), look),
    "",
  ].join("\n");
}

function section(title: string, lines: readonly string[], { colors }: Look): readonly string[] {
  return lines.length === 0 ? [] : ["", colors.cyan(title), ...lines];
}

const ORDER = ["deny", "ask", "allow"] as const;

function ruleRows({ rules }: PolicyReport, inForce: boolean, look: Look): readonly (readonly string[])[] {
  const { colors } = look;
  const paint = { deny: colors.red, ask: colors.yellow, allow: colors.green };
  return ORDER.flatMap((effect) =>
    rules
      .filter((rule) => rule.effect === effect && rule.in_force === inForce)
      .map((rule) => [paint[effect](effect), showLine(rule.rule), colors.dim(sourceText(rule.source, look))]),
  );
}
