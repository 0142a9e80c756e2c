import { describe, expect, test } from "vitest";
import { shortPlan, smallLook } from "./plan-for-test.ts";

describe("names that wildcards with `**` may find", () => {
  const tree = {
    complete: true,
    ownComplete: true,
    guarded: [{ path: "/ws/src/.env", folder: false }],
    linked: [{ name: "out", to: "/outside" }],
    oddNames: false,
  };
  const planOf = async (script: string, changes: Partial<typeof tree> = {}) =>
    (await shortPlan(script, smallLook({ tree: async () => ({ ...tree, ...changes }) }))).filter((effect) => /^[rd?]/.test(effect));

  test.each([
    "shopt -s globstar nullglob; cat src/**/*.ts",
    'shopt -s globstar nullglob; for f in src/**/*.ts; do cat "$f"; done',
    "shopt -s globstar; cat src/**/[a]?.ts src/**/?.ts",
  ])("are read below the folder that is sure, by their last names: %s", async (script) => {
    const plain = await planOf(script, { linked: [] });
    expect(plain).toContain("r: /ws/src/**");
    expect(plain.includes("r: /ws/src/.env")).toBe(script.includes("["));
    expect(plain).not.toContain("?");
  });

  test("may lie behind a link to a folder, whatever its name", async () => {
    expect(await planOf("shopt -s globstar; cat src/**/*.ts")).toContain("r: /outside");
  });

  test.each(["src/.*", "src/**/.*", "src/.?", "src/*/.[.a]", "src/*/.[[:punct:]]*"])(
    "may lead out where they begin with a dot: %s",
    async (path) => {
      for (const first of ["shopt -u globskipdots", "shopt -s nullglob", "touch x", "w"])
        expect(await planOf(`${first}; grep -r x -- ${path}`)).toContain("?");
    },
  );

  test("may be any where the last name may be, where folders are read, or where there is more than was looked at", async () => {
    for (const script of ["cat src/**", "cat src/**/.e*", "cat src/**/.env", "grep -r x src/**/*.ts", "cat src/**/*"])
      expect(await planOf(`shopt -s globstar; ${script}`)).toContain("r: /ws/src/.env");
    expect(await planOf("shopt -s globstar; cat src/**/*.ts", { complete: false })).toContain("?");
    expect(await planOf("shopt -s globstar; cat -- src/**/../*.ts")).toContain("?");
  });
});
