import { describe, expect, test } from "vitest";
import type { Input } from "../doing.ts";
import { doingForTest } from "./doing-for-test.ts";
import { TEXT } from "./text.ts";

const PATHS: Input = { kind: "paths", below: ["src"], end: "\n" };
const PATHS0: Input = { ...PATHS, end: "\0" };
const NUMBERS: Input = { kind: "unknown", numbers: true };

describe("programs that print text", () => {
  test.each([
    ["cat -n a b", "declared: read a, read b"],
    ["cat", "declared: prints unknown"],
    ["cat -", "declared"],
    ["cat src/**", "declared: read <src>*"],
    ["cat $x", "open"],
    ["cat -- $x", "declared: read ?"],
    ["tac a", "declared: read a"],
    ["head -5 a", "declared: read a"],
    ["head -n 5 a b", "declared: read a, read b"],
    ["head -c100 a", "declared: read a"],
    ["head a -n .env", "declared: read .env, read a"],
    ["tail -n +5 a", "declared: read a"],
    ["tail -f --pid=5 a", "declared: read a"],
    ["nl -ba a", "declared: read a"],
    ["wc -l a b", "declared: read a, read b"],
    ["wc -l", "declared: prints numbers"],
    ["wc --files0-from=list", "open"],
    ["wc --files0-from=-", "open"],
    ["cut -d, -f1,2 a", "declared: read a"],
    ["cut -d : -f 1", "declared"],
    ["paste -sd, a b", "declared: read a, read b"],
    ["tr -d $x", "declared"],
    ["sort -u -k2,2n -t: a", "declared: read a"],
    ["sort -o out a", "declared: write out, read a"],
    ["sort a -uoout", "declared: write out, read a"],
    ["sort a --outp=out", "declared: write out, read a"],
    ["sort --compress-program=x a", "open: read a, run x"],
    ["sort --compress-prog x a", "open: read a, run x"],
    ["sort -T tmp a", "declared: write tmp/**, read a"],
    ["sort --files0-from=list", "open: read list"],
    ["sort +1 a", "open: read +1, read a"],
    ["sort -$x", "open"],
    ["uniq -c a", "declared: read a"],
    ["uniq a b", "declared: read a, write b"],
    ["uniq - b", "declared: write b"],
    ["uniq src/**", "declared: read <src>*, write <src>*"],
    ["uniq a b c", "open: read a, write b, write c"],
    ["join -t, -1 2 a b", "declared: read a, read b"],
    ["fold -sw 80 a", "declared: read a"],
    ["fmt -w 80 a", "declared: read a"],
    ["expand -t 4 a", "declared: read a"],
    ["unexpand -a a", "declared: read a"],
    ["column -ts, a", "declared: read a"],
    ["column -t -n a", "declared: read a"],
    ["rev a", "declared: read a"],
    ["shuf -n 1 a", "declared: read a"],
    ["shuf a -o b", "declared: write b, read a"],
    ["iconv -f latin1 -t utf-8 a", "declared: read a"],
    ["iconv -f x -t y a -o b", "declared: write b, read a"],
    ["pr -2 a", "declared: read a"],
    ["look word list", "declared: read list"],
    ["tsort a", "declared: read a"],
    ["numfmt --to=iec $x", "declared"],
    ["factor $x", "declared"],
    ["expr $x + 1", "declared"],
    ["bc -l a", "open: read a"],
    ["dc -e 1", "open"],
    ["yq . a", "open"],
  ])("%j: %s", (script, shown) => {
    expect(doingForTest(TEXT, script)).toBe(shown);
  });

  test("lets bc read no line that some shell may get", () => {
    expect(doingForTest(TEXT, "bc -l", { kind: "text", text: "2^10 != 3\n" })).toBe("declared");
    expect(doingForTest(TEXT, "bc -l", { kind: "text", text: "1\n!id\n" })).toBe("open");
  });

  test.each<[string, Input, string]>([
    ["sort -u", PATHS, "declared: prints <src>"],
    ["sort -z", PATHS0, "declared: prints <src>0"],
    ["sort", PATHS0, "declared"],
    ["sort --debug", PATHS, "declared"],
    ["sort a", PATHS, "declared: read a"],
    ["head -20", PATHS, "declared: prints <src>"],
    ["head -n 5", PATHS, "declared: prints <src>"],
    ["head -c 5", PATHS, "declared"],
    ["head -5c", PATHS, "declared"],
    ["head -v", PATHS, "declared"],
    ["tail -n 1", PATHS, "declared: prints <src>"],
    ["tail -b 1", PATHS, "declared"],
    ["tac", PATHS, "declared: prints <src>"],
    ["uniq", PATHS, "declared: prints <src>"],
    ["uniq -c", PATHS, "declared"],
    ["shuf -n 3", PATHS, "declared: prints <src>"],
    ["cat", PATHS, "declared: prints <src>"],
    ["cat -n", PATHS, "declared"],
    ["cat", { kind: "text", text: "a\n" }, 'declared: prints "a\\n"'],
    ["tr \\n \\0", PATHS, "declared: prints <src>0"],
    ["tr \\0 \\n", PATHS0, "declared: prints <src>"],
    ["tr \\n \\0", PATHS0, "declared"],
    ["tr s /", PATHS, "declared"],
    ["tr -d \\n", PATHS, "declared"],
    ["tr -d x", NUMBERS, "declared: prints numbers"],
    ["sort -n", NUMBERS, "declared: prints numbers"],
    ["wc --files0-from=-", PATHS0, "declared: read <src>*"],
    ["sort --files0-from=- -o out", PATHS0, "declared: write out, read <src>*"],
    ["wc --files0-from=-", PATHS, "open"],
  ])("%j passes on no more than it does: %j %s", (script, stdin, shown) => {
    expect(doingForTest(TEXT, script, stdin)).toBe(shown);
  });
});

describe("split and csplit", () => {
  test.each([
    ["split -l 100 big parts/part_", "declared: read big, write parts/**"],
    ["split -b 1m big parts/", "declared: read big, write parts/**"],
    ["split -n 4 big", "open: read big, write xaa"],
    ["split big .git/hooks", "declared: read big, write .git/**"],
    ["split big ./part", "open: read big, write ./partaa"],
    ["split --filter=sh big x/y", "open: read big, run sh -c sh"],
    ["split --filt sh big x/y", "open: read big, run sh -c sh"],
    ["split big $x", "open: read big"],
    ["split big a$x", "open: read big"],
    ["csplit -f out/x big /re/", "declared: read big, write out/**"],
    ["csplit big /re/ {*}", "open: read big, write xx00"],
    ["csplit -b %d big 5", "open: read %d, write xx00"],
  ])("%j: %s", (script, shown) => {
    expect(doingForTest(TEXT, script)).toBe(shown);
  });
});
