// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash
/**
 * Against the real bash: scripts of all that the evaluator follows are run, with a function `w` that tells its words and its folder. Whatever
 * bash runs must be in the plan, with these words in that folder; whatever file it makes must be planned as a write.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandEffect, Effect } from "../base/effect.ts";
import { scriptPlan } from "./index.ts";
import { SMALL_TABLE, short, smallLook } from "./plan-for-test.ts";

let folder = "";
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "collet-shell-")));
  mkdirSync(join(folder, "src/deep"), { recursive: true });
  mkdirSync(join(folder, "out"));
  for (const name of ["a.ts", "b.ts", ".hidden", "src/c.ts", "src/-x", "src/deep/d.ts", "q r"]) writeFileSync(join(folder, name), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kind = (path: string) => (existsSync(path) ? (statSync(path).isDirectory() ? "folder" : "file") : "none");
const look = smallLook({
  kind: async (path) => kind(path),
  names: async (path) => (kind(path) === "folder" ? readdirSync(path) : null),
  text: async () => null,
  tree: async () => ({ complete: true, readComplete: true, ownComplete: true, guarded: [], linked: [], oddNames: false }),
  program: async () => "trusted",
  variables: {},
});

/** `\x02` ends a word, `\x03` a command, `\x04` a script. Nothing but `w` and what bash has built in can be found. */
const HARNESS = `
tell() { local IFS= line; printf -v line '%s\\x02' "$PWD" "$@"; printf '%s\\x03' "$line" >&9; }
w() { tell w "$@"; [ "\${!#}" != n ]; }
./w() { tell ./w "$@"; }
PATH=/nowhere
while IFS= read -r -d '' script; do
  ( ulimit -t 1; eval "$script" ) </dev/null >/dev/null 2>&1
  for f in out/* out/.o*; do [ -e "$f" ] && printf 'made\\x02%s\\x02\\x03' "$f"; done
  /bin/rm -rf out/*
  printf '\\x04'
done 9>&1
`;

function runByBash(scripts: readonly string[]): readonly (readonly (readonly string[])[])[] {
  const { stdout, status } = spawnSync("bash", ["--noprofile", "--norc", "-c", HARNESS], {
    input: scripts.map((script) => `${script}\0`).join(""),
    env: { LC_ALL: "C.UTF-8", HOME: "/home-of-nobody", PATH: process.env.PATH },
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    timeout: 100_000,
  });
  expect(status).toBe(0);
  const items = (text: string, end: string): readonly string[] => text.split(end).slice(0, -1);
  return items(stdout, "\x04").map((run) => items(run, "\x03").map((line) => items(line, "\x02")));
}

/** True when a command that ran is the planned one; a word that is not known stands for any number of words. */
function covers(effect: CommandEffect, cwd: string, words: readonly string[]): boolean {
  const { argv, dynamic = [] } = effect;
  const matches = (at: number, from: number): boolean => {
    if (at === argv.length) return from === words.length;
    if (!dynamic.includes(at)) return words[from] === argv[at] && matches(at + 1, from + 1);
    for (let end = from; end <= words.length; end += 1) if (matches(at + 1, end)) return true;
    return false;
  };
  // of a bare name only the likeliest folder is told
  return (effect.cwd === cwd || !words[0]?.includes("/")) && matches(0, 0);
}

const PIECES =
  'a|b|a.ts|src|-v|\'q r\'|"q r"|\\*|$x|"$x"|$y|"$y"|${x:-d}|"${y:-d e}"|${x:+s}|${x%.ts}|${y##*/}|${x/a/c}|${y^^}|${x:0:1}|*.ts|*|.*|src/*|s*/*.ts|[ab].ts|[!a]*|?.ts|{a,b}|{1..3}|{b,$x}|~|~/z|$(echo p q)|"$(echo p q)"|`echo t`|$((1+2))|$((i+1))|$#|"$@"|$@|$1|"$*"|${#x}|"${a[@]}"|${a[1]}|${a[*]}|$a|$\'\\t\'|\\\\|$(w s)|$(cd src; pwd)|${!x}|$u|"$u"|=~|x=$x|\'\'|""|<(:)|$(printf \'%s \' m "$x")|${x:=e}|${u:=f}|"${y:=h i}"|${u?}|${x:-${u:=v}}|$((x=3))|$((0&&(i=7)))|$((1/i))|$((i/0))|$((i?(i=4):5))|$(exit;echo l)|$(echo o;exit)|$(echo c </none)|$(<a.ts)|${x:0:i}|${a[i]}|${a[-9]}|${x:0:-9}|$(return;echo k)|$(set -e;false;echo r)|$(a=${u?} echo v)'.split(
    /\|(?![^<({]*[)}])/,
  );
