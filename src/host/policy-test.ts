import type { Decision } from "../base/decision.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { KINDS } from "../base/kinds.ts";
import { configFailure, type LocatedJson } from "../base/located-json.ts";
import type { Explanation } from "../executor/index.ts";
import { readRulesFile } from "../permissions/index.ts";
import type { Host } from "./host.ts";
import { openSession } from "./open-session.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/** How the cases of a test of a policy came out. Plain JSON. */
export interface PolicyTestReport {
  readonly path: string;
  /** True when the file brings its own mode and rules, and no other counts; false: those in force were tested. */
  readonly own_policy: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly cases: readonly TestedCase[];
}

/** One case, and what it came to. */
export interface TestedCase {
  /** Of the case in the file, from 1. */
  readonly line: number;
  /** As the file names it, else the command or the call. */
  readonly name: string;
  readonly passed: boolean;
  readonly expect: Outcome;
  /** The rule that was to decide; `null`: any. */
  readonly rule: string | null;
  /** What was decided; `null` where rules and mode had no part: see `outcome`. */
  readonly got: Decision | null;
  /** What `expect` is compared with: a refusal by a grant or a tool is `deny`. `null` where the call could not be planned, which passes no case. */
  readonly outcome: Outcome | null;
  readonly explanation: Explanation;
}

type Outcome = Decision["outcome"];

interface Case {
  readonly line: number;
  readonly name: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly expect: Outcome;
  readonly rule: string | null;
}

/** The exit status of every kind that says no. */
const NOT_PERMITTED = 3;
const OUTCOMES: readonly Outcome[] = ["allow", "ask", "deny"];
const KEYS = ["name", "command", "tool", "args", "expect", "rule"];
const CASE = '{ "command": "git push", "expect": "ask" }';

/**
 * Tests a policy: the one that the file holds, else the one in force. Every case is planned in the workspace and decided; nothing is run or
 * asked. Kinds: `invalid_config` for a file that cannot be used, and those of a session that cannot be opened.
 */
export async function runPolicyTest(
  options: RuntimeOptions,
  host: Host,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<PolicyTestReport> {
  const file = await readRulesFile(text, { path, others: ["cases"] });
  const list = file.others.cases;
  if (!list || !Array.isArray(list.value) || list.items.length === 0)
    throw configFailure({ path, line: list?.line ?? 1, reason: "no_cases" }, `"cases" has to be a list of cases, as [${CASE}]`);
  const cases = list.items.map((item) => caseOf(item, path));
  const mode = file.mode ?? "ask";
  const tested: RuntimeOptions = file.isPolicy
    ? { ...options, permissions: { mode, asker: null }, rulesFiles: false, modeIsDefault: false, log: false }
    : { ...options, log: false };
  const opened = await openSession(tested, file.isPolicy ? { ...host, rules: file.rules } : host, null);
  try {
    const results: TestedCase[] = [];
    for (const each of cases) results.push(resultOf(each, await opened.session.explain(each.tool, each.args)));
    const passed = results.filter((result) => result.passed).length;
    return { path, own_policy: file.isPolicy, passed, failed: results.length - passed, cases: results };
  } finally {
    await opened.end();
  }
}

function resultOf({ line, name, expect, rule }: Case, explanation: Explanation): TestedCase {
  const got = explanation.decision;
  const outcome = got?.outcome ?? (explanation.error && KINDS[explanation.error.kind].exit === NOT_PERMITTED ? "deny" : null);
  const passed = outcome === expect && (rule === null || got?.rule === rule);
  return { line, name, passed, expect, rule, got, outcome, explanation };
}

function caseOf({ value, line, members }: LocatedJson, path: string): Case {
  const bad = (why: string, at = line) => configFailure({ path, line: at, reason: "bad_case" }, why);
  if (!isObject(value)) throw bad(`a case is an object, as ${CASE}`);
  const other = members.find(({ name }) => !KEYS.includes(name));
  if (other) throw bad(`a case has no member "${other.name}"; it has ${KEYS.join(", ")}`, other.line);
  const { name, command, tool, args, rule = null } = value;
  const expect = OUTCOMES.find((outcome) => outcome === value.expect);
  if (!expect) throw bad(`"expect" is ${OUTCOMES.join(", ")}`);
  if (rule !== null && typeof rule !== "string") throw bad('"rule" is the text of the rule that is to decide');
  if (name !== undefined && typeof name !== "string") throw bad('"name" is a text');
  const common = { line, expect, rule: rule?.trim() ?? null };
  if (typeof command === "string" && tool === undefined && args === undefined)
    return { ...common, name: name ?? command, tool: "bash", args: { command } };
  if (command === undefined && typeof tool === "string" && isObject(args))
    return { ...common, name: name ?? `${tool} ${JSON.stringify(args)}`, tool, args };
  throw bad(`a case has either a "command", or a "tool" and its "args", as ${CASE}`);
}
