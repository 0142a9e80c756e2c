// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash
/** What bash may leave out, put off, keep or hide: the plan holds what is read when it does. */
import { expect, test } from "vitest";
import { shortPlan, smallLook } from "./plan-for-test.ts";

const LOOK = smallLook({ text: async (path) => (path === "/ws/list.txt" ? "/outside/p\n" : null) });

/** `P` in a script stands for a file outside that is read when the shell does not what it seems to do. */
function planOf(script: string): Promise<readonly string[]> {
  return shortPlan(script.replace(/\bP\b/g, "/outside/p"), LOOK);
}

/** True for what is asked about, or read outside. */
function tells(effect: string): boolean {
  return effect.includes("?") || ["r: /outside/p", "r: /outside", "r: /"].includes(effect);
}

test.each([
  // a redirection that fails
  "x=P; { x=a.ts; } <nonexist; cat $x",
  "x=P; { x=a.ts; } <&9; cat $x",
  "x=P; f() { x=a.ts; }; f >&9; cat $x",
  "x=P; f() { x=a.ts; }; f <nonexist; cat $x",
  "set -- P; set -- a.ts <&9; cat $1",
  "set -- a.ts P; shift; set -- $1; set -- a.ts <nonexist; cat $1",
  "x=P; unset x <nonexist; cat $x",
  "x=P; eval 'x=a.ts' </nonexist; cat $x",
  "x=P; x=a.ts <nonexist; cat $x",
  "x=P; if true; then x=a.ts; fi <nonexist; cat $x",
  "x=P; x=a.ts 2>/nonexist/x; cat $x",
  "exec 2>&-; x=P; { x=a.ts; } >&2; cat $x",
  "cat /outside$(printf /x </nonexist)/p",
  // what leaves a line
  "x=P; : $((1/0)); x=a.ts\ncat $x",
  "x=P; : $((1%0)); x=a.ts\ncat $x",
  "x=P; y=$((y/0)) x=a.ts\ncat $x",
  "x=P; : $((09)); x=a.ts\ncat $x",
  "x=P; readonly r=1; r=2; x=a.ts\ncat $x",
  "x=P; declare -r r=1; for r in 1; do x=a.ts; done\ncat $x",
  "x=P; y[-9]=1; x=a.ts\ncat $x",
  "x=P; : ${!MISSING}; x=a.ts\ncat $x",
  "x=P; z=abc; : ${z:0:-9}; x=a.ts\ncat $x",
  "x=P; f() { : $((1/0)); x=a.ts; }; f; x=b.ts\ncat $x",
  "x=P; eval ': $((1/0)); x=a.ts\n:'; cat $x",
  "x=P; if true; then : $((1/0)); fi; x=a.ts\n\ncat $x",
  "cd /outside; : $((1/0)); cd /ws\ncat p",
  "shopt -s failglob; x=P; : no*; x=a.ts\ncat $x",
  // what ends a shell prints less
  "cat /outside$(printf ''; exit; printf /x)/p",
  "f() { return; printf /x; }; cat /outside$(f)/p",
  "cat /outside$(set -e; false; printf /x)/p",
  "cat /outside$(printf /x <<< ${u?})/p",
  "cat /outside$(y=$((1/0)) printf /x)/p",
  "cat /outside$( (exit; printf /x) )/p",
  "cat /outside$( { exit; printf /x; } | cat)/p",
  // what is left out between `&&`, `||`, `?` and `:`
  "x=P; ((0 && (x=5))); cat $x",
  "x=P; ((1 || (x=5))); cat $x",
  "x=P; ((0 ? (x=5) : 0)); cat $x",
  "x=P; ((y=1/0, x=5)); cat $x",
  "x=P; let y=0 z=1/y x=5; cat $x",
  "unset y; [[ a = a || ${y:=/x} ]]; cat /outside$y/p",
  "x=P; [[ a = a || $((x=5)) ]]; cat $x",
  "unset y; z=1; : ${z:-${y:=/x}}; cat /outside$y/p",
  "unset y; z=1; : ${z:+1} ${z-$((y=5))}; cat /outside${y}/p",
  // one of several values, each from the same start
  'if w; then x=a.ts; else unset x; fi; cat "${x:=P}"',
  "x=P; local x=a.ts; cat $x",
  // scopes
  "x=P; f() { declare x=a.ts; }; f; cat $x",
  "x=P; f() { typeset x; x=a.ts; }; f; cat $x",
  "f() { local x=P; declare -g x=a.ts; cat $x; }; f",
  "x=P; g() { unset x; }; f() { local x=a.ts; g; cat $x; }; f",
  "x=a.ts; f() { local x=b.ts; declare -g x=P; }; f; cat $x",
  // attributes
  "declare -l x; x=/OUTSIDE/P; x=/OUTSIDE/p; cat $x",
  "declare -u x; for x in a.ts; do cat $x; done",
  "f() { declare -l x; x=A; g; }; g() { x=B; cat $x; }; f",
  // traps
  "trap 'cd /outside' TERM; cat p",
  "trap 'f() { cat P; }' INT; f() { cat a.ts; }; f",
  // what is set for a command, and seen by the next of them or kept
  "f() { cat $DEBUG; }; TZ=a.ts; TZ=P DEBUG=$TZ f",
  "sh -c 'CI=a.ts; CI=P :; cat $CI'",
  // what another shell takes for another set
  "sh -c 'cat /outside/[^a]'",
  // `%n` and `-p` set variables
  "printf %n PATH; ls",
  "builtin printf '%-5n' PATH; ls",
  'printf "$x" PATH; ls',
  "printf '%ln' 'a[$(w)]'",
  "wait -npPATH; ls",
  "sleep 0 & wait '-npa[$(w)]'",
  // an array that has keys by one way alone
  "[ a = b ] && declare -A x; k='a[$(w)]'; x[$k]=1",
  "f() { declare -A x; }; f; k='a[$(w)]'; x[$k]=1",
  // what a file holds
  "cat $(<list.txt)",
  "cat $(< nonexist)",
  // lengths by the locale, numbers that stopped to be, a variable of a coprocess
  "LC_ALL=C; x=é; cat /outside/p${#x}$(w)",
  "unset SECONDS; SECONDS=P; cat $SECONDS",
  "a_PID=a.ts; coproc a { w; }; cat $a_PID",
])("%s", async (script) => {
  expect((await planOf(script)).some(tells)).toBe(true);
});

test.each([
  ["x=P; x=a.ts 2>/dev/null; cat $x", "r: /ws/a.ts"],
  ["x=P; { x=a.ts; } 2>&1; cat $x", "r: /ws/a.ts"],
  ["x=P; x=a.ts; n=$((1 + 2)); cat $x", "r: /ws/a.ts"],
  ["cd src; n=$(ls | wc -l)\nm=$((n + 1))\ncd ..\ncat a.ts", "r: /ws/a.ts"],
  ['unset d; : "${d:=src}"; cat "$d/c.ts"', "r: /ws/src/c.ts"],
  ["f() { local x=P; cat a.ts; }; f", "r: /ws/a.ts"],
  ["trap 'cat b.ts' EXIT; cat a.ts", "r: /ws/a.ts"],
  ["cat $(printf a.ts)", "r: /ws/a.ts"],
])("is known where nothing can fail: %s", async (script, wanted) => {
  const plan = await planOf(script);
  expect(plan).toContain(wanted);
  expect(plan.filter(tells)).toEqual([]);
});
