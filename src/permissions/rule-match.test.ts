import { describe, expect, test } from "vitest";
import type { Effect } from "../base/effect.ts";
import { createPolicy, decide, parseRule, type Rule } from "./index.ts";

function outcomeOf(
  effects: readonly Effect[],
  rules: readonly (readonly [Rule["effect"], string])[],
  mode: "auto" | "ask" = "ask",
): string {
  const policy = createPolicy({
    mode,
    rules: rules.map(([effect, text]) => parseRule(text, effect, { from: "flag" })),
    workspace: "/ws",
    roots: ["/ws"],
    home: "/home/u",
    configDir: null,
    stateDir: null,
    spillDir: () => null,
  });
  return decide(effects, policy).decision.outcome;
}

const command = (argv: readonly string[], more: object = {}): Effect => ({ kind: "command", sure: "open", argv, cwd: "/ws", ...more });

describe("words that are only known when the command runs", () => {
  test.each<[string, readonly string[], readonly number[], boolean]>([
    ["command(mytool)", ["mytool", "$x"], [1], true],
    ["command(mytool sub)", ["mytool", "sub", "$x"], [2], true],
    ["command(mytool sub $)", ["mytool", "sub", "$x"], [2], false],
    ["command(mytool *)", ["mytool", "$x"], [1], false],
    ["command(mytool '$x')", ["mytool", "$x"], [1], false],
    ["command('$p')", ["$p", "a"], [0], false],
    ["command(*)", ["$p", "a"], [0], false],
  ])("an allow rule %s on %j: %j unknown: %s", (rule, argv, dynamic, allowed) => {
    expect(outcomeOf([command(argv, { dynamic })], [["allow", rule]])).toBe(allowed ? "allow" : "ask");
  });

  test.each<[string, readonly string[], readonly number[], boolean]>([
    ["command(git push)", ["git", "$x"], [1], true],
    ["command(git push)", ["$g", "status"], [0], true],
    ["command(git push $)", ["git", "push", "$x"], [2], true],
    ["command(git push)", ["git", "log", "$x"], [2], false],
    ["command(rm)", ["echo", "$x"], [1], false],
  ])("a deny rule %s on %j: %j unknown: denied %s", (rule, argv, dynamic, denied) => {
    expect(outcomeOf([command(argv, { dynamic })], [["deny", rule]], "auto")).toBe(denied ? "deny" : "allow");
  });
});

describe("a deny rule sees past the options before the word that says what to do", () => {
  test.each<[string, string, boolean]>([
    ["command(git push)", "git -C x push", true],
    ["command(git push)", "git -C x --no-pager push origin", true],
    ["command(git push)", "git --git-dir=x push", true],
    ["command(git push)", "git -c a=b -c c=d push", true],
    ["command(npm publish)", "npm --prefix x publish", true],
    ["command(git push)", "git log push", false],
    ["command(git push)", "git commit -m push", false],
    ["command(git push $)", "git -C x push", true],
    ["command(git push $)", "git -C x push origin", false],
  ])("%s on %s: %s", (rule, script, denied) => {
    expect(outcomeOf([command(script.split(" "))], [["deny", rule]], "auto")).toBe(denied ? "deny" : "allow");
  });

  test("an allow rule does not", () => {
    expect(outcomeOf([command(["git", "-C", "x", "log"])], [["allow", "command(git log)"]])).toBe("ask");
  });
});

describe("which commands run is not known", () => {
  const unknown: Effect = { kind: "unknown", sure: "open", reason: "eval", commands: true };
  test.each<[Rule["effect"], string, string]>([
    ["deny", "command(rm)", "deny"],
    ["ask", "command(git push)", "ask"],
    ["deny", "write(secrets/**)", "allow"],
    ["deny", "network(*)", "allow"],
  ])("%s %s makes it %s in auto", (effect, rule, outcome) => {
    expect(outcomeOf([unknown], [[effect, rule]], "auto")).toBe(outcome);
  });

  test("a tool that says nothing of its effects is no such command", () => {
    expect(outcomeOf([{ kind: "unknown", sure: "open", reason: "x" }], [["deny", "command(rm)"]], "auto")).toBe("allow");
  });

  test("no rule allows it", () => {
    expect(outcomeOf([unknown], [["allow", "command(*)"]])).toBe("ask");
  });
});

describe("a bare name by where it leads", () => {
  test.each<[Rule["effect"], string, readonly string[], string]>([
    ["deny", "command(rm)", ["/usr/local/bin/tidy", "/usr/bin/rm"], "deny"],
    ["deny", "command(/usr/bin/rm)", ["/usr/local/bin/tidy", "/usr/bin/rm"], "deny"],
    ["deny", "command(mv)", ["/usr/local/bin/tidy", "/usr/bin/rm"], "allow"],
  ])("%s %s on a name that leads to %j: %s", (effect, rule, program, outcome) => {
    expect(outcomeOf([command(["tidy", "f"], { program })], [[effect, rule]], "auto")).toBe(outcome);
  });

  test("a path allows the name that leads to it", () => {
    const effects = [command(["git", "push"], { program: ["/usr/bin/git"] })];
    expect(outcomeOf(effects, [["allow", "command(/usr/bin/git push)"]])).toBe("allow");
    expect(outcomeOf([command(["git", "push"])], [["allow", "command(/usr/bin/git push)"]])).toBe("ask");
  });
});

describe("a declared command is judged by what stands behind it up to the next command", () => {
  const known = (name: string): Effect => command([name], { sure: "declared" });
  const read: Effect = { kind: "file.read", sure: "declared", path: "/ws/a" };
  const write: Effect = { kind: "file.write", sure: "declared", path: "/ws/b" };
  test.each<[string, readonly Effect[], readonly string[], string]>([
    ["a reader beside an allowed command", [command(["npm", "test"]), known("tail")], ["command(npm test)"], "allow"],
    ["a reader after a writer", [known("touch"), write, known("cat"), read], ["command(touch)", "write(b)"], "allow"],
    ["a writer whose command no rule allows", [known("touch"), write], ["write(b)"], "ask"],
    ["a writer whose file no rule allows", [known("touch"), write], ["command(touch)"], "ask"],
  ])("%s", (_, effects, rules, outcome) => {
    expect(
      outcomeOf(
        effects,
        rules.map((rule) => ["allow", rule] as const),
      ),
    ).toBe(outcome);
  });
});

describe("a command that starts outside of every root", () => {
  const outside = (sure: "declared" | "open"): Effect => command(["npm", "test"], { cwd: "/tmp/evil", sure });
  test("is allowed by no rule for its words, and asked about even when it is known", () => {
    expect(outcomeOf([outside("open")], [["allow", "command(npm test)"]])).toBe("ask");
    expect(outcomeOf([outside("open")], [["allow", "command(*)"]])).toBe("ask");
    expect(outcomeOf([outside("declared")], [])).toBe("ask");
  });

  test("is forbidden by rules as anywhere", () => {
    expect(outcomeOf([outside("open")], [["deny", "command(npm)"]], "auto")).toBe("deny");
    expect(outcomeOf([outside("open")], [], "auto")).toBe("allow");
  });
});
