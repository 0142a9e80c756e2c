import { describe, expect, test } from "vitest";
import type { Effect } from "../base/effect.ts";
import { markAlone } from "./alone-command.ts";

const command = (...argv: string[]): Effect => ({ kind: "command", sure: "open", argv, cwd: "/ws" });

describe("a command is alone in its script", () => {
  test.each([
    ["npm test", ["npm", "test"]],
    ["  npm\ttest\n", ["npm", "test"]],
    [`npm test -- -t 'a; b'`, ["npm", "test", "--", "-t", "a; b"]],
    ["npm te\\st", ["npm", "test"]],
  ])("as its words say: %j", (script, argv) => {
    const nested = command("node", "x");
    expect(markAlone(script, [command(...argv), nested])).toEqual([{ ...command(...argv), alone: true }, nested]);
  });

  test.each([
    "npm test > out",
    "npm test < in",
    "npm test <<< y",
    "npm test <<EOF\ny\nEOF",
    "CI=1 npm test",
    "npm test &",
    "npm test;",
    "! npm test",
    "time npm test",
    "(npm test)",
    "npm test # all",
    "npm test $(x)",
    "npm test $x",
    "npm test\nrm x",
    "npm test *",
    "while true; do npm test; done",
    "npm test\u00a0",
    "npm test {a,b}",
  ])("not where there is more: %j", (script) => {
    expect(markAlone(script, [command("npm", "test")])).toEqual([command("npm", "test")]);
  });

  test("not when it is not the first thing that is planned", () => {
    const effects: Effect[] = [{ kind: "unknown", sure: "open", reason: "x" }, command("npm", "test")];
    expect(markAlone("npm test", effects)).toEqual(effects);
  });
});