const piece = fc.constantFrom(...PIECES);
const word = fc.oneof(
  { weight: 4, arbitrary: piece },
  fc.tuple(piece, piece).map(([one, two]) => one + two),
);
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((all) => all.join(" "));

const { script } = fc.letrec<{ script: string; command: string; simple: string }>((tie) => ({
  simple: fc.oneof(
    { weight: 5, arbitrary: words.map((text) => `w ${text}`) },
    fc.tuple(fc.constantFrom("x", "y", "x", "i"), word).map(([name, text]) => `${name}=${text}`),
    word.map((text) => `x+=${text}`),
    words.map((text) => `a=(${text})`),
    words.map((text) => `set -- ${text}`),
    words.map((text) => `./w ${text}`),
    words.map((text) => `w 1 > out/${text.length}`),
    word.map((text) => `printf -v y %s ${text}`),
    word.map((text) => `read -r x <<< ${text}`),
    word.map((text) => `x=k w ${text}`),
    word.map((text) => `w ${text} <<E >out/h\n$x $(w d) \\$y\nE\n`),
    word.map((text) => `declare x=${text}`),
    word.map((text) => `declare -g y=${text}`),
    word.map((text) => `local x=${text} y`),
    word.map((text) => `declare -${text.length % 2 ? "l" : "u"} x; x=${text}`),
    word.map((text) => `: ${text}; x=z`),
    word.map((text) => `TZ=${text} DEBUG=$TZ w`),
    word.map((text) => `[[ a == a || ${text} == b ]]`),
    word.map((text) => `[[ $x == a && -n ${text} ]]`),
    fc
      .tuple(words, fc.constantFrom("</none", "<&9", ">/none/x", ">&7", "2>/dev/null", "<a.ts", "<<< $x"))
      .map(([text, redirect]) => `set -- ${text} ${redirect}`),
    fc.tuple(word, fc.constantFrom("</none", "<&8", ">/none/x", "2>/dev/null", "<a.ts")).map(([text, redirect]) => `x=${text} ${redirect}`),
    word.map((text) => `export y=${text}`),
    word.map((text) => `eval w '$x' ${text}`),
    word.map((text) => `trap 'w t $x ${text.replaceAll("'", "")}' EXIT`),
    fc.constantFrom(
      "shift",
      "unset x",
      "cd src",
      "cd ..",
      "cd -",
      "cd $x",
      "cd",
      "cd src/deep",
      "cd none",
      "pushd src",
      "popd",
      "i=$((i+1))",
      "((i++))",
      "let i=i+2",
      "w n",
      "! w",
      "w",
      "break",
      "continue",
      "readonly x",
      "local x=l",
      "return",
      "set -f",
      "set -e",
      "set -u",
      "mapfile a <<< $x",
      "unset -f g",
      "a+=(z)",
      "a[1]=$x",
      ":",
      "exit",
      "readonly x; x=r",
      "readonly y",
      "unset y",
      "g() { unset x; }; g",
      "gg() { local x=G; hh; }; hh() { unset x; w $x; }; gg",
      "((0 && (x=5)))",
      "((1 || (i=5)))",
      "((i = x ? (j=2) : 3))",
      "((y=1/0, x=5))",
      "let y=0 z=1/y x=5",
      "a[-9]=1",
      "declare -A m; m[k]=v; x=${m[k]}",
      "printf %n x",
      "shift 9",
      "set +e",
      "TZ=$x; TZ=k",
      "f=s; ${u?}; f=t",
      "exec 2>&-",
      "x=$(<a.ts)",
    ),
  ),
  command: fc.oneof(
    { maxDepth: 3 },
    { weight: 6, arbitrary: tie("simple") },
    fc.tuple(tie("simple"), fc.constantFrom("&&", "||", "|", ";"), tie("command")).map((parts) => parts.join(" ")),
    tie("script").map((body) => `{ ${body}\n}`),
    tie("script").map((body) => `( ${body}\n)`),
    fc
      .tuple(tie("script"), fc.constantFrom("</none", "<&8", ">/none/x", ">&7", "2>/dev/null", "<a.ts", ">&2"))
      .map(([body, redirect]) => `{ ${body}\n} ${redirect}`),
    fc.tuple(tie("script"), fc.constantFrom("</none", "2>/none/x", "2>&1")).map(([body, redirect]) => `h() { ${body}\n}; h a ${redirect}`),
    tie("command").map((body) => `eval '${body.replaceAll("'", "'\\''")}'`),
    fc.tuple(tie("simple"), tie("script"), tie("script")).map(([test, yes, no]) => `if ${test}; then ${yes}\nelse ${no}\nfi`),
    fc.tuple(fc.constantFrom("x", "y"), words, tie("script")).map(([name, text, body]) => `for ${name} in ${text}; do ${body}\ndone`),
    tie("script").map((body) => `j=0; while [ $j -lt 2 ]; do j=$((j+1)); ${body}\ndone`),
    tie("script").map((body) => `for ((k=0; k<2; k++)); do ${body}\ndone`),
    fc.tuple(tie("script"), words).map(([body, text]) => `g() { ${body}\n}; g ${text}`),
    fc.tuple(word, tie("script"), tie("script")).map(([text, one, two]) => `case ${text} in a|*.ts) ${one}\n;; *) ${two}\n;; esac`),
    tie("command").map((body) => `[[ $x == a* ]] && ${body}`),
    tie("command").map((body) => `w "$(${body})"`),
  ),
  script: fc.array(tie("command"), { minLength: 1, maxLength: 3 }).map((all) => all.join("\n")),
}));

