import { describe, expect, test } from "vitest";
import type { Mode } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import { createPolicy, decide, offersFor, parseRule, type Rule, readWritePolicy } from "./index.ts";

const writePolicy = readWritePolicy({
  version: 1,
  metadata: { id: "ui-work" },
  allow_writes: ["src/**", "README.md", "**/*"],
  deny_writes: ["src/core/**"],
  bash: { verify: ["npm test", "bash -c 'npm run lint'"] },
});

function verdictOf(effects: readonly Effect[], { mode = "auto", rules = [], policy = writePolicy }: Given = {}) {
  return decide(effects, policyOf({ mode, rules, policy }));
}

interface Given {
  readonly mode?: Mode;
  readonly rules?: readonly (readonly [Rule["effect"], string])[];
  readonly policy?: typeof writePolicy;
}

function policyOf({ mode = "auto", rules = [], policy = writePolicy }: Given) {
  return createPolicy({
    mode,
    rules: rules.map(([effect, text]) => parseRule(text, effect, { from: "flag" })),
    workspace: "/ws",
    roots: ["/ws", "/other"],
    home: "/home/u",
    configDir: null,
    stateDir: null,
    spillDir: () => null,
    writePolicy: policy,
  });
}

const VERSION = { sha256: "0".repeat(64), size_bytes: 0, mode: 0o644 };
const write = (path: string): Effect => ({ kind: "file.write", sure: "exact", path, before: null, after: VERSION, diff: "" });
const remove = (path: string): Effect => ({ kind: "file.delete", sure: "exact", path, before: VERSION });
const read = (path: string, sure: "exact" | "declared" = "exact"): Effect => ({ kind: "file.read", sure, path });
const command = (words: string, more: object = {}): Effect => ({
  kind: "command",
  sure: "open",
  argv: words.split(" "),
  cwd: "/ws",
  ...more,
});
const unknown: Effect = { kind: "unknown", sure: "open", reason: "x" };

