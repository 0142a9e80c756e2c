import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Effect } from "../base/effect.ts";
import { coveredOffers, createPolicy, decide, offersFor, type Policy, parseRule, type Rule, whyNoOffer } from "./index.ts";

const policyOf = (rules: readonly Rule[] = [], mode: Policy["mode"] = "ask"): Policy =>
  createPolicy({
    mode,
    rules,
    workspace: "/ws",
    roots: ["/ws"],
    home: "/home/u",
    configDir: "/home/u/.config/collet",
    stateDir: null,
    spillDir: () => null,
  });
const allow = (texts: readonly string[]): readonly Rule[] => texts.map((text) => parseRule(text, "allow", { from: "approval" }));
const command = (argv: readonly string[], cwd = "/ws"): Effect => ({ kind: "command", sure: "open", argv, cwd });
/** A command whose program was looked up. */
const placed = (argv: readonly string[], ...program: readonly string[]): Effect => ({
  kind: "command",
  sure: "open",
  argv,
  cwd: "/ws",
  program,
});
const write = (path: string): Effect => ({ kind: "file.write", sure: "open", path });

describe("offers", () => {
  test.each<[string, readonly Effect[], readonly string[]]>([
    ["a command", [command(["npm", "test"])], ["command(npm test $)", "command(npm test)"]],
    ["words that need quotes", [command(["echo", "a b", "*", "$", ""])], ["command(echo 'a b' '*' '$' '' $)"]],
    ["a program by its path", [command(["./run", "x"])], ["command(./run x $)"]],
    ["a program from another folder", [command(["./run"], "/ws/sub")], ["command(/ws/sub/run $)"]],
    [
      "a bare name, wherever it leads",
      [placed(["npm", "test"], "/usr/bin/npm", "/usr/lib/npm.js")],
      ["command(npm test $)", "command(npm test)"],
    ],
    ["a program in the workspace", [placed(["./run", "x"], "/ws/run")], ["command(./run x $)", "command(./run)"]],
    ["a program in the workspace without words", [placed(["./run"], "/ws/run")], ["command(./run $)"]],
    ["a link in the workspace that leads out", [placed(["./py", "x"], "/ws/py", "/usr/bin/python3")], []],
    ["an interpreter in the workspace", [placed(["bin/python3.12", "x"], "/ws/bin/python3.12")], ["command(./bin/python3.12 x $)"]],
    ["a script of a package", [command(["npm", "run", "build", "--", "-x"])], ["command(npm run build -- -x $)", "command(npm run build)"]],
    ["words that are known at run time only", [{ ...command(["npm", "test"]), dynamic: [1] } as Effect], []],
    ["which commands run is unknown", [{ kind: "unknown", sure: "open", reason: "x", commands: true }], []],
    ["no broad rule for options", [command(["rm", "-rf", "x"])], ["command(rm -rf x $)"]],
    ["a file", [write("/ws/src/a.ts")], ["write(src/a.ts)", "write(src/**)"]],
    ["a file of the workspace itself", [write("/ws/a.ts")], ["write(a.ts)"]],
    ["a file outside", [write("/tmp/a")], ["write(/tmp/a)"]],
    ["a tree", [{ kind: "file.delete", sure: "open", path: "/ws/build", tree: true }], ["delete(build/**)"]],
    ["a host", [{ kind: "network", sure: "open", host: "::1", port: 80 }], ["network([::1]:80)", "network([::1])"]],
    ["an agent", [{ kind: "agent", sure: "open", name: "x" }], ["agent(x)"]],
    [
      "several, each once, narrow ones first",
      [command(["a"]), command(["a"]), write("/ws/s/b"), { kind: "file.read", sure: "open", path: "/ws/c" }],
      ["command(a $)", "write(s/b)", "write(s/**)"],
    ],
    ["nothing to ask", [{ kind: "file.read", sure: "exact", path: "/ws/a" }], []],
    ["no effects", [], []],
    ["unknown", [command(["a"]), { kind: "unknown", sure: "open", reason: "x" }], []],
    ["something denied beside it", [command(["a"]), write("/ws/.git/config")], []],
    ["a name that no rule can say", [write("/ws/a\nb")], []],
  ])("%s", (_, effects, offers) => {
    expect(offersFor(effects, policyOf()).rules).toEqual(offers);
  });

  test.each([
    "bash build",
    "sh x",
    "env npm test",
    "sudo npm test",
    "xargs rm",
    "python -c x",
    "python3.12 setup.py",
    "node build",
    "find src",
    "npx tsc",
    "npm exec x",
    "npm x y",
    "pnpm dlx x",
    "yarn exec x",
    "npm run",
    "docker run x",
    "ssh host",
    "git config a",
    "git bisect run",
    "git submodule foreach",
    "make test",
    "timeout 5",
    "poetry run",
    "cargo run",
    "perl5.36 x",
    "BASH x",
    "busybox sh",
    "go run",
    "npm config set",
    "npm init",
    "kubectl get",
    "bash.exe x",
  ])("no broad rule for what runs anything: %s", (line) => {
    expect(offersFor([command(line.split(" "))], policyOf()).rules).toEqual([`command(${line} $)`]);
  });

  test.each(["npm test", "git status", "git push", "cargo test", "go test", "pytest tests", "ls src", "docker-compose up", "tsc check"])(
    "a broad rule for what says what it does: %s",
    (line) => {
      expect(offersFor([command(line.split(" "))], policyOf()).rules).toEqual([`command(${line} $)`, `command(${line})`]);
    },
  );

  test("none where no allow rule can help", () => {
    expect(offersFor([command(["npm", "test"])], policyOf([parseRule("command(npm)", "ask", { from: "flag" })])).rules).toEqual([]);
    expect(offersFor([command(["npm", "test"])], policyOf([], "read_only")).rules).toEqual([]);
    expect(offersFor([command(["npm", "test"])], policyOf([], "auto")).rules).toEqual([]);
  });

  test.each<[string, readonly Effect[], readonly Rule[], RegExp | null]>([
    ["there are some", [command(["npm", "test"])], [], null],
    ["nothing is asked", [{ kind: "file.read", sure: "exact", path: "/ws/a" }], [], null],
    ["something is denied", [command(["eval", "x"]), write("/ws/.git/config")], [], null],
    [
      "an ask rule asks",
      [command(["npm", "test"])],
      [parseRule("command(npm)", "ask", { from: "flag" })],
      /^ask command\(npm\) asks each time/,
    ],
    ["it is unknown", [command(["a"]), { kind: "unknown", sure: "open", reason: "x" }], [], /is not known/],
    ["words are known at run time only", [{ ...command(["rm", "$X"]), dynamic: [1] } as Effect], [], /only when it runs/],
    ["the program cannot be told", [{ ...command(["/proc/self/exe"]), program: null } as Effect], [], /cannot be told/],
    ["it starts outside", [command(["npm", "test"], "/tmp")], [], /outside the workspace/],
    ["a link leads out", [placed(["./py", "x"], "/ws/py", "/usr/bin/python3")], [], /no rule can name it/],
    ["the name cannot be written", [write("/ws/a\nb")], [], /can be written/],
  ])("none, or some, and why: %s", (_, effects, rules, why) => {
    const told = whyNoOffer(effects, policyOf(rules));
    if (why === null) expect(told).toBeNull();
    else expect(told).toMatch(why);
  });

  test("a wider one makes those needless whose every effect it covers", () => {
    const effects = [command(["npm", "test"]), command(["npm", "test", "x"]), write("/ws/src/a"), write("/ws/b")];
    expect(coveredOffers(effects, offersFor(effects, policyOf()), policyOf())).toEqual({
      "command(npm test)": ["command(npm test $)", "command(npm test x $)"],
      "write(src/**)": ["write(src/a)"],
    });
  });

  test("only what the rules at hand do not allow is offered", () => {
    expect(offersFor([command(["echo", "a"]), command(["touch", "b"])], policyOf(allow(["command(echo)"])))).toEqual({
      rules: ["command(touch b $)", "command(touch b)"],
      narrowest: 1,
    });
  });
});

