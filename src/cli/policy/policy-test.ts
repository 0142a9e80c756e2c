import path from "node:path";
import { configFailure } from "../../base/located-json.ts";
import { showLine } from "../../base/show.ts";
import { codingTools, type PolicyTestReport, type TestedCase, testPolicy } from "../../node.ts";
import { grantedTools, withGrants } from "../grants.ts";
import { whileInterruptible } from "../interrupts.ts";
import { withFlag } from "../runtime-options.ts";
import { readUserFile } from "../user-file.ts";
import { shownPath } from "../view/effect-text.ts";
import { explanationText } from "../view/explanation-text.ts";
import type { Look } from "../view/look.ts";
import { wrapText } from "../view/wrap-text.ts";
import { lookOf, type PolicyCommand, policyPlace } from "./policy-command.ts";

const MAX_BYTES = 4 * 2 ** 20;
const EXIT_FAILED = 1;

/** `collet policy test FILE`. Returns the exit status: 0 when every case came out as expected, 1 when one did not; a broken file is a failure. */
export async function testPolicyFile(file: string, command: PolicyCommand & { readonly grants: readonly string[] }): Promise<number> {
  const { terminal, flags } = command;
  const tools = withGrants(codingTools(), grantedTools(command.grants));
  const { options: own, place } = await policyPlace(command);
  const options = { ...own, tools };
  const absolute = path.resolve(terminal.cwd(), file);
  const text = await whileInterruptible(terminal, (signal) =>
    readUserFile(absolute, {
      maxBytes: MAX_BYTES,
      signal,
      refuse: (why, reason) => configFailure({ path: absolute, reason }, `the test cannot be used: ${why}`),
    }),
  );
  const report = await testPolicy(options, { path: absolute, text }).catch((error: unknown) => {
    throw withFlag(error, flags);
  });
  if (flags.json) await terminal.out.write(`${JSON.stringify({ ok: report.failed === 0, ...report })}\n`);
  else {
    const look = lookOf(terminal, place);
    await terminal.out.write(wrapText(reportText(report, { look, quiet: flags.quiet }), look.columns ?? null));
  }
  return report.failed === 0 ? 0 : EXIT_FAILED;
}

function reportText(report: PolicyTestReport, { look, quiet }: { readonly look: Look; readonly quiet: boolean }): string {
  const { cases, passed, failed, own_policy: isOwn } = report;
  const { colors } = look;
  const failures = cases.filter((each) => !each.passed).map((each) => failureText(each, report, look));
  const counts = `${colors.green(`${passed} passed`)}, ${failed > 0 ? colors.red(`${failed} failed`) : "0 failed"}`;
  const about = isOwn ? "the file's own rules" : "the rules in force here";
  return [...failures, quiet && failed === 0 ? "" : `${counts} ${colors.dim(`(${about})`)}\n`].join("");
}

function failureText(
  { line, name, expect, rule, got, outcome, explanation }: TestedCase,
  { path: file }: PolicyTestReport,
  look: Look,
): string {
  const { colors } = look;
  const wanted = rule === null ? expect : `${expect} by ${rule}`;
  const came =
    outcome === null ? "it cannot be planned" : rule !== null && outcome === expect ? `${outcome} by ${got?.rule ?? "no rule"}` : outcome;
  const head = `${colors.red("✗")} ${colors.bold(showLine(name))}  ${colors.dim(`${shownPath(file, look)}:${line}`)}`;
  const body = explanationText({ ...explanation, offers: [], narrowest: 0, no_offer: null, lifts_guard: [] }, look)
    .trimEnd()
    .split("\n")
    .map((each) => (each === "" ? "" : `    ${each}`));
  return `${[head, `    expected ${showLine(wanted)}, got ${showLine(came)}`, ...body, ""].join("\n")}\n`;
}
