// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash
import { describe, expect, test } from "vitest";
import { quoteWord } from "../base/words.ts";
import { commandPlan } from "./index.ts";
import { planOf, SMALL_TABLE, shortPlan, smallLook } from "./plan-for-test.ts";

type Row = readonly [script: string, effects: readonly string[]];

describe("simple commands", () => {
  test.each<Row>([
    ["", []],
    ["# only a comment", []],
    ["cat a.ts", ["cat a.ts", "r: /ws/a.ts"]],
    ["a; b\nw && d || e | f |& g", ["a?", "b?", "w", "d?", "e?", "f?", "g?"]],
    ["w \\\n  b # why\n\n# more\nw;", ["w b", "w"]],
    ["r''m \"a\"; $'\\x72m' b", ["rm a", "d: /ws/a", "rm b", "d: /ws/b"]],
    ["./cat x; absent y; /bin/cat z", ["./cat x?", "r: /ws/x", "absent y?", "/bin/cat z", "r: /ws/z"]],
    ["cat ../x .//y /z", ["cat ../x .//y /z", "r: /ws/../x", "r: /ws/y", "r: /z"]],
    ["cat --unknown a", ["cat --unknown a?", "r: /ws/a"]],
    ["! cat a; time -p cat b", ["cat a", "r: /ws/a", "cat b", "r: /ws/b"]],
    ["(cat a); { cat b; }; cat c & cat d", ["cat a", "r: /ws/a", "cat b", "r: /ws/b", "cat c", "r: /ws/c", "cat d", "r: /ws/d"]],
    ["coproc cat a; coproc N { cat b; }", ["cat a", "r: /ws/a", "cat b", "r: /ws/b"]],
    ["cp a lib; cp a none", ["cp a lib", "r: /ws/a", "w: /ws/lib/copied", "cp a none", "r: /ws/a", "w: /ws/none/copied", "w: /ws/none"]],
    ["ls; ls src a.ts", ["ls", "r: /ws", "ls src a.ts", "r: /ws/src", "r: /ws"]],
    [
      "grep -r x; grep -r src; grep -r .",
      ["grep -r x", "r: /ws/x", "grep -r src", "r: /ws/src/**", "grep -r .", "r: /ws/**", "r: /ws/.env"],
    ],
  ])("%j", async (script, effects) => {
    expect(await shortPlan(script)).toEqual(effects);
  });
});

describe("what runs is found wherever it hides", () => {
  test.each([
    "w $(rm f)",
    "w `rm f`",
    'w "$(rm f)"',
    'w "`rm f`"',
    "w `w \\`rm f\\``",
    "w <(rm f)",
    "w > >(rm f)",
    "x=$(rm f)",
    "x=(a $(rm f))",
    "x[$(rm f)]=1",
    "declare -a x=($(rm f))",
    "w ${x:-$(rm f)}",
    'w "${x:-$(rm f)}"',
    "w ${x%$(rm f)} ${x/$(w)/b}",
    "w ${x:$(rm f):1}",
    "w ${x[$(rm f)]}",
    "w $(( $(rm f) + 1 ))",
    "(( $(rm f) ))",
    "for ((i=$(rm f); i<1; i++)); do w; done",
    "for x in $(rm f); do w; done",
    "select x in $(rm f); do w; done",
    "case $(rm f) in a) w;; esac",
    "case a in $(rm f)) w;; esac",
    "case a in b) rm f;; esac",
    "[[ $(rm f) == a ]]",
    "[[ a =~ $(rm f) ]]",
    "[[ -n a || -f $(rm f) ]]",
    "if rm f; then w; fi",
    "if w; then w; elif rm f; then w; fi",
    "if w; then w; else rm f; fi",
    "while rm f; do w; done",
    "until w; do rm f; done",
    "w <<E\n$(rm f)\nE",
    "w <<-E\n\t`rm f`\n\tE",
    "w <<< $(rm f)",
    "w > $(rm f)",
    "{ w; } 2> $(rm f)",
    "f() { rm f; }; f",
    "function f { rm f; }; f",
    "eval 'rm f'",
    "eval rm f",
    "x='rm f'; eval \"$x\"",
    "x=rm; $x f",
    "trap 'rm f' EXIT",
    "trap 'rm f' INT",
    "trap 'rm f' DEBUG; w",
    "f() { rm f; }; trap f EXIT; w && exit; f() { w; }",
    "f() { w; }; trap f INT; f() { rm f; }",
    "trap 'trap \"rm f\" EXIT' EXIT",
    "command rm f",
    "exec rm f",
    "run rm f",
    "run run rm f",
    "sh -c 'rm f'",
    "bash -c 'rm \"$0\"; rm f' x",
    "sh -c 'sh -c \"rm f\"'",
    "{ rm,f}; {w,$(rm f)}",
    "w [$(rm f)]*",
    "w 2>&1 | { w; rm f; }",
    "rm() { w; }; rm f",
    "((w) && (rm f))",
    "w $((w) && (rm f))",
    "((rm f) )",
    "let 'x=1' \"y=2\"; rm f",
    'w $"$(rm f)"',
    "coproc rm f",
    "false && rm f",
    "exit; rm f",
  ])("%j", async (script) => {
    const { effects } = await planOf(script);
    const isFound = effects.some(
      (effect) =>
        (effect.kind === "command" && effect.argv[0] === "rm" && effect.argv[1] === "f") || (effect.kind === "unknown" && effect.commands),
    );
    expect(isFound).toBe(true);
  });
});

