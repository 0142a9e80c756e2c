import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GUARDED, guardRefusal } from "./guard.ts";
import { createPolicy } from "./policy.ts";

const policy = createPolicy({
  mode: "auto",
  rules: [],
  workspace: "/ws",
  roots: ["/ws"],
  home: "/home/u",
  configDir: "/home/u/.config/collet",
  stateDir: "/home/u/.local/state/collet",
  spillDir: () => null,
});
const docs = readFileSync(new URL("../../docs/permissions.md", import.meta.url), "utf8");
const [, table = ""] = /### Guarded paths\n[\s\S]*?\n\| --- \| --- \| --- \|\n([\s\S]*?)\n\n/.exec(docs) ?? [];
const rows = table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));

test("the table of guarded paths in docs/permissions.md has the rows of the guard, each with its reason", () => {
  const told = rows.map(([, what = "", why]) => `${what.replace(/ \(.*/, "")}: ${why}`);
  expect(told).toEqual([...new Set(GUARDED.map(({ what, why }) => `${what}: ${why}`))]);
});

test.each(rows.map(([, what = "", , names = ""]) => [what.replace(/ \(.*/, ""), names] as const))(
  "its examples of %s are guarded as that",
  (what, names) => {
    const [guarded = "", free = ""] = names.split("; not ");
    const refusal = (name: string) =>
      guardRefusal({ kind: "file.write", sure: "open", path: name.startsWith("~/") ? `/home/u/${name.slice(2)}` : `/ws/${name}` }, policy);
    const spans = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    expect(spans(guarded).length).toBeGreaterThan(0);
    expect(spans(guarded).map((name) => refusal(name)?.what)).toEqual(spans(guarded).map(() => what));
    expect(spans(free).map(refusal)).toEqual(spans(free).map(() => null));
  },
);
