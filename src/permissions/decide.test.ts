import { describe, expect, test } from "vitest";
import type { DecisionSource, Mode } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import { isFailure } from "../base/fail.ts";
import { createPolicy, decide, type PolicyOptions, parseRule, type Rule } from "./index.ts";

const FLAG: DecisionSource = { from: "flag" };
const VERSION = { sha256: "0".repeat(64), size_bytes: 0, mode: 0o644 };

function policyOf(mode: Mode, rules: readonly (readonly [Rule["effect"], string])[] = [], more: Partial<PolicyOptions> = {}) {
  return createPolicy({
    mode,
    rules: rules.map(([effect, text]) => parseRule(text, effect, FLAG)),
    workspace: "/ws",
    roots: ["/ws"],
    home: "/home/u",
    configDir: "/home/u/.config/collet",
    stateDir: "/home/u/.local/state/collet",
    spillDir: () => "/home/u/.local/state/collet/s1/spill",
    ...more,
  });
}

const read = (path: string, sure: "exact" | "declared" | "open" = "exact"): Effect => ({ kind: "file.read", sure, path });
const write = (path: string): Effect => ({ kind: "file.write", sure: "open", path });
const exactWrite = (path: string): Effect => ({ kind: "file.write", sure: "exact", path, before: null, after: VERSION, diff: "" });
const remove = (path: string): Effect => ({ kind: "file.delete", sure: "open", path });
const command = (argv: string, sure: "declared" | "open" = "open"): Effect => ({
  kind: "command",
  sure,
  argv: argv.split(" "),
  cwd: "/ws",
});
const network: Effect = { kind: "network", sure: "declared", host: "api.example.com", port: 443 };
const agent: Effect = { kind: "agent", sure: "declared", name: "reviewer" };
const unknown: Effect = { kind: "unknown", sure: "open", reason: "no effects declared" };

describe("the table of modes", () => {
  const MUTATING = ["deny", "ask", "allow"];
  const ALWAYS = ["allow", "allow", "allow"];
  test.each<[string, readonly Effect[], readonly string[], string | null]>([
    ["no effects", [], ALWAYS, null],
    ["an exact read inside", [read("/ws/a")], ALWAYS, null],
    ["a read of a command inside", [read("/ws/a", "open")], ALWAYS, null],
    ["an exact read of the running spill", [read("/home/u/.local/state/collet/s1/spill/1.txt")], ALWAYS, null],
    ["a read of a command where nothing is private", [read("/usr/include/stdio.h", "open")], ALWAYS, null],
    ["a read of a harmless file by a command", [read("/proc/cpuinfo", "declared")], ALWAYS, null],
    ["a read of a command outside", [read("/etc/passwd", "open")], MUTATING, "outside_workspace"],
    ["a read beside a harmless file", [read("/proc/self/environ", "open")], MUTATING, "outside_workspace"],
    ["an exact write inside", [exactWrite("/ws/a")], MUTATING, "permission_denied"],
    ["a write of a command inside", [write("/ws/a")], MUTATING, "permission_denied"],
    ["a delete inside", [remove("/ws/a")], MUTATING, "permission_denied"],
    ["an exact delete inside", [{ kind: "file.delete", sure: "exact", path: "/ws/a", before: VERSION }], MUTATING, "permission_denied"],
    ["a write of a command outside", [write("/tmp/a")], MUTATING, "outside_workspace"],
    ["a write of a command where reads are harmless", [write("/usr/bin/x")], MUTATING, "outside_workspace"],
    ["a delete of a command outside", [remove("/tmp/a")], MUTATING, "outside_workspace"],
    ["a declared command alone", [command("date", "declared")], ALWAYS, null],
    [
      "declared commands with reads inside",
      [command("cat a", "declared"), read("/ws/a", "declared"), command("wc", "declared")],
      ALWAYS,
      null,
    ],
    [
      "a declared command with a read outside",
      [command("cat a", "declared"), read("/etc/passwd", "declared")],
      MUTATING,
      "permission_denied",
    ],
    ["a declared command with a write", [command("sort", "declared"), write("/ws/a")], MUTATING, "permission_denied"],
    ["a declared command beside an open one", [command("cat", "declared"), command("x")], MUTATING, "permission_denied"],
    ["a declared command with the network", [command("curl", "declared"), network], MUTATING, "permission_denied"],
    ["an open command", [command("npm test")], MUTATING, "permission_denied"],
    ["the network", [network], MUTATING, "permission_denied"],
    ["an agent", [agent], MUTATING, "permission_denied"],
    ["unknown", [unknown], MUTATING, "permission_denied"],
  ])("%s", (_, effects, outcomes, kind) => {
    const verdicts = (["read_only", "ask", "auto"] as const).map((mode) => decide(effects, policyOf(mode)));
    expect(verdicts.map(({ decision }) => decision.outcome)).toEqual(outcomes);
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(outcomes.map((outcome) => (outcome === "allow" ? null : kind)));
  });

  test("a tool's exact path outside every root is refused in every mode, whatever rule allows it", () => {
    for (const effect of [read("/etc/passwd"), read("/usr/include/stdio.h"), exactWrite("/tmp/a"), read("/wsx/a")]) {
      for (const mode of ["read_only", "ask", "auto"] as const) {
        const verdict = decide(
          [effect],
          policyOf(mode, [
            ["allow", "read(/**)"],
            ["allow", "write(/**)"],
          ]),
        );
        expect(verdict).toMatchObject({
          kind: "outside_workspace",
          decision: { outcome: "deny", rule: "workspace confinement", source: { from: "builtin" }, effect: 0 },
        });
      }
    }
  });

  test.each(["a", "/ws/../etc/passwd", "/ws/./a", "/ws//a", "", "/ws/", "/ws/a\0"])(
    "a path that is not absolute and real is refused: %j",
    (path) => {
      expect(decide([write(path)], policyOf("auto"))).toMatchObject({ kind: "outside_workspace", details: { why: "not_a_real_path" } });
      expect(decide([{ ...write("/ws/a"), also: [path] } as Effect], policyOf("auto"))).toMatchObject({ kind: "outside_workspace" });
    },
  );

  test("a home below /usr is not harmless", () => {
    expect(decide([read("/usr/home/u/x", "open")], policyOf("ask", [], { home: "/usr/home/u" })).decision.outcome).toBe("ask");
  });
});

