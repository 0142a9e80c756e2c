// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Effect } from "../base/effect.ts";
import { quoteWord } from "../base/words.ts";
import { MAX_SCRIPT_LENGTH } from "./index.ts";
import { planOf } from "./plan-for-test.ts";

const isUnclear = (effects: readonly Effect[]): boolean => effects.some((effect) => effect.kind === "unknown" && effect.commands);

test("quoted words come back as they were", async () => {
  const text = fc
    .oneof(
      fc.string({ unit: "binary" }),
      fc.string(),
      fc.constantFrom("*", "$", "~", "a b", "'", '"', "\\", "{a,b}", "\n", "-n", "$(rm f)"),
    )
    .filter((each) => !/[\0\x01\x7f\p{Cs}]/u.test(each));
  const argv = fc.array(text, { maxLength: 4 }).map((rest) => ["w", ...rest]);
  const operator = fc.constantFrom("\n", ";", " && ", "||", "|", " |& ", " & ");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(argv, operator), { minLength: 1, maxLength: 4 }), async (commands) => {
      const script = commands.map(([words, behind]) => words.map(quoteWord).join(" ") + behind).join("");
      const { effects } = await planOf(script.replace(/(?: && |\|\||\|| \|& )$/, ""));
      expect(effects).toEqual(commands.map(([words]) => ({ kind: "command", sure: "declared", argv: words, cwd: "/ws" })));
    }),
    { numRuns: 300 },
  );
});

const PIECES =
  "a ~ \n ; & | < > ( ) { } ' \" ` $ \\ # * ? [ ] = ! 2 - , .. if then fi for in do done case esac while cd \r é \0 << <<- EOF E $( $(( )) (( [[ ]] ${ ${x:- @ % / : x=1 x=( $x $@ $1 == -eq >& <& 2> {a,b} eval trap function f() ;; \u00a0 exec set export declare".split(
    " ",
  );
const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...PIECES, " ", " "), { maxLength: 40 }).map((pieces) => pieces.join("")) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join(" ")) },
  fc.string({ unit: "binary", maxLength: 80 }),
);

test("no text makes it throw", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (script) => {
      expect(Array.isArray((await planOf(script)).effects)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

describe("what is denied stays in sight", () => {
  /** Ways to write, wrap and hide one and the same command. */
  const { form } = fc.letrec<{ form: string }>((tie) => ({
    form: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        "rm f",
        "r\\m f",
        "'rm' f",
        '"rm" f',
        "$'\\x72m' f",
        "r''m\tf",
        "rm \\\n f",
        "x=rm; $x f",
        "x='rm f'; $x",
        "{rm,f}",
        "$(echo rm) f",
        "$(echo rm f)",
        "`echo rm` f",
      ),
      tie("form").map((text) => `{ ${text}\n}`),
      tie("form").map((text) => `(${text}\n)`),
      tie("form").map((text) => `w "$(${text}\n)"`),
      tie("form").map((text) => `w <(${text}\n)`),
      tie("form").map((text) => `if w; then w; else ${text}\nfi`),
      tie("form").map((text) => `for i in a b; do ${text}\ndone`),
      tie("form").map((text) => `while w; do ${text}\ndone`),
      tie("form").map((text) => `case a in b) ${text}\n;; esac`),
      tie("form").map((text) => `w && ${text}`),
      tie("form").map((text) => `w | ${text}`),
      tie("form").map((text) => `{ f() { ${text}\n}; f\n}`),
      tie("form").map((text) => `eval ${quoteWord(text)}`),
      tie("form").map((text) => `bash -c ${quoteWord(text)}`),
      tie("form").map((text) => `trap ${quoteWord(text)} EXIT`),
      tie("form").map((text) => `x=$(${text}\n)`),
      tie("form").map((text) => `[[ -n $(${text}\n) ]]`),
      tie("form").map((text) => `w <<E\n$(${text}\n)\nE`),
      tie("form").map((text) => `w \${y:-$(${text}\n)}`),
      tie("form").map((text) => `w; ${text} &\nw`),
      tie("form").map((text) => `exec 3> >(${text}\n)`),
      tie("form").map((text) => `coproc { ${text}\n}`),
    ),
  }));

  test("however it is written", async () => {
    await fc.assert(
      fc.asyncProperty(form, async (script) => {
        const { effects } = await planOf(script);
        const isSeen = effects.some((effect) => effect.kind === "command" && effect.argv[0] === "rm" && effect.argv[1] === "f");
        expect(isSeen || isUnclear(effects)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

test.each(
  [
    "$(",
    "(",
    "{ ",
    "`",
    '"',
    'echo "$(',
    "a && ",
    "<<A\n",
    "a|",
    "\\\n",
    "a 2>",
    "[[ ",
    "((",
    "${x:-",
    "#",
    "'",
    "{a,",
    "{a,b}",
    "a;",
    '"$a" ',
    "x=a$x\n",
    "[a]*",
    "~",
    "x=( ",
    "for ((;;)) do ",
    "cat <<A\n$x\nA\n",
  ].map((unit) => [unit]),
)("64 Ki of %j end soon", async (unit) => {
  await planOf("w");
  const started = process.cpuUsage();
  await planOf(unit.repeat(Math.floor(MAX_SCRIPT_LENGTH / unit.length)));
  // of the processor: the clock of a busy machine says nothing; mostly it is below 50 ms
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
});