test("the offers turn an ask into an allow, the first ones alone too", () => {
  const word = fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), fc.constantFrom("*", "$", "~", "'", "\n", "", "{a,b}", "-x"));
  const name = fc
    .oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }),
      fc.constantFrom("[id]", "{a,b}", "~", "!x", "a*", ".git", ".env", " a ", "\\"),
    )
    .filter((text) => !/[/\0]/.test(text) && text !== "." && text !== "..");
  const path = fc
    .array(name, { minLength: 1, maxLength: 4 })
    .chain((names) => fc.constantFrom(`/ws/${names.join("/")}`, `/${names.join("/")}`));
  const effect: fc.Arbitrary<Effect> = fc.oneof(
    fc.record({
      kind: fc.constant("command" as const),
      sure: fc.constant("open" as const),
      argv: fc.array(word, { minLength: 1, maxLength: 4 }),
      cwd: fc.constantFrom("/ws", "/ws/a b"),
    }),
    fc.record({
      kind: fc.constantFrom("file.write" as const, "file.delete" as const, "file.read" as const),
      sure: fc.constant("open" as const),
      path,
    }) as fc.Arbitrary<Effect>,
    fc.record({
      kind: fc.constant("network" as const),
      sure: fc.constant("open" as const),
      host: fc.domain(),
      port: fc.integer({ min: 1, max: 65_535 }),
    }),
  );
  let offered = 0;
  fc.assert(
    fc.property(fc.array(effect, { minLength: 1, maxLength: 3 }), (effects) => {
      const policy = policyOf();
      const { rules: offers, narrowest } = offersFor(effects, policy);
      const { outcome } = decide(effects, policy).decision;
      if (outcome !== "ask") expect(offers).toEqual([]);
      expect(whyNoOffer(effects, policy) === null).toBe(outcome !== "ask" || offers.length > 0);
      if (offers.length === 0) return;
      offered += 1;
      expect(decide(effects, policyOf(allow(offers))).decision.outcome).toBe("allow");
      expect(decide(effects, policyOf(allow(offers.slice(0, narrowest)))).decision.outcome).toBe("allow");
      if (narrowest > 1) expect(decide(effects, policyOf(allow(offers.slice(0, narrowest - 1)))).decision.outcome).toBe("ask");
      for (const [wide, needless] of Object.entries(coveredOffers(effects, { rules: offers, narrowest }, policy))) {
        const kept = [...offers.slice(0, narrowest).filter((rule) => !needless.includes(rule)), wide];
        expect(decide(effects, policyOf(allow(kept))).decision.outcome).toBe("allow");
      }
      for (const offer of offers) expect(parseRule(offer, "allow", { from: "flag" }).text).toBe(offer);
    }),
    { numRuns: 200 },
  );
  expect(offered).toBeGreaterThan(60);
});
