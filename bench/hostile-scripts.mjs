// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash
/** Scripts of at most 64 Ki characters that are made to keep a planner busy: each by its name. */

const SIZE = 60_000;

function fill(unit, size = SIZE) {
  return unit.repeat(Math.floor(size / unit.length));
}

function each(count, make) {
  return Array.from({ length: count }, (_, index) => make(index)).join("");
}

function nested(depth, make) {
  let script = "w";
  for (let index = 0; index < depth; index += 1) script = make(script, index);
  return script;
}

function around(before, inner, behind, depth) {
  return before.repeat(depth) + inner + behind.repeat(depth);
}

export const HOSTILE = {
  "parameters doubled": `set -- a b\n${'set -- "$@" "$@"\n'.repeat(200)}`,
  "a list doubled": `x=(a b)\n${"x=(${x[@]} ${x[@]})\n".repeat(200)}`,
  "a value doubled": `a=x\n${"a=$a$a\n".repeat(200)}w $a`,
  "a value printed and read back": `x=${"a".repeat(16)}\n${'x=$(echo "$x$x$x$x$x$x$x$x")\n'.repeat(40)}`,
  "a value replaced by a longer one": `x=aa\n${`x=\${x//a/${"a".repeat(16)}}\n`.repeat(40)}`,
  "a format printed for each of its values": `x=${fill("%sa", 3000)}\nprintf "$x" ${fill("a ", 20_000)}`,
  "a long value in many words": `x=aaaaaaaaaaaaaaaa\n${"x=$x$x$x$x$x$x$x\n".repeat(8)}${fill("w $x\n", 4000)}`,
  "a long text run again and again": `x=': ${fill("a", 50_000)}'\n${fill('eval "$x"\n', 8000)}`,
  "loops in loops over many words": `for a in ${fill("w ", 130)}; do for b in ${fill("v ", 130)}; do ${each(200, (i) => `w $a $b ${i}\n`)}done; done`,
  "loops in loops that change what they go through": `${"for a in $a b c; do ".repeat(18)}a=$a$b;b=$a$c;c=$b$a;w $a $b $c${"; done".repeat(18)}`,
  "loops in loops over many variables": `${each(480, (i) => `x${i}=${i}\n`)}${around("while w; do ", "x1=$x2;x2=$x3;x3=$x4$x5; w|w;(w)", "; done", 15)}`,
  "loops that count in loops that count": nested(15, (inner, i) => `for ((i${i}=0;i${i}<3;i${i}++)); do ${inner}; i${i}=5; done`),
  "what may be one thing or another": `${each(20, (i) => `if w; then x${i}=a; else x${i}=b; fi\n`)}${fill(`w ${each(20, (i) => `$x${i} `)}\n`, 40_000)}`,
  "pipes in pipes that write": nested(18, (inner) => `{ ${inner}; touch a; } | w`),
  "branch upon branch": `if a; then b; ${each(480, (i) => `elif a; then x${i}=b; `)}fi`,
  "arms of a case": `case a in ${fill("a) ;; ")}esac`,
  "patterns of a case": `case a in ${fill("a|", 15_000)}b) w;; esac`,
  "functions that call each other": `f0() { w; }\n${each(900, (i) => `f${i + 1}() { f${i}; f${i}; }\n`)}f900`,
  "functions that call others many times over": `f0() { w; }\n${each(8, (i) => `f${i + 1}() { ${`f${i}; `.repeat(30)} }\n`)}f8`,
  "a function that calls itself": "f() { f; f; f; }\nf",
  traps: each(900, (i) => `trap 'trap "w ${i}" EXIT' EXIT\n`),
  aliases: each(900, (i) => `alias a${i}='w; a${i + 1}'\n`),
  "programs that run programs": `w | ${"xargs ".repeat(5000)}a`,
  "braces upon braces": `w ${fill("{1..99}{1..99} ", 20_000)}`,
  "braces of a thousand words": `w ${fill("{1..30}{1..33} ", 28_000)}`,
  "braces in braces": `w ${fill(`${around("{a,", "b", "}", 150)} `, 30_000)}`,
  "brackets that are not closed": `w ${fill("[", 30_000)}`,
  "brackets out of a variable": `x='${fill("[", 30_000)}'\nw $x`,
  "many wildcards": `w ${fill("*")}`,
  "wildcards in many words": fill("w *a*a*a*a*a*a*a*a*a*a*b\n", 20_000),
  "characters that are quoted one by one": `w ${fill("a\\ ")}`,
  "home folders": `w ${fill("~ ", 15_000)}`,
  "elements with a key": `x=(${fill("[1]=a ", 30_000)})`,
  "lines read one by one": `while read x; do ${fill("read x;", 4000)}done <<'A'\n${each(1000, (i) => `${i}\n`)}A\n`,
  "folders gone into": each(900, (i) => `cd d${i}\n`),
  "what is computed": fill("((x++))\n"),
  "sums of sums": `((${fill("1+")}1))`,
  "variables set to be given on": `export ${fill("A=b ", 30_000)}`,
  "substitutions in substitutions": fill(`w ${around("$(w ", "a", ")", 18)}\n`),
  "groups in groups": fill(`${around("{ ", "a", "; }", 18)}\n`),
  "short commands": fill("a\n", 1900),
};
