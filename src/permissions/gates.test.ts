import { describe, expect, test } from "vitest";
import type { Mode } from "../base/decision.ts";
import { gatesOf } from "./gates.ts";
import { parseRule, type Rule } from "./rule.ts";
import { readWritePolicy } from "./write-policy.ts";

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
    expect(asking("auto", ["ask", "write(src/**)"])).toEqual(["write", "write outside"]);
    expect(asking("auto", ["ask", "write(/tmp/**)"])).toEqual(["write", "write outside"]);
    expect(asking("auto", ["ask", "command(git push)"])).toEqual(["command that only reads", "command", "command outside", "unknown"]);
    expect(gates("auto", ["ask", "network(*)"]).find(({ row }) => row === "network")).toEqual({
      ...{ row: "network", by_mode: "allow", by_write_policy: null, can_ask: true, allow_rules: [], deny_rules: [] },
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

  test("is nothing of what a write policy denies, whatever mode and rules say", () => {
    const under = (mode: Mode, bash: "disabled" | { verify: string[] }, ...rules: readonly Rule[]) =>
      gatesOf({ mode, rules, writePolicy: readWritePolicy({ version: 1, allow_writes: ["docs/**"], bash }) });
    const left = (bash: "disabled" | { verify: string[] }) =>
      Object.fromEntries(under("ask", bash).map(({ row, by_write_policy, can_ask }) => [row, [by_write_policy, can_ask]]));
    expect(left("disabled")).toEqual({
      read: [null, false],
      "read outside": [null, true],
      write: ["narrows", true],
      "write outside": ["denies", false],
      delete: ["narrows", true],
      "delete outside": ["denies", false],
      "command that only reads": [null, false],
      command: ["denies", false],
      "command outside": ["narrows", true],
      network: ["denies", false],
      agent: ["denies", false],
      unknown: ["denies", false],
    });
    expect(left({ verify: ["npm test"] })).toMatchObject({
      command: ["narrows", true],
      network: ["narrows", true],
      agent: ["denies", false],
    });
    const ask = parseRule("command(git push)", "ask", { from: "flag" });
    expect(under("auto", "disabled", ask).filter((gate) => gate.can_ask)).toMatchObject([
      { row: "command that only reads" },
      { row: "command outside" },
    ]);
  });

  test("names deny rules where they can reach, what is unknown among it", () => {
    const rows = gates("auto", ["deny", "command(rm)"], ["deny", "read(secrets/**)"]).filter(({ deny_rules }) => deny_rules.length > 0);
    expect(rows.map(({ row }) => row)).toEqual([
      "read",
      "read outside",
      "command that only reads",
      "command",
      "command outside",
      "unknown",
    ]);
  });
});
