import { describe, expect, test } from "vitest";
import type { Effect } from "../base/effect.ts";
import { isFailure } from "../base/fail.ts";
import { createPolicy, decide, describeRules, parseRule, type Rule } from "./index.ts";

const SOURCE = { from: "flag" } as const;
const rule = (text: string, effect: Rule["effect"] = "allow"): Rule => parseRule(text, effect, SOURCE);

function outcomeOf(text: string, effect: Effect, kind: Rule["effect"] = "allow"): string {
  const options = {
    mode: "ask",
    workspace: "/ws",
    roots: ["/ws", "/other"],
    home: "/home/u",
    configDir: null,
    stateDir: null,
    spillDir: () => null,
  } as const;
  const { decision } = decide([effect], createPolicy({ ...options, rules: [rule(text, kind)] }));
  return decision.rule === text.trim() ? decision.outcome : "not matched";
}
const write = (path: string, tree?: true): Effect => ({ kind: "file.write", sure: "open", path, ...(tree ? { tree } : {}) });
const command = (argv: string, cwd = "/ws"): Effect => ({ kind: "command", sure: "open", argv: argv.split(" "), cwd });

describe("an allow rule for paths", () => {
  test.each<[string, string, boolean]>([
    ["write(a.ts)", "/ws/a.ts", true],
    ["write(./a.ts)", "/ws/a.ts", true],
    ["  write(a.ts) ", "/ws/a.ts", true],
    ["write(a.ts)", "/ws/sub/a.ts", false],
    ["write(a.ts)", "/other/a.ts", false],
    ["write(src/**)", "/ws/src/x/y.ts", true],
    ["write(src/**)", "/ws/srcs/y.ts", false],
    ["write(src/*)", "/ws/src/x/y.ts", false],
    ["write(**)", "/ws/deep/er", true],
    ["write(**)", "/wsx/a", false],
    ["write(**)", "/outside", false],
    ["write(/ws/a.ts)", "/ws/a.ts", true],
    ["write(/tmp/**)", "/tmp/x/y", true],
    ["write(/**)", "/tmp/x", true],
    ["write(~/notes/*)", "/home/u/notes/a", true],
    ["write(~/notes/*)", "/ws/~/notes/a", false],
    ["write(./~x)", "/ws/~x", true],
    ["write(app/(group)/[[]id].tsx)", "/ws/app/(group)/[id].tsx", true],
    ["read(a.ts)", "/ws/a.ts", false],
    ["delete(a.ts)", "/ws/a.ts", false],
    ["command(a.ts)", "/ws/a.ts", false],
  ])("%s for a write of %s: %s", (text, path, matched) => {
    expect(outcomeOf(text, write(path))).toBe(matched ? "allow" : "not matched");
  });

  test("write does not cover delete, nor delete write", () => {
    const remove: Effect = { kind: "file.delete", sure: "open", path: "/ws/a" };
    expect([outcomeOf("write(a)", remove), outcomeOf("delete(a)", remove), outcomeOf("delete(a)", write("/ws/a"))]).toEqual([
      "not matched",
      "allow",
      "not matched",
    ]);
  });

  test.each<[string, Rule["effect"], string, string]>([
    ["write(src/**)", "allow", "/ws/src", "allow"],
    ["write(src/*)", "allow", "/ws/src", "not matched"],
    ["write(**)", "allow", "/ws", "allow"],
    ["write(src)", "allow", "/ws/src", "not matched"],
    ["write(src/secret/**)", "deny", "/ws/src", "deny"],
    ["write(src/a.ts)", "ask", "/ws/src", "ask"],
    ["write(src/a.ts)", "deny", "/", "deny"],
    ["write(lib/**)", "deny", "/ws/src", "not matched"],
  ])("%s as %s over the whole tree %s: %s", (text, kind, path, expected) => {
    expect(outcomeOf(text, write(path, true), kind)).toBe(expected);
  });

  test("a deny rule holds for every other name of the file", () => {
    const linked: Effect = { kind: "file.write", sure: "open", path: "/ws/a", also: ["/other/keep.txt"] };
    expect([outcomeOf("write(/other/keep.txt)", linked, "deny"), outcomeOf("write(/other/keep.txt)", linked, "allow")]).toEqual([
      "deny",
      "not matched",
    ]);
  });
});

