// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash
import { describe, expect, test } from "vitest";
import { planOf, short, shortPlan, smallLook } from "./plan-for-test.ts";

/** The words of each call of `w`, those that are not known in `<…>`. */
async function words(script: string): Promise<readonly string[]> {
  const { effects } = await planOf(script);
  return effects.flatMap((effect) => {
    if (effect.kind === "unknown") return [effect.commands ? "??" : "?"];
    if (effect.kind !== "command" || effect.argv[0] !== "w") return [];
    return [
      effect.argv
        .slice(1)
        .map((word, index) => (effect.dynamic?.includes(index + 1) ? `<${word}>` : word))
        .join("|"),
    ];
  });
}

describe("words", () => {
  test.each<[string, readonly string[]]>([
    ["x=a; w $x", ["a"]],
    ["x='a b'; w $x \"$x\" $x$x", ["a|b|a b|a|ba|b"]],
    ['x=; w $x a "$x"', ["a|"]],
    ["x=a; y=$x/b; y+=c; w $y ${y%/*} ${y##*/} ${y/a/z} ${#y}", ["a/bc|a|bc|z/bc|4"]],
    ["unset x; w ${x:-d} ${x-e} ${x:+f} ${x:=g} $x", ["d|e|g|g"]],
    ["if a; then x=1; else x=2; fi; w $x$x", ["11", "22"]],
    ["x=1; a && x=2; w $x", ["2", "1"]],
    ["(x=1; w $x); x=2 | w; w ${x:-d}", ["1", "", "<${x:-d}>"]],
    ["for f in a 'b c'; do w \"$f\" $f.x; done; w $f", ["a|a.x", "b c|b|c.x", "a", "b|c", "<$f>"]],
    ["for f in a b; do for g in c d; do w $f$g; done; done", ["ac", "ad", "bc", "bd"]],
    ["w *.ts s*/*.ts [ab].ts {src,lib}/c.ts no*", ["a.ts|b.ts|src/c.ts|a.ts|b.ts|src/c.ts|lib/c.ts|no*"]],
    ["w * '*' \\* \"*\"", ["a.ts|b.ts|lib|src|*|*|*"]],
    ["w lib/*", ["lib/-x|lib/e.ts"]],
    ["w .*; w ./*x", ["<.*>", "./*x"]],
    ["touch z; w *", ["<*>"]],
    ["w ~ ~/x a~ '~' ~root x=~", ["/home/u|/home/u/x|a~|~|<~root>|<x=~>"]],
    ["w $HOME $USER $MISSING $OTHER", ["/home/u|u|<$OTHER>"]],
    ['set -- a \'b c\'; w "$@" $# $2; shift; w $1; w "$*"', ["a|b c|2|b|c", "b|c", "b c"]],
    ["f() { w $1 \"$@\"; }; f p 'q r'; w $1", ["p|p|q r", ""]],
    ["f() { local x=1; w $x; }; x=2; f; w $x", ["1", "2", "1"]],
    ["a=(1 '2 3'); a+=(4); w \"${a[@]}\" ${a[1]} $a", ["1|2 3|4|2|3|1"]],
    ["w $(echo a b) \"$(echo a b)\" `printf '%s,' 1 2`", ["a|b|a b|1,2,"]],
    ["w $((1+2*3)) $((x+1)); i=1; i=$((i+1)); w $i", ["7|<$((x+1))>", "2"]],
    ["i=0; while w; do i=$((i+1)); w $i; done", ["", "<$i>"]],
    ['read x; w $x; mapfile -t a; w "${a[@]}"', ["<$x>", '<"${a[@]}">']],
    ["printf -v x %s a; w $x; getopts ab o; w $o", ["<$x>", "<$o>"]],
    ["eval x=a; w $x; eval 'f() { w in; }'; f", ["a", "in"]],
    ["sh -c 'w $0 \"$1\" $x' a b; x=1; bash -c 'w $x'", ["<$0>||<$x>", "<$x>"]],
    ["bash -c 'w $1' a b", ["b"]],
    ["w <(a) >(b)", ["<<(a)>|<>(b)>"]],
    ["w {a,b}{1..2} {a b{ {} {x}", ["a1|a2|b1|b2|{a|b{|{}|{x}"]],
    ["w HEAD@{1}..HEAD@{0}", ["HEAD@{1}..HEAD@{0}"]],
    ["case $x in a) y=1;; *) y=2;; esac; w $y", ["1", "2", "<$y>"]],
    ['x=a; unset x; w "$x"', [""]],
    ["export x=a; w $x", ["a"]],
    ["for ((i=1; i<=3; i++)); do w $i; done; w $i", ["1", "2", "3", "1", "2", "3", "4"]],
    ["for ((i=1; i<=3; i++)); do i=5; w $i; done", ["5"]],
    ['shopt -s nullglob; for f in *.ts; do w "$f"; done', ['<"$f">']],
    ['w $"a"; TEXTDOMAIN=x; w $"a"', ["a", '<$"a">']],
    ["w ~+/a ~-; cd src; w ~+ ~- ~-/b", ["/ws/a|<~->", "/ws/src|/ws|/ws/b"]],
    ["while w; do x=1; continue; x=2; done; w $x", ["", "<$x>", "1", "2"]],
  ])("%j", async (script, expected) => {
    const found = await words(script);
    expect([...found].sort()).toEqual([...expected].sort());
  });
});

