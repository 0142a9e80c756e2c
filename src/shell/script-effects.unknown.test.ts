import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Effect } from "../base/effect.ts";
import { quoteWord } from "../base/words.ts";
import { MAX_SCRIPT_LENGTH, scriptEffects } from "./index.ts";

const CWD = "/ws";
const effectsOf = (script: string): Promise<readonly Effect[]> => scriptEffects(script, { cwd: CWD });
const command = (...argv: string[]): Effect => ({ kind: "command", sure: "open", argv, cwd: CWD });

describe("scriptEffects of anything else is one unknown", () => {
  test.each([
    "echo $HOME",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash
    "echo ${x}",
    'echo "$x"',
    "echo $(id)",
    "echo `id`",
    "echo $((1))",
    'echo "$(id)"',
    "X=$(touch made.txt) echo hi",
    "FOO=1 npm test",
    "A=1",
    "a=(1 2)",
    "PATH+=:/x ls",
    "rm *.ts",
    "rm a?",
    "rm [ab]",
    "echo a[0]",
    "echo {a,b}",
    "echo {1..3}",
    "echo ~",
    "echo ~/x",
    "echo a=~/x",
    "echo P=a:~",
    "cat ~root/x > f",
    "a > ~/x",
    "(a)",
    "{ a; }",
    "if a; then b; fi",
    "for x in a; do b; done",
    "while a; do b; done",
    "case a in b) c;; esac",
    "f() { a; }",
    "function f { a; }",
    "[[ -f x ]]",
    "((1))",
    "select x in a; do b; done",
    "coproc a",
    "time a",
    "! a",
    "a & b",
    "a &",
    "cat <<EOF\nx\nEOF",
    "cat <<< x",
    "cat <(a)",
    "a > >(b)",
    "{fd}>f a",
    "a >&f",
    "a >& $x",
    "a 1>&-",
    "a 2>&1-",
    "a <&x",
    "a > $x",
    "a > *",
    "a > ''",
    "a > /dev/tcp/x",
    "a > /dev/udp/h/p",
    "a 12345>f",
    "a\r\nb",
    "a\u00a0b",
    "a \u2028 b",
    "a\0b",
    "a \x1b[0m",
    "a \x07",
    "a \ud800",
    "a 'b",
    'a "b',
    "a $(",
    "a \\",
    "a &&",
    "| a",
    "a;;b",
    "a ; ; b",
    "a)",
    "if",
    "''",
    "'' a",
    "$X a",
    "r? x",
    "/bin/r[m] x",
    '$"a"',
    "a $'\\c[' b",
    "a $'\\0' b",
    "a $'\\xff'",
    "@(a|b)",
    "!(a)",
    "ec\\\nho a",
    "i\\\nf a",
    "a &\\\n& b",
    "a\\\n#b",
    "x=1 >f",
    "a[1]=2 b",
    "=(ls) )",
    "a b() c",
    "echo a;&",
    "a |",
    "\\",
  ])("%j", async (script) => {
    expect(await effectsOf(script)).toEqual([{ kind: "unknown", sure: "open", reason: expect.stringContaining("not understood") }]);
  });

  test.each([
    ["for i in 1; do a; done", "a for loop"],
    ["if a; then b; fi", "an if"],
    ["( a )", "a subshell"],
    ["[[ -n a ]]", "a [[ … ]]"],
  ])("%j is told in words of people", async (script, words) => {
    expect(await effectsOf(script)).toMatchObject([{ reason: expect.stringContaining(`it holds ${words}`) }]);
  });

  test("a script of more commands than anybody would read", async () => {
    expect(await effectsOf("a\n".repeat(1001))).toMatchObject([{ kind: "unknown" }]);
    expect(await effectsOf("a\n".repeat(1000))).toHaveLength(1000);
  });

  test("a script that is too long", async () => {
    expect(await effectsOf(`echo ${"a".repeat(MAX_SCRIPT_LENGTH)}`)).toMatchObject([{ kind: "unknown" }]);
    expect(await effectsOf(`echo ${"a".repeat(MAX_SCRIPT_LENGTH - 5)}`)).toMatchObject([{ kind: "command" }]);
  });
});