describe("a write policy", () => {
  test.each([
    ["/ws/src/core/a.ts", "deny_match", "src/core/**"],
    ["/ws/SRC/Core/a.ts", "deny_match", "src/core/**"],
    ["/ws/.git", "protected_path", "protected_path", "guard"],
    ["/ws/.env.example", "protected_path", "protected_path"],
    ["/ws/.environment/a", "protected_path", "protected_path"],
    ["/ws/a/secrets/b", "protected_path", "protected_path"],
    ["/ws/a/Secrets", "protected_path", "protected_path"],
    ["/ws", "workspace_root_not_writable", "workspace_root_not_writable"],
    ["/other/a", "path_outside_workspace", "path_outside_workspace"],
  ])("denies to write %s: %s", (path, reason, matched_rule, by = "write_policy") => {
    for (const effect of [write(path), remove(path)]) {
      const { decision, kind, details } = verdictOf([effect]);
      expect(decision).toMatchObject({ outcome: "deny", source: { from: by } });
      if (by === "guard") continue;
      expect(kind).toBe("write_policy_denied");
      expect(decision.reason).toBe(reason);
      expect(details).toMatchObject({ matched_rule, policy_id: "ui-work", hash: writePolicy.hash });
      expect(details.next_actions).toEqual(["request_policy_expansion", "write_within_allowed_globs"]);
    }
  });

  test("denies what no rule of it allows", () => {
    const policy = readWritePolicy({ version: 1, allow_writes: ["src/**"] });
    expect(verdictOf([write("/ws/docs/a.md")], { policy }).decision.reason).toBe("no_allow_match");
    expect(verdictOf([write("/ws/src/a.ts")], { policy }).decision.outcome).toBe("allow");
  });

  test("protects guarded paths even where a rule names them", () => {
    const rules = [["allow", "write(.env)"]] as const;
    expect(verdictOf([write("/ws/.env")], { rules })).toMatchObject({
      kind: "write_policy_denied",
      decision: { reason: "protected_path" },
    });
    const collet = [["allow", "write(.collet/**)"]] as const;
    expect(verdictOf([write("/ws/.collet/permissions.json")], { rules: collet }).kind).toBe("write_policy_denied");
  });

  test("only narrows: what it lets through is decided by rules and mode", () => {
    const effects = [write("/ws/src/a.ts")];
    expect(verdictOf(effects).decision.outcome).toBe("allow");
    expect(verdictOf(effects, { mode: "ask" }).decision.outcome).toBe("ask");
    expect(verdictOf(effects, { mode: "read_only" })).toMatchObject({ kind: "permission_denied" });
    expect(verdictOf(effects, { rules: [["deny", "write(src/**)"]] })).toMatchObject({ kind: "permission_denied" });
  });

  test("is not lifted by a rule, and comes before a deny rule", () => {
    const effects = [write("/ws/src/core/a.ts")];
    expect(verdictOf(effects, { rules: [["allow", "write(**)"]] }).kind).toBe("write_policy_denied");
    expect(verdictOf(effects, { rules: [["deny", "write(**)"]] }).kind).toBe("write_policy_denied");
    expect(offersFor(effects, policyOf({ mode: "ask" }))).toEqual({ rules: [], narrowest: 0 });
  });

  test("judges every file of a call", () => {
    const { decision, kind } = verdictOf([write("/ws/src/a.ts"), remove("/ws/src/core/b.ts")]);
    expect({ kind, effect: decision.effect }).toEqual({ kind: "write_policy_denied", effect: 1 });
  });

  test.each<[string, Effect]>([
    ["the network", { kind: "network", sure: "declared", host: "a.example", port: 443 }],
    ["an agent", { kind: "agent", sure: "declared", name: "a" }],
    ["what is unknown", unknown],
  ])("lets no tool do anything but write files: %s", (_, effect) => {
    expect(verdictOf([effect])).toMatchObject({ kind: "write_policy_denied", decision: { reason: "unsupported_mutating_tool" } });
  });

  test("denies to write or delete a tree, in which anything may lie", () => {
    const tree: Effect = { kind: "file.delete", sure: "declared", path: "/ws/src/ui", tree: true };
    expect(verdictOf([tree])).toMatchObject({ kind: "write_policy_denied", decision: { reason: "deny_match" } });
  });

  test.each<[string, readonly Effect[]]>([
    ["a read", [read("/ws/src/core/a.ts")]],
    ["no effects", []],
    ["a command that only reads", [command("cat a", { sure: "declared" }), read("/ws/a", "declared"), command("wc", { sure: "declared" })]],
    ["a verify command", [command("npm test", { alone: true })]],
    ["a verify command with what it does by itself", [command("npm test", { alone: true }), command("node x"), write("/ws/x"), unknown]],
  ])("has nothing against %s", (_, effects) => {
    expect(verdictOf(effects).decision.outcome).toBe("allow");
  });

  test("lets a verify command through to the mode", () => {
    expect(verdictOf([command("npm test", { alone: true })], { mode: "ask" }).decision.outcome).toBe("ask");
    expect(verdictOf([command("npm test", { alone: true })], { rules: [["deny", "command(npm)"]] }).kind).toBe("permission_denied");
  });

  test.each<[string, readonly Effect[]]>([
    ["an open command", [command("make")]],
    ["an open command that reads", [command("make", { alone: true }), read("/ws/a", "declared")]],
    ["a verify command with more words", [command("npm test x", { alone: true })]],
    ["a verify command with fewer words", [command("npm", { alone: true })]],
    ["a verify command that is not all of its script", [command("npm test")]],
    ["a verify command elsewhere", [command("npm test", { alone: true, cwd: "/ws/sub" })]],
    ["a verify command behind another", [command("cd x", { sure: "declared" }), command("npm test")]],
    ["a command that writes", [command("cp a b", { sure: "declared" }), read("/ws/a", "declared"), write("/ws/src/b")]],
    ["a redirection", [write("/ws/docs/x"), command("bash -c >x")]],
    ["a command on the network", [command("curl x", { sure: "declared" }), { kind: "network", sure: "declared", host: "x", port: 443 }]],
    ["a script that is not understood", [{ ...unknown, commands: true }]],
    ["a command that runs others", [command("xargs x", { sure: "declared" }), unknown]],
  ])("has no shell for %s", (_, effects) => {
    const { kind, decision, details } = verdictOf(effects);
    expect({ kind, from: decision.source.from }).toEqual({ kind: "bash_disabled", from: "write_policy" });
    expect(details).toMatchObject({ policy_id: "ui-work", verify: ["npm test", "bash -c 'npm run lint'"] });
  });

  test("compares words as a shell decodes them", () => {
    const effect: Effect = { kind: "command", sure: "open", argv: ["bash", "-c", "npm run lint"], cwd: "/ws", alone: true };
    expect(verdictOf([effect, unknown]).decision.outcome).toBe("allow");
    expect(verdictOf([{ ...effect, argv: ["bash", "-c", "npm", "run", "lint"] }]).kind).toBe("bash_disabled");
  });

  test("without verify commands has no shell that changes anything", () => {
    const policy = readWritePolicy({ version: 1, allow_writes: ["**/*"] });
    expect(verdictOf([command("npm test", { alone: true })], { policy }).kind).toBe("bash_disabled");
  });
});
