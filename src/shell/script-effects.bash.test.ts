/** Against the real bash: what is taken to be literal words is run, with a function that prints its words in place of the program. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quoteWord } from "../base/words.ts";
import { scriptEffects } from "./index.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "collet-shell-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The only program of each script is `w`; nothing else can be found. `\x02` ends a word, `\x03` a command, `\x04` a script. */
const HARNESS = `
w() { local line; printf -v line '%s\\x02' w "$@"; printf '%s\\x03' "$line" >&9; }
PATH=/nowhere
while IFS= read -r -d '' script; do eval "$script" </dev/null >/dev/null 2>&1; printf '\\x04'; done 9>&1
`;

function runByBash(scripts: readonly string[]): readonly (readonly (readonly string[])[])[] {
  const input = scripts.map((script) => `${script}\0`).join("");
  const env = { LC_ALL: "C.UTF-8", HOME: "/home-of-nobody", PATH: process.env.PATH };
  const { stdout, status } = spawnSync("bash", ["--noprofile", "--norc", "-c", HARNESS], {
    input,
    env,
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  expect(status).toBe(0);
  const runs = stdout.split("\x04").slice(0, -1);
  return runs.map((run) =>
    run
      .split("\x03")
      .slice(0, -1)
      .map((line) => line.split("\x02").slice(0, -1)),
  );
}

/** Words by our reading, or `null` when there is more in the script than calls of `w` that all run. */
async function wordsByUs(script: string): Promise<readonly (readonly string[])[] | null> {
  const effects = await scriptEffects(script, { cwd: folder });
  const commands = effects.map((effect) => (effect.kind === "command" && effect.argv[0] === "w" ? effect.argv : null));
  return commands.includes(null) ? null : (commands as (readonly string[])[]);
}

const PIECES = [
  "a",
  "b",
  "2",
  " ",
  " ",
  "\t",
  "\n",
  "'",
  '"',
  "\\",
  "\\\n",
  "$",
  "`",
  "~",
  "~/",
  "=",
  ":",
  "#",
  "*",
  "?",
  "[",
  "]",
  "{",
  "}",
  ",",
  "..",
  "!",
  "^",
  "@",
  "%",
  "+",
  "-",
  "é",
  "\u00a0",
  "☕",
  "$'",
  "\\x41",
  "\\n",
  "\\'",
  "''",
  '""',
  "'b c'",
  '"b c"',
  "; w ",
  "\nw ",
  "&& w ",
  "|& w ",
  "| w ",
  "# c\n",
  "<",
  ">&2",
  "2>&1",
  ">/dev/null",
  "(",
  ")",
  "&",
  ";",
  "\\ ",
  "\\$",
  "x=",
  "time",
  "if",
];

test("what we take for literal words is what bash passes on", async () => {
  const samples = fc.sample(
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((pieces) => `w ${pieces.join("")}`),
    { numRuns: 800 },
  );
  const judged = await Promise.all(samples.map(async (script) => ({ script, words: await wordsByUs(script) })));
  // bash may write a line at a time, so commands of a pipeline could print into each other
  const literal = judged.filter(({ script, words }) => words !== null && !(script.includes("|") && words.flat().join("").includes("\n")));
  expect(literal.length).toBeGreaterThan(150);
  const byBash = runByBash(literal.map(({ script }) => script));
  const differences = literal.flatMap(({ script, words }, index) => {
    // commands of a pipeline end in any order
    const sorted = (list: unknown): string =>
      JSON.stringify(script.includes("|") && Array.isArray(list) ? [...list].map((item) => JSON.stringify(item)).sort() : list);
    return sorted(words) === sorted(byBash[index]) ? [] : [{ script, words, bash: byBash[index] }];
  });
  expect(differences).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test("bash reads a quoted word back as it is", () => {
  const word = fc.string({ unit: "binary", maxLength: 12 }).filter((text) => !/[\0-\x04\x7f\p{Cs}]/u.test(text));
  const words = [...fc.sample(word, { numRuns: 300 }), "", "a b", "*", "$", "~", "it's", "'", "\n", "\\", "-n", "\x1b[0m'\\", "{a,b}", "é"];
  expect(runByBash(words.map((each) => `w ${quoteWord(each)}`))).toEqual(words.map((each) => [["w", each]]));
});