describe("rules", () => {
  test.each<[string, readonly (readonly [Rule["effect"], string])[], string, string]>([
    ["allow beats the mode", [["allow", "command(npm test)"]], "allow", "command(npm test)"],
    [
      "ask beats allow",
      [
        ["allow", "command(npm)"],
        ["ask", "command(npm test)"],
      ],
      "ask",
      "command(npm test)",
    ],
    [
      "ask beats allow in any order",
      [
        ["ask", "command(npm test)"],
        ["allow", "command(npm)"],
      ],
      "ask",
      "command(npm test)",
    ],
    [
      "deny beats ask and allow",
      [
        ["allow", "command(npm)"],
        ["ask", "command(npm)"],
        ["deny", "command(npm test)"],
      ],
      "deny",
      "command(npm test)",
    ],
    [
      "a rule for something else changes nothing",
      [
        ["allow", "command(npm run)"],
        ["deny", "write(**)"],
      ],
      "ask",
      "mode ask: command",
    ],
  ])("%s", (_, rules, outcome, rule) => {
    expect(decide([command("npm test -- a")], policyOf("ask", rules)).decision).toMatchObject({ outcome, rule, effect: 0 });
  });

  test("an ask rule asks in auto, and a deny rule denies there", () => {
    const policy = policyOf("auto", [
      ["ask", "write(src/**)"],
      ["deny", "command(rm)"],
    ]);
    expect(decide([write("/ws/src/a")], policy)).toMatchObject({
      kind: "permission_denied",
      decision: { outcome: "ask", rule: "write(src/**)", source: FLAG },
    });
    expect(decide([command("rm x")], policy)).toMatchObject({
      kind: "permission_denied",
      decision: { outcome: "deny", rule: "command(rm)", source: FLAG },
    });
  });

  test("an ask or deny rule holds for reads that the mode would allow", () => {
    const policy = policyOf("auto", [
      ["ask", "read(a)"],
      ["deny", "read(b)"],
    ]);
    expect(["/ws/a", "/ws/b", "/ws/c"].map((path) => decide([read(path)], policy).decision.outcome)).toEqual(["ask", "deny", "allow"]);
  });

  test("outside, only an absolute or home path allows", () => {
    const outcome = (rule: string, path: string): string => decide([write(path)], policyOf("ask", [["allow", rule]])).decision.outcome;
    expect(outcome("write(/tmp/**)", "/tmp/a")).toBe("allow");
    expect(outcome("write(~/notes.txt)", "/home/u/notes.txt")).toBe("allow");
    expect(outcome("write(**)", "/tmp/a")).toBe("ask");
  });

  test("unknown is allowed by no rule", () => {
    const rules = ["command(*)", "write(/**)", "read(/**)", "delete(/**)", "network(*)", "agent(*)"].map(
      (text) => ["allow", text] as const,
    );
    expect(decide([unknown], policyOf("ask", rules))).toMatchObject({
      decision: { outcome: "ask", rule: "mode ask: unknown" },
      details: { why: "no effects declared" },
    });
  });

  test("read_only is a ceiling over every allow rule, and says so", () => {
    const policy = policyOf("read_only", [
      ["allow", "command(npm test)"],
      ["allow", "write(**)"],
      ["ask", "write(b)"],
    ]);
    for (const effect of [command("npm test"), write("/ws/a")]) {
      expect(decide([effect], policy)).toMatchObject({
        kind: "permission_denied",
        decision: { outcome: "deny", reason: "read_only_is_a_ceiling", source: { from: "builtin" } },
      });
    }
    expect(decide([command("ls")], policy).decision).toEqual({
      outcome: "deny",
      rule: "mode read_only: command",
      source: { from: "builtin" },
      effect: 0,
    });
    expect(decide([write("/ws/b")], policy).decision.outcome).toBe("deny");
    expect(decide([read("/ws/a")], policyOf("read_only", [["ask", "read(a)"]])).decision.outcome).toBe("ask");
  });

  test("a deny or ask rule below a home that is not known is refused, an allow rule matches nothing", () => {
    const act = (effect: Rule["effect"]) => () => policyOf("ask", [[effect, "write(~/a)"]], { home: null });
    for (const effect of ["deny", "ask"] as const) {
      expect(act(effect)).toThrow(
        expect.toSatisfy((error) => isFailure(error) && error.kind === "invalid_args" && error.details.reason === "no_home"),
      );
    }
    expect(decide([write("/home/u/a")], act("allow")()).decision.outcome).toBe("ask");
  });

  test("a policy refuses a path that is not absolute and real", () => {
    expect(() => policyOf("ask", [], { stateDir: "state" })).toThrow(
      expect.toSatisfy((error) => isFailure(error) && error.details.reason === "not_a_real_path"),
    );
  });
});

