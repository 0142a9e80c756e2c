import { describe, expect, test } from "vitest";
import type { Mode } from "../base/decision.ts";
import { lintRules } from "./lint-rules.ts";
import { createPolicy, type Policy } from "./policy.ts";
import { parseRule, type Rule } from "./rule.ts";

type Written = readonly [Rule["effect"], string];

function policyOf(rules: readonly Written[], { mode = "ask", home = "/home/u" }: { mode?: Mode; home?: string | null } = {}): Policy {
  return createPolicy({
    mode,
    rules: rules.map(([effect, text], index) => parseRule(text, effect, { from: "file", file: "/f", line: index + 1 })),
    workspace: "/ws",
    roots: ["/ws"],
    home,
    configDir: "/home/u/.config/collet",
    stateDir: "/home/u/.local/state/collet",
    spillDir: () => null,
  });
}

const codes = (rules: readonly Written[], options = {}) =>
  lintRules(policyOf(rules, options), { exists: (path) => path === "/ws/run" }).map(({ code, source }) => `${source.line} ${code}`);
const allow = (...texts: readonly string[]): readonly Written[] => texts.map((text) => ["allow", text]);

describe("the linter", () => {
  test.each<[string, readonly string[]]>([
    ["command(npm test)", []],
    ["command(npm run * $)", []],
    ["command(bash scripts/check.sh)", []],
    ["command(bash -c 'npm test' $)", []],
    ["command(./run)", []],
    ["command(git push)", []],
    ["write(src/**)", []],
    ["write(.env)", []],
    ["read(.env)", []],
    ["read(/etc/hosts)", []],
    ["read(~/notes/**)", []],
    ["network(*.example.com)", []],
    // never
    ["command('cd src && ls')", ["never_matches"]],
    ["command('npm test')", ["never_matches"]],
    ["command(CI=1 npm test)", ["never_matches"]],
    ["command('')", ["never_matches"]],
    ["command(./gone)", ["no_such_program"]],
    ["command(/ws/gone x)", ["no_such_program"]],
    ["write(.git/config)", ["guard_refuses"]],
    ["write(**/.git/hooks/*)", ["guard_refuses"]],
    ["delete(.git/**)", ["guard_refuses"]],
    ["read(~/.config/collet/**)", ["guard_refuses"]],
    // wide
    ...["bash", "sh", "env", "xargs", "python", "python3.12", "node", "sudo", "/bin/bash", "bash -c", "node -e *", "env *"].map(
      (words): [string, string[]] => [`command(${words})`, words.endsWith("*") ? ["too_wide", "star_is_one_word"] : ["too_wide"]],
    ),
    ["command(*)", ["too_wide"]],
    ["command(* --help $)", ["too_wide"]],
    ["write(**)", ["too_wide"]],
    ["write(**/*)", []],
    ["delete(/**)", ["too_wide"]],
    ["read(~/**)", ["too_wide"]],
    ["network(*)", ["too_wide"]],
    // could be said better
    ["command(git *)", ["star_is_one_word"]],
    ["read(src/**)", ["needless"]],
    ["write(/tmp/**)", ["outside_workspace"]],
  ])("allow %s: %j", (rule, found) => {
    const exists = (path: string) => path === "/ws/./run" || path.startsWith("/bin/");
    expect(lintRules(policyOf(allow(rule)), { exists }).map(({ code }) => code)).toEqual(found);
  });

  test("leaves wide rules alone that forbid or ask", () => {
    const texts = ["command(*)", "command(bash)", "write(**)", "read(~/**)", "network(*)", "write(.git/config)"];
    for (const text of texts) expect(codes([["deny", text]])).toEqual([]);
    for (const text of texts.slice(0, -1)) expect(codes([["ask", text]])).toEqual([]);
  });

  test.each<[string, readonly Written[], readonly string[]]>([
    ["twice the same", allow("command(npm test)", "command(npm test)"), ["2 duplicate"]],
    [
      "an allow below a deny",
      [
        ["allow", "command(git push)"],
        ["deny", "command(git)"],
      ],
      ["1 shadowed"],
    ],
    [
      "an allow below an ask",
      [
        ["ask", "command(git push)"],
        ["allow", "command(git push origin $)"],
      ],
      ["2 shadowed"],
    ],
    [
      "an ask below a deny",
      [
        ["ask", "write(src/a.ts)"],
        ["deny", "write(src/**)"],
      ],
      ["1 shadowed"],
    ],
    [
      "the same text in two lists",
      [
        ["allow", "write(src/**)"],
        ["deny", "write(src/**)"],
      ],
      ["1 shadowed"],
    ],
    [
      "a program by its path below one by its name",
      [
        ["allow", "command(/usr/bin/git push)"],
        ["deny", "command(git)"],
      ],
      ["1 shadowed"],
    ],
    [
      "an absolute pattern below a relative one",
      [
        ["allow", "write(/ws/src/a.ts)"],
        ["deny", "write(src/**)"],
      ],
      ["1 shadowed"],
    ],
    [
      "a deny within an allow",
      [
        ["allow", "command(git)"],
        ["deny", "command(git push)"],
      ],
      [],
    ],
    [
      "a deny beside an allow",
      [
        ["allow", "write(src/**)"],
        ["deny", "write(docs/**)"],
      ],
      [],
    ],
    [
      "other heads",
      [
        ["allow", "write(src/**)"],
        ["deny", "delete(src/**)"],
      ],
      [],
    ],
    [
      "a deny with $",
      [
        ["allow", "command(npm test)"],
        ["deny", "command(npm test $)"],
      ],
      [],
    ],
    ["a narrower allow", allow("command(npm)", "command(npm test)"), ["2 covered"]],
    ["a narrower path", allow("write(src/**)", "write(src/*.ts)"), ["2 covered"]],
    ["what a wider rule does not name", allow("write(conf/**)", "write(conf/.env)"), []],
    [
      "a port",
      [
        ["allow", "network(a.example:443)"],
        ["deny", "network(*.example)"],
      ],
      ["1 shadowed"],
    ],
    [
      "one port of many",
      [
        ["allow", "network(a.example)"],
        ["deny", "network(a.example:80)"],
      ],
      [],
    ],
    [
      "agents",
      [
        ["allow", "agent(x)"],
        ["deny", "agent(*)"],
      ],
      ["1 shadowed"],
    ],
  ])("%s", (_, rules, found) => {
    const exists = () => true;
    expect(lintRules(policyOf(rules), { exists }).map(({ code, source }) => `${source.line} ${code}`)).toEqual(found);
  });

  test("says that read_only is a ceiling, but for what rules can still name", () => {
    expect(codes(allow("command(npm test)", "write(src/**)", "read(.env)"), { mode: "read_only" })).toEqual([
      "1 no_effect_in_read_only",
      "2 no_effect_in_read_only",
    ]);
  });

  test("says that ~/ stands for nothing where there is no home", () => {
    expect(codes(allow("write(~/x)"), { home: null })).toEqual(["1 never_matches"]);
  });

  test("names the other rule and what to write instead", () => {
    const [shadowed] = lintRules(
      policyOf([
        ["allow", "command(git push)"],
        ["deny", "command(git)"],
      ]),
    );
    expect(shadowed).toMatchObject({ level: "warning", other: { rule: "command(git)", effect: "deny", source: { line: 2 } } });
    expect(lintRules(policyOf(allow("command(git *)")))).toMatchObject([{ level: "hint", instead: "command(git)" }]);
    expect(lintRules(policyOf(allow("command('npm test')")))).toMatchObject([{ instead: "command(npm test)" }]);
  });

  test.each<[Rule["effect"], string, readonly string[]]>([
    ["deny", "command(git log --all)", ["only_at_the_beginning"]],
    ["ask", "command(rm -rf)", ["only_at_the_beginning"]],
    ["deny", "command(rm -rf $)", []],
    ["deny", "command(git push)", []],
    ["allow", "command(git log --oneline)", []],
  ])("says of %s %s that it holds at the beginning alone: %j", (effect, text, found) => {
    expect(lintRules(policyOf([[effect, text]])).map(({ code }) => code)).toEqual(found);
  });

  test("proposes the beginning before the option", () => {
    expect(lintRules(policyOf([["deny", "command(git log --all)"]]))).toMatchObject([
      { level: "warning", why: expect.stringContaining("git log x --all"), instead: expect.stringContaining("command(git log)") },
    ]);
  });

  test("takes no long time over very many rules", () => {
    const rules = Array.from({ length: 2_000 }, (_, index): Written => ["allow", `write(src/${index}/**)`]);
    const start = performance.now();
    expect(codes(rules)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
