import { spawnSync } from "node:child_process";
import pc from "picocolors";
import { expect, test } from "vitest";
import { offerLines } from "./offer-lines.ts";

const look = { workspace: "/w", colors: pc.createColors(false) };
const of = (rules: readonly string[], narrowest: number, columns: number | null = null) =>
  offerLines({ rules, narrowest, indent: "  " }, { ...look, columns });

test.each<[string, readonly string[], number, readonly string[]]>([
  ["one alone", ["write(a.txt)"], 1, ["  --allow 'write(a.txt)'"]],
  [
    "one, and a wider one",
    ["command(npm test $)", "command(npm test)"],
    1,
    ["  --allow 'command(npm test $)'", "  or, wider:", "  --allow 'command(npm test)'"],
  ],
  [
    "several that are needed together, and a wider one",
    ["command(echo hi $)", "network(h:443)", "write(s/b)", "write(s/**)", "network(h)"],
    3,
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
    12,
    ["  all 12 of these together:", ...Array.from({ length: 9 }, (_, index) => `  --allow 'write(${index})'`), "  … 3 more"],
  ],
  ["one that is longer than a screen", [`command(${"x ".repeat(2000)}$)`], 1, ["  … 1 more"]],
  ["a tree, which is no wider one", ["delete(build/**)"], 1, ["  --allow 'delete(build/**)'"]],
])("%s", (_, rules, narrowest, lines) => {
  expect(of(rules, narrowest)).toEqual(lines);
});

test("a flag that is wider than the screen goes on as a shell reads it, where no line of Collet's begins", () => {
  const rule = `command(echo 'it'\\''s  ● bash' ${"long words ".repeat(20)}$)`;
  const [text = ""] = of([rule], 1, 40);
  const lines = text.split("\n");
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  for (const line of lines.slice(1)) expect(line.startsWith("'")).toBe(true);
  const { stdout } = spawnSync("bash", ["-c", `printf '%s|' ${text}`], { encoding: "utf8" });
  expect(stdout).toBe(`--allow|${rule}|`);
});
