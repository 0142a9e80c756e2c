import { describe, expect, test } from "vitest";
import { declared } from "./doing.ts";
import type { Look } from "./look.ts";
import { short, shortPlan, smallLook, tableWith } from "./plan-for-test.ts";
import { plainProgram } from "./program.ts";
import { xargs } from "./programs/xargs.ts";
import { scriptPlan } from "./script-plan.ts";

const TREE = { complete: true, readComplete: true, ownComplete: true, guarded: [], linked: [], oddNames: false };

function look(tree: Partial<Awaited<ReturnType<Look["tree"]>>>): Look {
  return smallLook({ tree: async () => ({ ...TREE, ...tree }) });
}

describe("a file that is read line by line", () => {
  test.each<readonly [string, readonly string[]]>([
    [
      'while read -r f; do cat "$f"; done < list.txt',
      ["r: /ws/list.txt", "read -r f", "cat src/a.ts", "r: /ws/src/a.ts", "cat src/b.ts", "r: /ws/src/b.ts"],
    ],
    [
      'while IFS= read -r f; do cat < "$f"; done < list.txt',
      ["r: /ws/list.txt", "read -r f", "cat", "r: /ws/src/a.ts", "cat", "r: /ws/src/b.ts"],
    ],
  ])("%s", async (script, effects) => {
    const plan = await shortPlan(script);
    expect(plan.filter((effect) => !/^(?:cat ?|\?)$/.test(effect))).toEqual(effects.filter((effect) => effect !== "cat"));
    expect(plan).not.toContain("?");
  });

  test.each([
    'touch list.txt; while read -r f; do cat "$f"; done < list.txt',
    'while read -r f; do cat "$f"; done < other.txt',
    'while read -r -d : f; do cat "$f"; done < list.txt',
    'while IFS=/ read -r f; do cat "$f"; done < list.txt',
    'while read -r f g; do cat "$f"; done < list.txt',
    'while read -r f; do other; cat "$f"; done < list.txt',
    'while read -r f; do x=$(other); cat "$f"; done < list.txt',
    'while read -r f; do (other); cat "$f"; done < list.txt',
    'while read -r f; do other | w; cat "$f"; done < list.txt',
    'while read -r f; do f() { read -n 1; }; f; cat "$f"; done < list.txt',
    'while read -r f; do mapfile -n 1 a; cat "$f"; done < list.txt',
  ])("is not known: %s", async (script) => {
    expect((await shortPlan(script)).filter((effect) => /^cat.*\?$/.test(effect))).not.toEqual([]);
  });
});

describe("paths that a program prints", () => {
  test.each(["cat $(find)", "find | xargs cat", 'find | while read -r f; do cat "$f"; done'])(
    "are known as far as names can be told apart: %s",
    async (script) => {
      const of = async (each: Look) =>
        (
          await scriptPlan(script, {
            cwd: "/ws",
            home: null,
            look: each,
            table: tableWith({ xargs }),
          })
        ).effects.map(short);
      const sure = await of(look({}));
      expect(sure).toContain("r: /ws/src/**");
      expect(sure.filter((effect) => /\?/.test(effect))).toEqual([]);
      for (const unsure of [look({ oddNames: true }), look({ complete: false })])
        expect((await of(unsure)).some((effect) => /\?$/.test(effect))).toBe(true);
      expect(await of(look({ guarded: [{ path: "/ws/src/.env", folder: false }] }))).toContain("r: /ws/src/.env");
      expect(await of(look({ linked: [{ name: "l", to: "/etc/shadow" }] }))).toContain("r: /etc/shadow");
    },
  );

  test("are only those whose names match, and links only where they may be some", async () => {
    const find = (more: object) => () => declared({ prints: { kind: "paths", below: ["src"], end: "\n", ...more } });
    const found = look({
      guarded: [
        { path: "/ws/src/.env", folder: false },
        { path: "/ws/src/.ssh", folder: true },
      ],
      linked: [
        { name: "l.ts", to: "/etc/a" },
        { name: "l", to: "/etc/b" },
      ],
    });
    const of = async (more: object, script = "cat $(find)") =>
      (
        await scriptPlan(script, {
          cwd: "/ws",
          home: null,
          look: found,
          table: tableWith({ find: find(more) }),
        })
      ).effects
        .map(short)
        .filter((effect) => /^[rd]: /.test(effect));
    expect(await of({})).toEqual(["r: /ws/src/**", "r: /ws/src/.env", "r: /ws/src/.ssh", "r: /etc/a", "r: /etc/b"]);
    expect(await of({ only: ["*.ts"] })).toEqual(["r: /ws/src/**", "r: /ws/src/.ssh", "r: /etc/a"]);
    expect(await of({ only: ["*.ts"], regular: true })).toEqual(["r: /ws/src/**", "r: /ws/src/.ssh"]);
    // a folder may have that name
    expect(await of({ only: ["*.ts"] }, "grep -r x $(find)")).toContain("r: /ws/src/.env");
    expect(await of({ only: ["*.ts"] }, "rm $(find)")).not.toContain("d: /ws/src/.env");
    expect(await of({ only: ["*.ts"], regular: true }, "rm $(find)")).not.toContain("d: /ws/src/.env");
    expect(await of({ only: [".e?v"], regular: true })).toEqual(["r: /ws/src/**", "r: /ws/src/.env", "r: /ws/src/.ssh"]);
  });
});

test("a file that a program takes words from is looked into, as long as nothing was written", async () => {
  const planOf = async (script: string) =>
    (
      await scriptPlan(script, {
        cwd: "/ws",
        home: null,
        look: look({}),
        table: tableWith({ xargs }),
      })
    ).effects.map(short);
  const asFile = await planOf("xargs -a list.txt cat");
  expect(asFile).toEqual(["xargs -a list.txt cat", "r: /ws/list.txt", "cat src/a.ts src/b.ts", "r: /ws/src/a.ts", "r: /ws/src/b.ts"]);
  for (const script of [
    "xargs -a other.txt cat",
    "touch x; xargs -a list.txt cat",
    "cd $x; xargs -a list.txt cat",
    "xargs -a - cat < list.txt",
  ])
    expect((await planOf(script)).some((effect) => /\?$/.test(effect))).toBe(true);
});

describe("names in folders that links lead to", () => {
  test.each(["names -L src", "names $(find)", "find | xargs names"])("are read as well: %s", async (script) => {
    const names = plainProgram({ flags: "-L", operands: "names", follows: "-L" });
    const table = tableWith({ names, xargs });
    const found = look({ linked: [{ name: "l", to: "/etc" }] });
    expect((await scriptPlan(script, { cwd: "/ws", home: null, look: found, table })).effects.map(short)).toContain("r: /etc/**");
  });
});
