import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AWK } from "./awk.ts";
import { readAwkProgram } from "./awk-program.ts";
import { callForTest, showDoing } from "./doing-for-test.ts";

const awk = (...args: string[]): string => showDoing(callForTest(AWK, ["awk", ...args]));

describe("awk", () => {
  test.each([
    [["{print $1}"], "declared"],
    [["{print $1}", "f", "g"], "declared: read f, read g"],
    [["-F:", "-v", "x=1", "{print x}", "f"], "declared: read f"],
    [["-F", ",", "NR>1", "f"], "declared: read f"],
    [["-v", "x=$x", "{print x}", "f"], "declared: read f"],
    [["NR==1", "FS=,", "f", "x=y"], "declared: read f"],
    [["NR==1", "./x=y"], "declared: read ./x=y"],
    [["1", "-f", "f"], "declared: read -f, read f"],
    [["1", "src/**"], "declared: read <src>*"],
    [["1", "$x"], "declared: read ?"],
    [['{print > "out"}', "f"], "declared: write out, read f"],
    [['BEGIN{print 1,\n\n# more\n2 > "out"}'], "declared: write out"],
    [["--version"], "declared"],
    [["--csv", "1", "f"], "declared: read f"],
    [["-f", "prog", "f"], "open: read prog, read f"],
    [["-fprog", "f"], "open: read prog, read f"],
    [["--file=prog", "f"], "open: read prog, read f"],
    [["-i", "inplace", "1", "f"], "open: read inplace, read 1, read f"],
    [["-l", "x", "1"], "open"],
    [["-o", "1"], "open"],
    [["-d", "1"], "open"],
    [["-p", "1"], "open"],
    [["-E", "prog"], "open: read prog"],
    [["-e", "1"], "open"],
    [["-Sv", "BEGIN{system(x)}", "1"], "open"],
    [["--assign", "BEGIN{system(x)}", "1"], "open: read 1, run sh ?"],
    [["-W", "exec", "f"], "open"],
    [["$x", "f"], "open: read f"],
    [["a$x", "f"], "open: read f"],
    [["-v", "$*", "1"], "open"],
    [['BEGIN{system("id")}'], "open: run sh -c id"],
  ])("%j: %s", (args, shown) => {
    expect(awk(...args)).toBe(shown);
  });
});

describe("a program of awk", () => {
  test.each([
    "",
    "/a|b/",
    "!/^#/ && NF",
    '$1 ~ /x>y/ || $2 == "a|b"',
    '{ gsub(/"/, ""); print }',
    "$3 > 5",
    "{ s += $1 } END { print s / NR }",
    "{ print ($1 + $2) / 2, $3 / $4 }",
    "{ print (a > b) }",
    "{ if ($1 > 5) print $2; else if (x) print }",
    "{ a[$1]++ } END { for (k in a) print a[k], k }",
    '{ printf "%s|%s\\n", $1, $2 }',
    "# system(x) | y\n{ print }",
    'BEGIN { FS = "|"; OFS = "\\t" } { print toupper($1) }',
    "function f(x) { return x * 2 } { print f($1) }",
    "{ x = $1 ? $2 : $3; x /= 2; y = x ** 2; z = x % 3 }",
    '{ print ENVIRON["HOME"], "system(1)" }',
    "NR==FNR { a[$1]; next } $1 in a",
    "a \\\n && b { print }",
    "{ print $1\n  x = $2 > 5\n}",
    '{ print length($0) > 3 ? "a" : "b" }'.replace(" > 3", " == 3"),
    `# ${"x".repeat(600)} system(x)\n1`,
  ])("that only prints: %j", (program) => {
    expect(readAwkProgram(program)).toEqual({ writes: [] });
  });

  test.each([
    ['{ print > "out" }', ["out"]],
    ['{ print $1, $2 >> "a/b"; print > "c" }', ["a/b", "c"]],
    ['{ printf("%s", $1) > "out"\n}', ["out"]],
    ['{ print "x" > "/dev/stderr" }', ["/dev/stderr"]],
    ['{ print (a > b) > "out" }', ["out"]],
    ['{ print a,\n b > "out" }', ["out"]],
  ])("that writes: %j", (program, writes) => {
    expect(readAwkProgram(program)).toEqual({ writes });
  });

  test.each([
    'BEGIN { system("id") }',
    'BEGIN { "id" | getline x }',
    'BEGIN { getline x < "/etc/passwd" }',
    '{ print | "sh" }',
    '{ print |& "sh" }',
    '{ print |\n"sh" }',
    "{ print > $1 }",
    '{ print > "a" $1 }',
    '{ print > ("a" "b") }',
    "{ print (1) > x }",
    '{ print > "a\\x2fb" }',
    '{ print > "/inet/tcp/0/evil.example/80" }',
    '{ print $1 > 5 ? "a" : "b" }',
    'BEGIN { f = "system"; @f("id") }',
    '@include "x"',
    '@load "filefuncs"',
    'BEGIN { ARGV[1] = "/etc/passwd"; ARGC = 2 }',
    'BEGIN { SYMTAB["ARGV"] }',
    'BEGIN { awk::system("id") }',
    'BEGIN { x = 1 } if (x) /"/ ; y = "/; system(1) #"',
    'BEGIN { if (x) /"/ }',
    'x++ /"/ 1',
    'print /"/',
    'length /"/ 1',
    "/[/]/",
    "/a\nb/",
    '"a\nb"',
    '"a',
    "/a",
    "`id`",
    "a \\ b",
    "\u00a0",
    "{ print \r }",
    '{ print > "" }',
    "{ print a,\n  b > c }",
  ])("that does more, or is not certain: %j", (program) => {
    expect(readAwkProgram(program)).toBeNull();
  });

  test("is read to its end whatever it holds, and never with a pipe outside text", () => {
    const piece = fc.constantFrom(
      "/",
      '"',
      "\\",
      "(",
      ")",
      "{",
      "}",
      "print",
      " ",
      ">",
      "|",
      "system",
      "x",
      "1",
      "\n",
      "[",
      "]",
      "#",
      "$",
      ";",
      "++",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const program = pieces.join("");
        const read = readAwkProgram(program);
        if (read !== null && !/["/#]/.test(program)) expect(program).not.toMatch(/\bsystem\b|(?<!\|)\|(?!\|)/);
      }),
    );
  });

  test("is read quickly when it is long", () => {
    const start = performance.now();
    expect(readAwkProgram("{print $1};".repeat(1400))).toEqual({ writes: [] });
    expect(readAwkProgram("{print $1};".repeat(6000))).toBeNull();
    expect(readAwkProgram(`/${"[".repeat(16_000)}/`)).toBeNull();
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
