import { spawnSync } from "node:child_process";
import pc from "picocolors";
import { expect, test } from "vitest";
import { offerLines } from "./offer-lines.ts";

const look = { workspace: "/w", colors: pc.createColors(false) };
const of = (rules: readonly string[], effects: readonly object[] = [], columns: number | null = null) =>
  offerLines({ rules, effects: effects as Parameters<typeof offerLines>[0]["effects"], indent: "  " }, { ...look, columns });

test.each<[string, readonly string[], readonly object[], readonly string[]]>([
  ["one alone", ["write(a.txt)"], [], ["  --allow 'write(a.txt)'"]],
  [
    "one, and a wider one",
    ["command(npm test $)", "command(npm test)"],
    [],
    ["  --allow 'command(npm test $)'", "  or, wider:", "  --allow 'command(npm test)'"],
  ],
  [
    "several that are needed together, and a wider one",
    ["command(echo hi $)", "network(h:443)", "write(s/b)", "write(s/**)", "network(h)"],
    [],
    [
      "  all 3 of these together:",
      "  --allow 'command(echo hi $)'",
      "  --allow 'network(h:443)'",
      "  --allow 'write(s/b)'",
      "  or, wider, in the place of one of them:",
      "  --allow 'write(s/**)'",
      "  --allow 'network(h)'",
    ],
  ],
  [
    "more than anybody copies",
    Array.from({ length: 12 }, (_, index) => `write(${index})`),
    [],
    ["  all 12 of these together:", ...Array.from({ length: 9 }, (_, index) => `  --allow 'write(${index})'`), "  … 3 more"],
  ],
  ["one that is longer than a screen", [`command(${"x ".repeat(2000)}$)`], [], ["  … 1 more"]],
  ["a tree, which is no wider one", ["delete(build/**)"], [{ kind: "file.delete", tree: true }], ["  --allow 'delete(build/**)'"]],
])("%s", (_, rules, effects, lines) => {
  expect(of(rules, effects)).toEqual(lines);
});

test("a flag that is wider than the screen goes on as a shell reads it, where no line of Collet's begins", () => {
  const rule = `command(echo 'it'\\''s  ● bash' ${"long words ".repeat(20)}$)`;
  const [text = ""] = of([rule], [], 40);
  const lines = text.split("\n");
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  for (const line of lines.slice(1)) expect(line.startsWith("'")).toBe(true);
  const { stdout } = spawnSync("bash", ["-c", `printf '%s|' ${text}`], { encoding: "utf8" });
  expect(stdout).toBe(`--allow|${rule}|`);
});
