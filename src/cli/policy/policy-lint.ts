import { showLine } from "../../base/show.ts";
import { quoteWord } from "../../base/words.ts";
import { type Finding, readPolicy } from "../../node.ts";
import { grantedTools, grantParts } from "../grants.ts";
import type { OwnOptions } from "../runtime-options.ts";
import { counted } from "../view/bytes-text.ts";
import type { Look } from "../view/look.ts";
import { sourceText } from "../view/source-text.ts";
import { wrapText } from "../view/wrap-text.ts";
import { lookOf, type PolicyCommand, policyPlace, tellJson } from "./policy-command.ts";

/** `collet policy lint`: what is odd about the rules in force. Returns the exit status: 0, as advice is no failure. */
export async function lintPolicy(command: PolicyCommand & { readonly grants: readonly string[] }): Promise<number> {
  const { terminal, flags } = command;
  const { options, place } = await policyPlace(command);
  const { findings: own, rules } = await readPolicy(options);
  const findings = [...own, ...(await grantFindings(command.grants, options))];
  if (flags.json) {
    await tellJson(terminal, { findings });
    return 0;
  }
  const look = lookOf(terminal, place);
  const lines = findings.flatMap((finding) => findingLines(finding, look));
  const inForce = rules.filter((rule) => rule.in_force).length;
  const end = findings.length === 0 ? `nothing to say of ${counted(inForce, "rule")}` : counted(findings.length, "finding");
  await terminal.out.write(wrapText(`${[...lines, ...(flags.quiet ? [] : [look.colors.dim(end)])].join("\n")}\n`, look.columns ?? null));
  return 0;
}

/** What a grant denies matches where its arguments begin so, as a deny rule does: whoever names an option there mostly means it anywhere. */
async function grantFindings(grants: readonly string[], options: OwnOptions): Promise<readonly Finding[]> {
  const deny = grants.flatMap((grant) => {
    const { program, deny } = grantParts(grant);
    return deny.map((pattern) => `command(${quoteWord(program)} ${pattern})`);
  });
  grantedTools(grants);
  if (deny.length === 0) return [];
  const { findings } = await readPolicy({ ...options, rulesFiles: false, permissions: { mode: "auto", deny } });
  return findings.filter(({ code }) => code === "only_at_the_beginning");
}

function findingLines({ level, effect, rule, source, why, instead, other }: Finding, look: Look): readonly string[] {
  const { colors } = look;
  const word = level === "warning" ? colors.yellow("warning") : colors.dim("hint   ");
  return [
    `${word}  ${effect} ${showLine(rule)}  ${colors.dim(sourceText(source, look))}`,
    `         ${showLine(why)}`,
    ...(other ? [colors.dim(`         ${other.effect} ${showLine(other.rule)}  ${sourceText(other.source, look)}`)] : []),
    ...(instead === undefined ? [] : [`         instead: ${showLine(instead)}`]),
  ];
}