describe("the strictest effect decides", () => {
  const policy = policyOf("ask", [
    ["allow", "command(echo)"],
    ["ask", "command(git push)"],
    ["deny", "command(rm)"],
  ]);
  test.each<[string, readonly Effect[], string, number]>([
    ["all allowed", [read("/ws/a"), command("echo a")], "allow", 1],
    ["one asks", [command("echo a"), command("touch b")], "ask", 1],
    ["an ask rule before the mode", [command("touch b"), command("git push")], "ask", 1],
    ["one denies", [command("touch b"), command("git push"), command("rm a"), command("echo")], "deny", 2],
    ["the guard before a deny rule", [command("rm a"), write("/ws/.git/hooks/x")], "deny", 1],
    ["confinement before the guard", [write("/ws/.git/config"), exactWrite("/tmp/a")], "deny", 1],
    ["of two equal ones the first", [command("touch a"), command("touch b")], "ask", 0],
  ])("%s", (_, effects, outcome, effect) => {
    expect(decide(effects, policy).decision).toMatchObject({ outcome, effect });
  });

  test("a denial names rule, source, effect, and how many more there are", () => {
    const rule = parseRule("command(rm)", "deny", { from: "file", file: "/c/permissions.json", line: 7 });
    const verdict = decide([command("rm a"), command("rm b")], createPolicy({ ...policy, rules: [rule] }));
    expect(verdict.details).toEqual({
      effect: "command",
      what: "run rm a",
      mode: "ask",
      rule: "command(rm)",
      source: { from: "file", file: "/c/permissions.json", line: 7 },
    });
    expect(verdict.message).toContain("command(rm)");
    expect(verdict.message).toContain("/c/permissions.json:7");
    expect(verdict.message).toContain("1 more");
  });

  test("no effects are decided by nothing", () => {
    expect(decide([], policy)).toMatchObject({
      kind: null,
      decision: { outcome: "allow", rule: "no effects", source: { from: "builtin" }, effect: null },
    });
  });

  test("what is shown of a hostile command cannot move the cursor and is not endless", () => {
    const argv = ["rm", `\x1b[2J\u202e${"x".repeat(1000)}`];
    const { message } = decide([{ kind: "command", sure: "open", argv, cwd: "/ws" }], policy);
    expect(message).not.toMatch(/[\x1b\u202e]/);
    expect(message.length).toBeLessThan(500);
  });
});
