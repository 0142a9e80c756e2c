import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { knownWord } from "../word.ts";
import { find } from "./find.ts";

const hasFind = spawnSync("find", ["--version"]).status === 0;

const condition = fc.constantFrom(
  ..."-name a|-name *.ts|-name b?|-iname *.TS|-type f|-type d|-type l|-size 0|-true|-false|-prune|-empty|-name *".split("|"),
);
const action = fc.constantFrom("-print0", "-print0", "-exec printf %s\\0 {} ;", "-exec printf %s\\0 {} +", "-prune");
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { arbitrary: condition, weight: 3 },
    { arbitrary: action, weight: 1 },
    { arbitrary: fc.tuple(tie("expression"), tie("expression")).map((pair) => pair.join(" ")), weight: 3 },
    {
      arbitrary: fc.tuple(tie("expression"), fc.constantFrom("-o", "-o", "-a", ","), tie("expression")).map((parts) => parts.join(" ")),
      weight: 3,
    },
    { arbitrary: tie("expression").map((inner) => `( ${inner} )`), weight: 2 },
    { arbitrary: tie("expression").map((inner) => `! ${inner}`), weight: 1 },
  ),
}));

describe.skipIf(!hasFind)("find", () => {
  let base: string;

  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), "collet-find-"));
    for (const path of [
      "a",
      "b.ts",
      "B.TS",
      "dir/a",
      "dir/c.ts",
      "dir.ts/a",
      "dir.ts/b1",
      "dir.ts/.env",
      "deep/a/b2/x.ts",
      "deep/a/b2/.env",
    ]) {
      mkdirSync(dirname(join(base, path)), { recursive: true });
      writeFileSync(join(base, path), path.length % 2 === 0 ? "" : "text");
    }
    symlinkSync("a", join(base, "link.ts"));
    symlinkSync("dir", join(base, "dir/b3"));
  });
  afterAll(() => rmSync(base, { recursive: true }));

  test("prints and hands on no path but those that it is said to", () => {
    let told = 0;
    fc.assert(
      fc.property(expression, (text) => {
        const args = [".", ...text.split(" ")];
        const { runs, prints } = find({ name: "find", args: args.map(knownWord), stdin: { kind: "empty" } });
        const words = runs.flatMap((run) => ("words" in run ? run.words.filter((word) => !word.known) : []));
        const facts = [...words, ...(prints?.kind === "paths" ? [prints] : [])];
        if (facts.length === 0 || (runs.length > 0 && prints)) return;
        const { stdout, status } = spawnSync("find", args, { cwd: base, encoding: "utf8" });
        if (status !== 0) return;
        const paths = stdout.split(prints?.kind === "paths" ? prints.end : "\0").slice(0, -1);
        const fits = (path: string): boolean =>
          facts.some((fact) => {
            const { only, regular } = "only" in fact || "regular" in fact ? fact : {};
            const name = path.slice(path.lastIndexOf("/") + 1);
            const isNamed =
              !only || only.some((glob) => new RegExp(`^${glob.replaceAll(".", "\\.").replaceAll("*", ".*")}$`, "i").test(name));
            return isNamed && !(regular && /link\.ts$|b3$/.test(path));
          });
        if (facts.some((fact) => "only" in fact || "regular" in fact)) told += 1;
        expect(paths.filter((path) => !fits(path))).toEqual([]);
      }),
      { numRuns: 200 },
    );
    expect(told).toBeGreaterThan(10);
  });
});