describe("a command rule", () => {
  test.each<[string, Effect, boolean]>([
    ["command(npm test)", command("npm test -- a"), true],
    ["command( npm  test )", command("npm test"), true],
    ["command(npm test $)", command("npm test -- a"), false],
    ["command(npm run * $)", command("npm run build"), true],
    ["command(echo)", command("echoes"), false],
    ["command(npm)", command("/ws/npm"), false],
    ["command(npm)", command("./npm"), false],
    ["command(/usr/bin/npm)", command("/usr/bin/npm x"), true],
    ["command(/usr/bin/npm)", command("npm x"), false],
    ["command(./run)", command("./run"), true],
    ["command(./run)", command("./run-evil"), false],
    ["command(./run)", command("run"), false],
    ["command(./run)", command("/ws/run"), true],
    ["command(./run)", command("././/run"), true],
    ["command(./run)", command("./run", "/ws/sub"), false],
    ["command(sub/run)", command("./run", "/ws/sub"), true],
    ["command(./run)", command("../run", "/ws/sub"), false],
    ["command(*)", command("rm -rf x"), true],
  ])("%s for %j: %s", (text, effect, matched) => {
    expect(outcomeOf(text, effect)).toBe(matched ? "allow" : "not matched");
  });

  test.each<[string, Effect, boolean]>([
    ["command(rm)", command("/bin/rm -rf x"), true],
    ["command(rm)", command("./rm"), true],
    ["command(/bin/rm)", command("rm -rf x"), true],
    ["command(./run)", command("./run", "/ws/sub"), true],
    ["command(/bin/rm)", command("/usr/bin/rm x"), false],
    ["command(rm -rf)", command("/bin/rm -f"), false],
    ["command(rm)", command("rmdir x"), false],
  ])("denies by name wherever the program lies: %s for %j: %s", (text, effect, matched) => {
    expect(outcomeOf(text, effect, "deny")).toBe(matched ? "deny" : "not matched");
  });
});

describe("network and agent rules", () => {
  const network = (host: string, port = 443): Effect => ({ kind: "network", sure: "declared", host, port });
  test.each<[string, Effect, boolean]>([
    ["network(api.example.com)", network("API.example.com."), true],
    ["network(api.example.com:443)", network("api.example.com"), true],
    ["network(api.example.com:80)", network("api.example.com"), false],
    ["network(example.com)", network("api.example.com"), false],
    ["network(*.example.com)", network("a.b.example.com"), true],
    ["network(*.example.com)", network("example.com"), false],
    ["network(*.example.com)", network("evilexample.com"), false],
    ["network(*.example.com:8443)", network("a.example.com", 8443), true],
    ["network(*)", network("anything"), true],
    ["network(*:22)", network("anything"), false],
    ["network([::1]:80)", network("::1", 80), true],
    ["network([::1])", network("[::1]"), true],
    ["network(127.0.0.1)", network("127.0.0.1"), true],
    ["agent(reviewer)", { kind: "agent", sure: "declared", name: "reviewer" }, true],
    ["agent(reviewer)", { kind: "agent", sure: "declared", name: "reviewer2" }, false],
    ["agent(*)", { kind: "agent", sure: "declared", name: "x" }, true],
    ["command(*)", { kind: "unknown", sure: "open", reason: "x" }, false],
  ])("%s for %j: %s", (text, effect, matched) => {
    expect(outcomeOf(text, effect)).toBe(matched ? "allow" : "not matched");
  });
});

test.each([
  ["echo", "syntax"],
  ["", "syntax"],
  ["write", "syntax"],
  ["write(a", "syntax"],
  ["write a)", "syntax"],
  ["(a)", "syntax"],
  ["write()", "empty"],
  ["command( )", "empty"],
  ["bash(ls)", "unknown_head"],
  ["Write(a)", "unknown_head"],
  ["unknown(*)", "unknown_head"],
  ["file.read(a)", "unknown_head"],
  ["write(../a)", "dot_name"],
  ["write(a/)", "empty_name"],
  ["write(/)", "empty"],
  ["write(//a)", "empty_name"],
  ["write(~)", "other_home"],
  ["write(~root/a)", "other_home"],
  ["write(~/)", "empty"],
  ["write(!a)", "negation"],
  ["write(a\\*)", "backslash"],
  ["write({a,b})", "braces"],
  ["write(a**)", "partial_globstar"],
  ["write([a)", "unclosed_set"],
  ["write(a\nb)", "control_character"],
  ["write( a)", "blank_at_the_edge"],
  ["command(npm run test:*)", "not_literal"],
  ["command(a && b)", "not_literal"],
  ["command($ a)", "dollar_not_last"],
  ["command($)", "empty"],
  ["network(http://a)", "bad_host"],
  ["network(a:0)", "bad_port"],
  ["network(a:70000)", "bad_port"],
  ["network(*a)", "bad_host"],
  ["network(münchen.de)", "bad_host"],
  ["network(a/b)", "bad_host"],
  ["network(::1)", "bad_host"],
  ["agent(a b)", "bad_name"],
  ["agent(a*)", "bad_name"],
])("%j is refused as %s", (text, reason) => {
  expect(() => rule(text)).toThrow(
    expect.toSatisfy(
      (error) => isFailure(error) && error.kind === "invalid_args" && error.details.reason === reason && error.details.rule === text.trim(),
    ),
  );
});

test("the rules of a policy are described as written, with their sources", () => {
  const rules = [parseRule("read(a)", "deny", { from: "file", file: "/p.json", line: 3 }), rule("command(npm test)")];
  const policy = createPolicy({
    mode: "ask",
    rules,
    workspace: "/ws",
    roots: [],
    home: null,
    configDir: null,
    stateDir: null,
    spillDir: () => null,
  });
  expect(describeRules(policy)).toEqual([
    { rule: "read(a)", effect: "deny", source: { from: "file", file: "/p.json", line: 3 } },
    { rule: "command(npm test)", effect: "allow", source: { from: "flag" } },
  ]);
});