describe("what is computed must be numbers", () => {
  test.each([
    "x='a[$(rm f)]'; w $((x))",
    "x='a[$(rm f)]'; w $(($x))",
    "x='a[$(rm f)]'; ((x))",
    "x='a[$(rm f)]'; [[ x -eq 1 ]]",
    "x='a[$(rm f)]'; [[ $x -eq 1 ]]",
    "x='a[$(rm f)]'; w ${y:x}",
    "x='a[$(rm f)]'; w ${y[x]}",
    "x='a[$(rm f)]'; w ${!x}",
    "x='a[$(rm f)]'; y[x]=1",
    "x='a[$(rm f)]'; y=([x]=1)",
    "x='a[$(rm f)]'; let x",
    "x='a[$(rm f)]'; test -v $x",
    "x='a[$(rm f)]'; [ -v \"$x\" ]",
    "x='a[$(rm f)]'; printf -v \"$x\" a",
    "x='a[$(rm f)]'; unset \"$x\"",
    "x='a[$(rm f)]'; read \"$x\"",
    "x='a[$(rm f)]'; declare \"$x=1\"",
    "x='a[$(rm f)]'; for ((i=x;;)); do w; done",
    "declare -i x; x='a[$(rm f)]'",
    "read x; w $((x))",
    "x=$(cat a); ((x++))",
    "x='$(rm f)'; w ${x@P}",
    "[ $x ] && w; read x; [ $x ]",
    "wait -p 'a[$(rm f)]' 1",
    "getopts a 'x[$(rm f)]'",
    "mapfile -C 'rm f' x",
    "x=y; y='a[$(rm f)]'; w $((x))",
  ])("%j", async (script) => {
    expect((await planOf(script)).effects.filter((effect) => effect.kind === "unknown" && effect.commands)).not.toEqual([]);
  });

  test.each(["w $((RANDOM % 3))", "x=3; [[ $x -gt 2 ]]", "x=$(wc a); ((x > 1))", '[ "$x" = "$y" ]', "[[ $# -eq 0 ]]", "x=1; w ${y:$x:2}"])(
    "%j is nothing but that",
    async (script) => {
      expect((await planOf(script)).effects.filter(({ kind }) => kind === "unknown")).toEqual([]);
    },
  );
});

