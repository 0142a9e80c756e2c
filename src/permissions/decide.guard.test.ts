import { describe, expect, test } from "vitest";
import type { Mode } from "../base/decision.ts";
import type { Effect, FileEffect } from "../base/effect.ts";
import { createPolicy, decide, type Policy, type PolicyOptions, parseRule, type Rule, readWritePolicy } from "./index.ts";

function policyOf(mode: Mode, rules: readonly (readonly [Rule["effect"], string])[] = [], more: Partial<PolicyOptions> = {}): Policy {
  return createPolicy({
    mode,
    rules: rules.map(([effect, text]) => parseRule(text, effect, { from: "flag" })),
    workspace: "/ws",
    roots: ["/ws"],
    home: "/home/u",
    configDir: "/home/u/.config/collet",
    stateDir: "/home/u/.local/state/collet",
    spillDir: () => null,
    ...more,
  });
}
const file = (kind: FileEffect["kind"], path: string, more: object = {}): Effect => ({ kind, sure: "open", path, ...more }) as Effect;
const echo: Effect = { kind: "command", sure: "open", argv: ["echo", "x"], cwd: "/ws" };
const lifted = (policy: Policy, effects: readonly Effect[], later: readonly Effect["kind"][] = []) => {
  const { decision, kind, message, details } = decide(effects, policy, { later });
  expect([decision.outcome, kind]).toEqual(["deny", "protected_path"]);
  const { lifts_guard = null, would_allow = null } = details;
  return { lifts_guard, would_allow, message };
};

describe("what a refusal of the guard proposes", () => {
  test("is to pass over what was not meant", () => {
    const said = (...effects: readonly Effect[]): string => decide(effects, policyOf("auto")).message;
    const env = file("file.read", "/ws/.env");
    const git = (...argv: readonly string[]): Effect => ({ kind: "command", sure: "declared", argv: ["git", ...argv], cwd: "/ws" });
    expect(said(file("file.read", "/ws", { tree: true }), env)).toContain("--exclude=.env");
    expect(said(git("diff"), env)).toContain("':!.env'");
    for (const message of [said(env), said(git("show", "HEAD:.env"), env)]) expect(message).not.toContain("leave it out");
  });

  test.each<[string, Policy, readonly Effect[], readonly string[]]>([
    ["a read", policyOf("ask"), [file("file.read", "/ws/.env")], ["read(.env)"]],
    ["a read of a name that holds wildcards", policyOf("ask"), [file("file.read", "/ws/.env.[a]*")], ["read(.env.[[]a][*])"]],
    ["a write in auto", policyOf("auto"), [file("file.write", "/ws/.env")], ["write(.env)"]],
    ["a read by several names", policyOf("ask"), [file("file.read", "/ws/.env", { also: ["/ws/a/.netrc"] })], ["read(.env)"]],
    ["two reads", policyOf("ask"), [file("file.read", "/ws/.env"), file("file.read", "/ws/.netrc")], ["read(.env)", "read(.netrc)"]],
    ["a key outside", policyOf("ask"), [file("file.read", "/home/u/.ssh/id_rsa")], ["read(/home/u/.ssh/id_rsa)"]],
  ])("of %s lets the call through", (_, policy, effects, rules) => {
    const { would_allow, message } = lifted(policy, effects);
    expect(would_allow).toEqual(expect.arrayContaining([...rules]));
    const more = (would_allow as string[]).map((text) => parseRule(text, "allow", { from: "flag" }));
    expect(decide(effects, { ...policy, rules: [...policy.rules, ...more] }).decision.outcome).toBe("allow");
    expect(message).toContain("only a rule that names it lets it through");
  });

  test("is not called enough where a question remains", () => {
    const { lifts_guard, would_allow } = lifted(policyOf("ask"), [echo, file("file.write", "/ws/.env")]);
    expect({ lifts_guard, would_allow }).toEqual({ lifts_guard: ["write(.env)"], would_allow: null });
  });

  const POLICY = readWritePolicy({ version: 1, allow_writes: ["**/*"] });
  test.each<[string, Policy, Effect, string]>([
    ["the mode is read_only", policyOf("read_only"), file("file.write", "/ws/.env"), "the mode read_only denies it all the same"],
    [
      "a deny rule covers it",
      policyOf("ask", [["deny", "read(.env)"]]),
      file("file.read", "/ws/.env"),
      "denied by the rule deny read(.env)",
    ],
    [
      "a write policy denies it",
      policyOf("auto", [], { writePolicy: POLICY }),
      file("file.write", "/ws/.env"),
      "protected under every write policy",
    ],
    [
      "another of its names is never let through",
      policyOf("auto"),
      file("file.write", "/ws/.env", { also: ["/ws/.git/config"] }),
      "no rule lets it through",
    ],
    ["no rule can be written for its name", policyOf("ask"), file("file.read", "/ws/.env.\n"), "no rule can be written"],
    ["it is the inside of .git", policyOf("auto"), file("file.write", "/ws/.git/config"), "git's own commands"],
    ["it is the folder of the rules", policyOf("auto"), file("file.read", "/home/u/.config/collet/permissions.json"), "collet policy show"],
  ])("is nothing where %s, which is said", (_, policy, effect, why) => {
    const { lifts_guard, would_allow, message } = lifted(policy, [effect]);
    expect({ lifts_guard, would_allow }).toEqual({ lifts_guard: null, would_allow: null });
    expect(message).toContain(why);
    expect(message).not.toContain("only a rule that names it");
  });

  test("is nothing for a read whose change would be denied all the same", () => {
    const read = file("file.read", "/ws/.env");
    expect(lifted(policyOf("ask"), [read], ["file.write"]).lifts_guard).toEqual(["read(.env)", "write(.env)"]);
    expect(lifted(policyOf("read_only"), [read], ["file.write"]).lifts_guard).toBeNull();
    expect(lifted(policyOf("read_only"), [read]).message).not.toContain("to change it");
  });
});

test("a verify command of a write policy is asked about as ever, and the reason says that the policy allows nothing", () => {
  const writePolicy = readWritePolicy({ version: 1, allow_writes: [], bash: { verify: ["npm test"] } });
  const run = (argv: readonly string[]): Effect => ({ kind: "command", sure: "open", argv, cwd: "/ws", alone: true });
  expect(decide([run(["npm", "test"])], policyOf("ask", [], { writePolicy }))).toMatchObject({
    decision: { outcome: "ask", reason: expect.stringContaining("the write policy") },
    message: expect.stringContaining("the write policy lets it be run to verify, and allows nothing by itself"),
  });
  expect(decide([run(["npm", "run", "x"])], policyOf("auto", [], { writePolicy }))).toMatchObject({
    kind: "bash_disabled",
    message: expect.stringContaining("the commands to verify with, each alone and word for word, in the workspace itself: npm test"),
  });
});