describe("a command that does more than its name says", () => {
  test.each([
    "eval 'rm x'",
    ". ./x",
    "source x",
    "exec ls",
    "trap 'rm x' EXIT",
    "builtin cd /",
    "command rm x",
    "alias ls='rm -rf x'",
    "shopt -s expand_aliases",
    "export PATH=x",
    "unset x",
    "read x",
    "let 'a[$(x)]'",
    "test -v 'a[$(x)]'",
    "[ -v 'a[$(x)]' ]",
    "printf -v 'a[$(x)]' b",
    "set -k",
    "set -- a",
    "hash -p ./evil ls",
    "enable -f ./x.so y",
    "jobs -x rm x",
    "wait -p 'a[$(x)]' 1",
    "mapfile -C rm x",
    "xargs touch",
    "env rm x",
    "/usr/bin/env rm x",
    "sudo rm",
    "timeout 5 rm x",
    "nice rm x",
    "nohup rm x",
    "sh -c 'rm x'",
    "bash -lc 'rm x'",
    "bash +c 'rm'",
    "sh",
    "find . -exec rm {} +",
    "find . -ok rm",
    "git -c alias.x=!rm x",
    "git -C . -c a.b=c x",
    "git --exec-path=/x y",
    "jobs -rx rm x",
    "jobs -sx rm x",
    "linux64 rm x",
    "split --filter=sh x",
    "git --namespace x -c a.b=c y",
    "git --work-tree . -c a.b=c y",
    "git --attr-source HEAD -c a.b=c y",
    "git -p log",
    "bash -e",
    "bash -",
    "bash --",
    "bash -o errexit",
    "sh /dev/stdin",
    "bash /proc/self/fd/0",
    "git --git-dir=/x y",
    "compgen -C rm",
  ])("%j has an unknown beside the command", async (script) => {
    const effects = await effectsOf(script);
    expect(effects.map(({ kind }) => kind)).toEqual(["command", "unknown"]);
  });

  test("a pipe to xargs", async () => {
    expect(await effectsOf("echo made.txt | xargs touch")).toMatchObject([
      { kind: "command", argv: ["echo", "made.txt"] },
      { kind: "command", argv: ["xargs", "touch"] },
      { kind: "unknown", reason: expect.stringContaining("xargs") },
    ]);
  });
});

describe("properties", () => {
  const wordText = fc
    .oneof(fc.string({ unit: "binary" }), fc.string(), fc.constantFrom("*", "$", "~", "a b", "'", '"', "\\", "{a,b}", "\n", "-n"))
    .filter((text) => !/[\0\x01\x7f\p{Cs}]/u.test(text));
  const argv = fc.tuple(fc.constantFrom("ls", "npm", "./x"), fc.array(wordText, { maxLength: 4 })).map(([name, rest]) => [name, ...rest]);

  test("quoted words come back as they were", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(argv, fc.constantFrom("\n", ";", " && ", "||", "|", " |& ")), { minLength: 1, maxLength: 4 }),
        async (commands) => {
          const script = commands.map(([words, operator]) => words.map(quoteWord).join(" ") + operator).join("");
          const effects = await effectsOf(script.replace(/(?: && |\|\||\|| \|& )$/, ""));
          expect(effects).toEqual(commands.map(([words]) => command(...words)));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("nothing makes it throw", async () => {
    const piece = fc.constantFrom(
      "a",
      " ",
      "\n",
      ";",
      "&",
      "|",
      "<",
      ">",
      "(",
      ")",
      "{",
      "}",
      "'",
      '"',
      "`",
      "$",
      "\\",
      "#",
      "~",
      "*",
      "[",
      "]",
      "=",
      "!",
      "2",
      "-",
      ",",
      "if",
      "fi",
      "cd",
      "\r",
      "é",
      "\0",
      "<<",
      "EOF",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
          fc.string({ unit: "binary", maxLength: 80 }),
        ),
        async (script) => {
          expect(Array.isArray(await effectsOf(script))).toBe(true);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test.each([
    ["$("],
    ["("],
    ["{ "],
    ["`"],
    ['"'],
    ['echo "$('],
    ["a && "],
    ["<<A\n"],
    ["a|"],
    ["\\\n"],
    ["a 2>"],
    ["[[ "],
    ["(("],
    ["${x:-"],
    ["#"],
  ])("64 Ki of %j end soon", async (unit) => {
    const started = process.cpuUsage();
    await effectsOf(unit.repeat(Math.floor(MAX_SCRIPT_LENGTH / unit.length)));
    // of the processor: the clock of a busy machine says nothing
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  });
});
