import { describe, expect, test } from "vitest";
import type { Mode } from "../base/decision.ts";
import { gatesOf } from "./gates.ts";
import { parseRule, type Rule } from "./rule.ts";

const gates = (mode: Mode, ...rules: readonly (readonly [Rule["effect"], string])[]) =>
  gatesOf({ mode, rules: rules.map(([effect, text]) => parseRule(text, effect, { from: "flag" })) });
const asking = (mode: Mode, ...rules: readonly (readonly [Rule["effect"], string])[]) =>
  gates(mode, ...rules)
    .filter(({ can_ask }) => can_ask)
    .map(({ row }) => row);

describe("what a policy can still ask", () => {
  test("is all but reads and commands that only read, in the mode ask", () => {
    expect(asking("ask")).toEqual([
      ...[
        "read outside",
        "write",
        "write outside",
        "delete",
        "delete outside",
        "command",
        "command outside",
        "network",
        "agent",
        "unknown",
      ],
    ]);
  });

  test("is nothing in auto and read_only without ask rules", () => {
    expect([asking("auto"), asking("read_only")]).toEqual([[], []]);
  });

  test("is in auto what ask rules say, wherever their patterns can lead", () => {
    expect(asking("auto", ["ask", "write(src/**)"])).toEqual(["write"]);
    expect(asking("auto", ["ask", "write(/tmp/**)"])).toEqual(["write", "write outside"]);
    expect(asking("auto", ["ask", "command(git push)"])).toEqual(["command that only reads", "command", "command outside"]);
    expect(gates("auto", ["ask", "network(*)"]).find(({ row }) => row === "network")).toEqual({
      ...{ row: "network", by_mode: "allow", can_ask: true, allow_rules: [] },
      ask_rules: [{ rule: "network(*)", source: { from: "flag" } }],
    });
  });

  test("is nothing that read_only denies, whatever rules ask", () => {
    expect(asking("read_only", ["ask", "write(**)"], ["ask", "read(src/**)"])).toEqual(["read"]);
  });

  test("names the rules that let a part of it through", () => {
    const [gate] = gates("ask", ["allow", "command(npm test)"], ["allow", "write(a)"]).filter(({ row }) => row === "command");
    expect(gate?.allow_rules).toEqual([{ rule: "command(npm test)", source: { from: "flag" } }]);
  });
});