describe("redirections", () => {
  test.each<Row>([
    ["w > f 2>>g >|h", ["w", "w: /ws/f", "w: /ws/g", "w: /ws/h"]],
    ["w &> f; w &>>/x/g; w >&h", ["w", "w: /ws/f", "w", "w: /x/g", "w", "w: /ws/h"]],
    ["w < a <> b", ["w", "r: /ws/a", "r: /ws/b", "w: /ws/b"]],
    ["> f", ["w: /ws/f"]],
    ["w 2>&1 >/dev/null </dev/stdin 3<&0 3>&- 2>/dev/fd/1", ["w"]],
    ["w > /dev/tcp/h.example/80; w > /dev/tcp/x", ["w", "n: h.example:80", "w", "?"]],
    ["w > /dev/fd/../../etc/x", ["w", "w: /dev/fd/../../etc/x"]],
    ["{ w; w; } > f < g; (w) >h", ["w: /ws/f", "r: /ws/g", "w", "w", "w: /ws/h", "w"]],
    ['x=f; w >$x; w > "$y"; w >& $y', ["w", "w: /ws/f", "w", "?", "w", "?"]],
    ["exec > f; w", ["exec", "w: /ws/f", "w"]],
    ["w {fd}>f", ["w", "w: /ws/f"]],
    ["f() { w; } > f; f", ["w: /ws/f", "w"]],
    ["w > *.ts", ["w", "r: /ws", "w: /ws/a.ts", "w: /ws/b.ts"]],
  ])("%j", async (script, effects) => {
    expect(await shortPlan(script)).toEqual(effects);
  });
});

describe("the plan of a quiet git", () => {
  test("has hooks off while all that runs is known", async () => {
    expect(await planOf("git commit; cat a")).toMatchObject({ effects: [{ sure: "declared" }, {}, {}], env: { QUIET: "1", HOOKS: "0" } });
  });

  test("leaves hooks to a git beside which something unknown runs", async () => {
    const { effects, env } = await planOf("git commit; git log; ./x");
    expect(effects.map(({ sure }) => sure)).toEqual(["open", "declared", "open"]);
    expect(env).toEqual({ QUIET: "1" });
  });

  test.each(["cd lib && git log", "git -C lib log", "cd $x; git log", "GIT_DIR=x git log", "export GIT_DIR=x; git log"])(
    "%j may run what its repository names",
    async (script) => {
      const { effects } = await planOf(script);
      expect(effects.filter((effect) => effect.kind === "command" && effect.argv[0] === "git")).toMatchObject([{ sure: "open" }]);
    },
  );

  test("sets nothing where there is none", async () => {
    expect((await planOf("cat a")).env).toEqual({});
  });
});

test("a command without a shell is judged by its words as they are", async () => {
  const options = { cwd: "/ws", home: null, look: smallLook(), table: SMALL_TABLE };
  expect(await commandPlan(["cat", "$x;*"], options)).toMatchObject({
    effects: [{ argv: ["cat", "$x;*"], sure: "declared" }, { path: "/ws/$x;*" }],
  });
  expect(await commandPlan(["run", "rm", "f"], options)).toMatchObject({
    effects: [{ argv: ["run", "rm", "f"] }, { argv: ["rm", "f"] }, { kind: "file.delete" }],
  });
  expect((await commandPlan(["eval", "rm f"], options)).effects).toMatchObject([{ sure: "open" }]);
  expect((await commandPlan(["w", "a.ts"], options)).effects).toMatchObject([{ sure: "declared" }]);
  expect((await commandPlan([""], options)).effects).toMatchObject([{ kind: "unknown" }]);
});

describe("what is not understood for certain is one unknown", () => {
  test.each([
    "w 'b",
    "w $(",
    "w &&",
    "| w",
    "w;;w",
    "w \\",
    "if",
    "w a b() c",
    "w\r\nw",
    "w a\u00a0b",
    "w \x07",
    "w\0",
    "@(a|b)",
    "w !(a)",
    "w 12345>f",
    "w $[1+1]",
    "w ${ rm f; }",
    "w $'\\xff'",
    "cat <<E\nx",
    "cat <<E\nE\\\nE\nx",
    "w \"${x:-'$(rm f)'}\"",
    "w $((a[i]))",
    "f() { f; }; f",
    "w\n".repeat(1001),
    `${"( ".repeat(25)} w ${") ".repeat(25)}`,
    `w ${"a".repeat(65 * 1024)}`,
    "for i in 1 2 3 4 5 6 7 8; do for j in 1 2 3 4 5 6 7 8; do rm $i$j a$i a$j b$i$j c$i c$j d$i d$j e$i e$j f$i f$j g$i g$j h$i h$j i$i i$j; done; done; ".repeat(
      2,
    ),
  ])("%j", async (script) => {
    const { effects } = await planOf(script);
    expect(effects.filter((effect) => effect.kind === "unknown" && effect.commands)).not.toEqual([]);
  });

  test.each(["((rm f))", "[[ a && rm f ]]", "cat $'a'", "cat {a,b}", "w <(rm f)", "a=(b)", "w <<< a", "w &> f", "time w", "w 10>f"])(
    "%j, which shells read in different ways, in a sh that may be any",
    async (script) => {
      const { effects } = await planOf(`sh -c ${quoteWord(script)}`);
      expect(effects.at(-1)).toMatchObject({ kind: "unknown", commands: true });
    },
  );
});
