import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { scriptPlan } from "./index.ts";
import { SMALL_TABLE, shortPlan, smallLook } from "./plan-for-test.ts";

describe("names that wildcards with `**` may find", () => {
  const tree = {
    complete: true,
    readComplete: true,
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
    expect(await planOf("shopt -s globstar; cat src/**/*.ts", { complete: false, readComplete: false })).toContain("?");
    expect(await planOf("shopt -s globstar; cat -- src/**/../*.ts")).toContain("?");
  });
});

describe("extended patterns", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "collet-patterns-")));
  mkdirSync(join(folder, "src/deep"), { recursive: true });
  for (const name of ["a.ts", "b.ts", "ab.js", ".hidden", ".a.ts", "src/c.ts", "src/.env", "src/deep/d.ts", "a.b.js"])
    writeFileSync(join(folder, name), "");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const kind = (path: string) => (existsSync(path) ? (statSync(path).isDirectory() ? "folder" : "file") : "none");
  const look = smallLook({ kind: async (path) => kind(path), names: async (path) => (kind(path) === "folder" ? readdirSync(path) : null) });
  const planned = async (script: string) => (await scriptPlan(script, { cwd: folder, home: null, look, table: SMALL_TABLE })).effects;
  const ON = "shopt -s extglob\n";

  const VAGUE = [
    "a*!(.ts)x",
    "a?(.b).js",
    "!(.hidden)",
    "@(.a|b).ts",
    "?(.)a.ts",
    "+(a|b).ts",
    "*(a|b)*.ts",
    "!(*.ts)",
    "[ab]!(b).js",
    "!(a|)",
  ];

  test.each([
    ...VAGUE,
    "!(a.ts)",
    "!(src|a.ts|none)",
    "src/!(c.ts)",
    "!(src)/*.ts",
    "*/!(deep)",
    "*.!(js)",
    "@(a|b).ts",
    "@(src|none)/*.ts",
    "a?(b).js",
    "x!(a)",
    "none@(a|b)",
    "src/@(a|b)",
    "'!'!(a) !(b)",
  ])("find what bash finds, or it is not known: %s", async (pattern) => {
    const effects = await planned(`${ON}w ${pattern}`);
    expect(effects.filter((effect) => effect.kind === "unknown")).toEqual([]);
    const command = effects.find((effect) => effect.kind === "command" && effect.argv[0] === "w");
    if (command?.kind !== "command") throw new Error("it is not planned");
    const { stdout } = spawnSync("bash", ["--noprofile", "--norc", "-c", `${ON}printf '%s\\0' ${pattern}`], {
      cwd: folder,
      encoding: "utf8",
      env: { LC_ALL: "C.UTF-8" },
    });
    expect(command.dynamic !== undefined).toBe(VAGUE.includes(pattern));
    if (!VAGUE.includes(pattern)) expect(command.argv.slice(1)).toEqual(stdout.split("\0").slice(0, -1));
  });

  test("that are not plain stand for what lies below their folder, and may lead out", async () => {
    expect(await shortPlan(`${ON}touch x; cat src/!(c.ts)`)).toContain("r: /ws/src/**");
    expect(await shortPlan(`${ON}cat -- src/@(.|..)`)).toContain("?");
  });

  test.each([
    "w !(a)",
    "shopt -s extglob; w !(a)",
    "w\nw !(a)\nshopt -s extglob",
    "(shopt -s extglob\nw !(a))",
    "w && shopt -s extglob\nw !(a)",
    `${ON}!(w)`,
    `${ON}eval '!(w)'`,
    `${ON}if w && !(w); then w; fi`,
    `${ON}w; !(w) b`,
    `${ON}x=!(a)`,
    `${ON}x=(!(a))`,
    `${ON}w > !(a)`,
    `${ON}w @($(rm f))`,
    `${ON}w @("a"|b)`,
    `${ON}w !(a|!(b))`,
    `${ON}w $(w !(a))`,
    `${ON}sh -c 'w !(a)'`,
    `${ON}case a in !(a)) w;; esac`,
    `${ON}w {a,!(b)}`,
    `${ON}w <<E\n$(w !(a))\nE`,
    `${ON}shopt -u extglob\nw`,
    "sh -c 'shopt -s extglob\nw !(a)'",
  ])("are not understood elsewhere: %j", async (script) => {
    expect((await planned(script)).some((effect) => effect.kind === "unknown" && effect.commands)).toBe(true);
  });

  test("out of a variable are not known", async () => {
    const effects = await planned(`${ON}x='@(a|b).ts'; y=s; w $x; w "$x"; w f$y; unset y; w \${y:-!(b)}`);
    const words = effects.flatMap((effect) => (effect.kind === "command" && effect.argv[0] === "w" ? [effect] : []));
    expect(words).toMatchObject([{ dynamic: [1] }, { argv: ["w", "@(a|b).ts"] }, { argv: ["w", "fs"] }, { dynamic: [1] }]);
    expect(words[1]).not.toHaveProperty("dynamic");
  });
});