const isUnclear = (effects: readonly Effect[]): boolean => effects.some((effect) => effect.kind === "unknown" && effect.commands);

test("whatever bash runs is in the plan", { timeout: 120_000 }, async () => {
  const numRuns = Number(process.env.COLLET_BASH_RUNS ?? 300);
  const seed = Number(process.env.COLLET_BASH_SEED ?? Date.now() % 2 ** 31);
  const samples = fc.sample(script, { numRuns, seed });
  const planned = await Promise.all(
    samples.map(async (text) => ({
      text,
      ...(await scriptPlan(text, { cwd: folder, home: "/home-of-nobody", look, table: SMALL_TABLE })),
    })),
  );
  const clear = planned.filter(({ effects }) => !isUnclear(effects));
  expect(clear.length).toBeGreaterThan(numRuns / 3);
  const byBash = runByBash(clear.map(({ text }) => text));
  expect(byBash).toHaveLength(clear.length);
  const missed = clear.flatMap(({ text, effects }, index) => {
    const commands = effects.filter((effect) => effect.kind === "command");
    const isPlanned = ([cwd = "", ...argv]: readonly string[]): boolean => {
      if (cwd !== "made") return commands.some((effect) => covers(effect, cwd, argv));
      return (
        effects.some((effect) => effect.kind === "file.write" && effect.path.endsWith(`/${argv[0]}`)) ||
        effects.some(({ kind }) => kind === "unknown")
      );
    };
    const odd = (byBash[index] ?? []).filter((run) => !isPlanned(run)).map((run) => run.join(" "));
    return odd.length === 0 ? [] : [{ text, odd, planned: effects.map(short) }];
  });
  expect({ seed, missed: missed.slice(0, 3) }).toEqual({ seed, missed: [] });
});