describe("variables that decide what runs", () => {
  test.each([
    "PATH=/x; w",
    "export PATH=/x",
    "PATH=/x w",
    "IFS=,; w",
    "LD_PRELOAD=x w",
    "BASH_ENV=x bash -c w",
    "declare PATH=x",
    "for PATH in x; do w; done",
    "read PATH",
    "printf -v PATH x",
    "((PATH=1))",
    "w ${PATH:=x}",
    "f() { local IFS=x; }; f",
    "GIT_SSH_COMMAND=x git log",
    "PS4='$(rm f)'; set -x",
    "BASH_CMDS[w]=x",
  ])("%j is not known", async (script) => {
    expect((await planOf(script)).effects.filter((effect) => effect.kind === "unknown" && effect.commands)).not.toEqual([]);
  });

  test.each<[string, readonly string[]]>([
    ["LC_ALL=C NO_COLOR=1 w", ["w"]],
    ["FOO=1 w; w", ["w?", "w"]],
    ["export FOO=1; w", ["export FOO=1", "w?"]],
    ["export FOO USER; w", ["export FOO USER", "w"]],
    ["export FOO; FOO=1; w", ["export FOO", "w?"]],
    ["if w; then export FOO; fi; for FOO in a b; do w; done", ["w", "export FOO", "w?"]],
    ["FOO=1; export FOO; w", ["export FOO", "w?"]],
    ["export -x FOO; w", ["export -x FOO", "w?"]],
    ["export HOSTNAME; w", ["export HOSTNAME", "w?"]],
    ["export GOFLAGS; GOFLAGS=x; w", ["export GOFLAGS", "??", "w?"]],
    ["export SHELLOPTS; w", ["export SHELLOPTS", "??", "w?"]],
    ["FOO=1; w", ["w"]],
    ["HOME=/x; w", ["??", "w?"]],
    ["npm_config_script_shell=./x w", ["w?", "??"]],
    ["RUSTFLAGS=-x w", ["w?", "??"]],
    ["TAR_OPTIONS=-x w", ["w?", "??"]],
    ["DATABASE_URL=x w", ["w?"]],
    ["USER=x; w", ["w?"]],
    ["IFS= read -r x; w", ["read -r x", "w"]],
  ])("%j", async (script, effects) => {
    expect(await shortPlan(script)).toEqual(effects);
  });
});

describe("folders", () => {
  test.each<[string, readonly string[]]>([
    ["cd src && ./x; cat y", ["cd src", "/ws/src: ./x?", "/ws/src: cat y", "r: /ws/src/y"]],
    ["cd none && cat a; cat b", ["cd none", "/ws/none: cat a", "r: /ws/none/a", "/ws/none: cat b", "r: /ws/none/b", "r: /ws/b"]],
    ["cd none; ./x", ["cd none", "./x?", "/ws/none: ./x?"]],
    ["cd src/deep; cd ..; cat a", ["cd src/deep", "/ws/src/deep: cd ..", "/ws/src: cat a", "r: /ws/src/a"]],
    ["(cd src); cat a", ["cd src", "cat a", "r: /ws/a"]],
    ["cd src | cat a", ["cd src", "cat a", "r: /ws/a"]],
    ["cd $x; cat a /b; ./y", ["cd $x", "cat a /b", "?", "r: /b", "??", "./y?"]],
    ["cd; cat a", ["cd", "/home/u: cat a", "r: /home/u/a", "r: /ws/a"]],
    ["cd -; cat a", ["cd -", "cat a", "?"]],
    ["cd src; cd -; cat a", ["cd src", "/ws/src: cd -", "cat a", "r: /ws/a"]],
    ["pushd src; popd; cat a", ["pushd src", "/ws/src: popd", "cat a", "?"]],
    ["cd link/../x && cat a", ["cd link/../x", "/ws/x: cat a", "r: /ws/x/a", "r: /ws/link/../x/a"]],
    ["while w; do cd src; done; cat a", ["w", "cd src", "cat a", "?"]],
    ["f() { cd src; }; f; cat a", ["cd src", "/ws/src: cat a", "r: /ws/src/a"]],
    ["trap 'cat a' EXIT; cd src", ["trap cat a EXIT", "cd src", "cat a", "r: /ws/a", "r: /ws/src/a"]],
    ["rm -f src; cd src; cat a", ["rm -f src", "d: /ws/src", "cd src", "/ws/src: cat a", "r: /ws/src/a", "r: /ws/a"]],
    ["source ./env; cat a", ["source ./env?", "r: /ws/env", "./env?", "cat a?", "?"]],
  ])("%j", async (script, effects) => {
    expect((await planOf(script)).effects.map(short)).toEqual(effects);
  });
});

test.each([
  ["export PATH=/x", "it exports PATH, which decides what commands do"],
  ["PATH=/x", "it sets PATH, which decides what commands do"],
  ["export $X", "`export` is given a name that is not known"],
])("%s is said to be asked about for what it does", async (script, reason) => {
  expect((await planOf(script)).effects.at(-1)).toMatchObject({ kind: "unknown", reason });
});

test("what the ground cannot tell is taken for unknown", async () => {
  const blind = smallLook({ kind: async () => "unknown", names: async () => null, program: async () => "other" });
  expect(await shortPlan("cat *.ts", blind)).toEqual(["cat *.ts?", "r: /ws", "r: /ws/**"]);
  expect(await shortPlan("cp a b", blind)).toEqual(["cp a b?", "r: /ws/a", "w: /ws/b/copied", "w: /ws/b"]);
});
