import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Input } from "../doing.ts";
import type { Word } from "../word.ts";
import { GIT } from "./git.ts";
import { gitSettingThatRuns } from "./git-settings.ts";
import { LANGUAGES } from "./languages.ts";
import { NETWORK } from "./network.ts";
import { RUNNERS } from "./runners.ts";

const TABLE = { ...GIT, ...NETWORK, ...RUNNERS, ...LANGUAGES };

const PIECES =
  "log diff show grep branch config clone clean checkout rebase bisect remote stash -C -c -p -n -O -f -I{} {} -0 -d --output= --no-index -- - -o @f @ : :: " +
  "http://a/ git@a:b ext::x .. ../x /x .env HEAD HEAD:x %G? --format= -i -u -S A=1 run foreach -x -e -K --url -b -F =@ ; = \\ ' \" $ \u0000 é";

const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES.split(" ")), fc.string({ maxLength: 4 })), { maxLength: 3 })
  .map((parts) => parts.join(""));
const word: fc.Arbitrary<Word> = fc.oneof(
  { weight: 4, arbitrary: text.map((value): Word => ({ known: true, value })) },
  { weight: 1, arbitrary: fc.record({ known: fc.constant(false as const), raw: text, single: fc.boolean(), prefix: text }) },
  {
    weight: 1,
    arbitrary: fc.record({
      known: fc.constant(false as const),
      raw: text,
      single: fc.boolean(),
      prefix: text,
      below: fc.array(text, { minLength: 1, maxLength: 2 }),
    }),
  },
);
const stdin: fc.Arbitrary<Input> = fc.oneof(
  fc.constantFrom<Input>({ kind: "empty" }, { kind: "unknown" }, { kind: "paths", below: ["a"], end: "\0" }),
  text.map((value): Input => ({ kind: "text", text: value })),
);

describe("rows of the table of programs", () => {
  test("never throw, and never declare what cannot be told", () => {
    const rows = Object.entries(TABLE);
    fc.assert(
      fc.property(fc.constantFrom(...rows), fc.array(word, { maxLength: 6 }), stdin, ([name, program], args, input) => {
        const doing = program({ name, args, stdin: input });
        if (doing.sure === "declared") expect(doing.unknown).toBeNull();
      }),
      { numRuns: 20_000 },
    );
  });

  test.each(["/", ":", "a:", "-", "=", ".", "../", "%", "@", "'", "\\", " ", "a-", "[", "http://a/?", "\n", "{"])(
    "stay quick with a word of many %j",
    (piece) => {
      const long = piece.repeat(Math.floor(65_000 / piece.length));
      const forms = [
        [long],
        [`${long}x`],
        [`http://a/${long}`],
        ["-o", long],
        ["clone", `x${long}y`],
        ["log", `--format=%${long}`],
        ["--", `${long}\n`],
        ["-E", `${long}/`, "http://a/"],
      ];
      const start = performance.now();
      for (const [name, program] of Object.entries({
        ...GIT,
        ...NETWORK,
        env: RUNNERS.env,
        xargs: RUNNERS.xargs,
        bash: RUNNERS.bash,
        timeout: RUNNERS.timeout,
      })) {
        for (const form of forms)
          program?.({ name, args: form.map((value): Word => ({ known: true, value })), stdin: { kind: "text", text: `${long}x` } });
      }
      gitSettingThatRuns(`[a "${long}"]\nb = ${long}`);
      expect(performance.now() - start).toBeLessThan(1500);
    },
  );
});
