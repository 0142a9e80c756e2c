import type { Mode } from "../base/decision.ts";
import { isFailure } from "../base/fail.ts";
import { configFailure, type LocatedJson, type LocatedMember, readLocatedJson } from "../base/located-json.ts";
import { nearestNames } from "../base/nearest.ts";
import { parseRule, type Rule } from "./rule.ts";

/** What a file of rules says: `permissions.json`, or a test of a policy. */
export interface RulesFile {
  /** `auto` is given by flags and code alone. */
  readonly mode: Exclude<Mode, "auto"> | null;
  /** In the order of the file, each with its line. */
  readonly rules: readonly Rule[];
  /** True where it names a mode or has a list of rules, an empty one too. */
  readonly isPolicy: boolean;
  /** Of the members that the caller knows besides, those that are there. */
  readonly others: Readonly<Record<string, LocatedJson>>;
}

const LISTS = ["allow", "ask", "deny"] as const;
const MODES = ["ask", "read_only"] as const;

/**
 * Reads `{ "version": 1, "mode"?, "allow"?, "ask"?, "deny"? }`, comments and trailing commas allowed. What is not understood whole is refused
 * whole: a name that is not known, a rule that cannot be read. Kind: `invalid_config` (`path`, `line`, `reason`: `not_json`,
 * `duplicate_key`, `not_an_object`, `unknown_key`, `bad_version`, `bad_mode`, `bad_list`, `bad_rule`).
 * @param others names of members that the caller reads itself.
 */
export async function readRulesFile(
  text: string,
  { path, others = [] }: { readonly path: string; readonly others?: readonly string[] },
): Promise<RulesFile> {
  const json = await readLocatedJson(text, path);
  if (!isRecord(json)) throw configFailure({ path, line: json.line, reason: "not_an_object" }, `it has to be an object, as ${EXAMPLE}`);
  const members = new Map(json.members.map((member) => [member.name, member]));
  const known = ["version", "mode", ...LISTS, ...others];
  for (const { name, line } of json.members) {
    if (known.includes(name)) continue;
    const nearest = nearestNames(name, known);
    const meant = nearest.length > 0 ? `; did you mean ${nearest.join(" or ")}?` : "";
    throw configFailure({ path, line, reason: "unknown_key", key: name, nearest }, `there is no member "${name}"${meant}`);
  }
  checkVersion(members.get("version"), json, path);
  return {
    mode: modeOf(members.get("mode"), path),
    isPolicy: ["mode", ...LISTS].some((name) => members.has(name)),
    rules: LISTS.flatMap((effect) => rulesOf(members.get(effect), effect, path)),
    others: Object.fromEntries(json.members.flatMap(({ name, value }) => (others.includes(name) ? [[name, value]] : []))),
  };
}

const EXAMPLE = '{ "version": 1, "allow": ["command(npm test)"] }';

function isRecord({ value }: LocatedJson): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkVersion(member: LocatedMember | undefined, { line }: LocatedJson, path: string): void {
  if (member?.value.value === 1) return;
  const why = member ? 'only "version": 1 is known here; a later Collet may have written it' : '"version": 1 is missing';
  throw configFailure({ path, line: member?.line ?? line, reason: "bad_version" }, why);
}

function modeOf(member: LocatedMember | undefined, path: string): RulesFile["mode"] {
  if (!member) return null;
  const mode = MODES.find((known) => known === member.value.value);
  if (mode) return mode;
  const why = member.value.value === "auto" ? "no file can choose the mode auto; use --auto for one run" : "a mode is ask or read_only";
  throw configFailure({ path, line: member.value.line, reason: "bad_mode" }, why);
}

function rulesOf(member: LocatedMember | undefined, effect: Rule["effect"], path: string): readonly Rule[] {
  if (!member) return [];
  const { value, items } = member.value;
  if (!Array.isArray(value))
    throw configFailure({ path, line: member.line, reason: "bad_list" }, `"${effect}" has to be a list of rules, as ["command(npm test)"]`);
  return items.map((item) => ruleOf(item, effect, path));
}

function ruleOf({ value, line }: LocatedJson, effect: Rule["effect"], path: string): Rule {
  if (typeof value !== "string")
    throw configFailure({ path, line, reason: "bad_rule" }, 'a rule is text in double quotes, as "command(npm test)"');
  try {
    return parseRule(value, effect, { from: "file", file: path, line });
  } catch (error) {
    if (!isFailure(error)) throw error;
    const several = /unquoted [&|;]/.test(error.message) ? "; a rule speaks of one simple command, so write one for each" : "";
    const { reason: rule_reason, rule } = error.details;
    const details = { ...(typeof rule === "string" ? { rule } : {}), ...(typeof rule_reason === "string" ? { rule_reason } : {}) };
    throw configFailure({ path, line, reason: "bad_rule", ...details }, error.message + several);
  }
}
