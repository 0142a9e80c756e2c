import { describe, expect, test } from "vitest";
import type { Input } from "../doing.ts";
import { doingForTest } from "./doing-for-test.ts";
import { SEARCH } from "./search.ts";

const PATHS: Input = { kind: "paths", below: ["src"], end: "\n" };

describe("grep", () => {
  test.each([
    ["grep x a b", "declared: read a, read b"],
    ["grep -n -A3 x a", "declared: read a"],
    ["grep -rn x", "declared: read ./**"],
    ["grep -rn x src tests", "declared: read src/**, read tests/**"],
    ["grep -Rn x src", "declared: read src/**!"],
    ["grep x src -r", "declared: read src/**"],
    ["grep -d recurse x src", "declared: read src/**"],
    ["grep -drecurse x", "declared: read ./**"],
    ["grep --directories=skip x a", "declared: read a"],
    ["grep -d $x x a", "open"],
    ["grep -e x -e y a", "declared: read a"],
    ["grep -f patterns a", "declared: read patterns, read a"],
    ["grep -fpatterns -r", "declared: read patterns, read ./**"],
    ["grep --exclude-from=list -r x src", "declared: read list, read src/**"],
    ["grep -r --include=*.ts --exclude-dir node_modules x src", "declared: read src/**"],
    ["grep -5 x a", "declared: read a"],
    ["grep $x a", "open"],
    ["grep -- $x a", "declared: read a"],
    ["grep -e $x a", "declared: read a"],
    ["grep x $x", "open"],
    ["grep -S x a", "open"],
    ["egrep -v x a", "declared: read a"],
    ["fgrep x a", "declared: read a"],
    ["rgrep x", "declared: read ./**"],
    ["zgrep x a.gz", "open"],
    ["ag x", "open"],
    ["ack x", "open"],
    ["grep -rl x src", "declared: read src/**, prints <src>"],
    ["grep -rlZ x src", "declared: read src/**, prints <src>0"],
    ["grep -rl x", "declared: read ./**, prints <>"],
    ["grep -rl x src/** --color=always", "declared: read <src>*/**"],
    ["grep -rlc x src", "declared: read src/**"],
    ["grep -c x a", "declared: read a, prints numbers"],
    ["grep -c x a b", "declared: read a, read b"],
    ["grep -c x src/**", "declared: read <src>*"],
    ["grep -cH x a", "declared: read a"],
    ["grep x a", "declared: read a"],
  ])("%j: %s", (script, shown) => {
    expect(doingForTest(SEARCH, script)).toBe(shown);
  });

  test.each([
    ["grep -v x", "declared: prints <src>"],
    ["grep -E -e a|b -e c", "declared: prints <src>"],
    ["grep -n x", "declared"],
    ["grep -o x", "declared"],
    ["grep -A1 x", "declared"],
    ["grep -H x", "declared"],
    ["grep -z x", "declared"],
    ["grep x -", "declared"],
    ["grep -l x", "declared"],
    ["grep -c x", "declared: prints numbers"],
  ])("prints no more than lines of its standard input: %j: %s", (script, shown) => {
    expect(doingForTest(SEARCH, script, PATHS)).toBe(shown);
  });
});

describe("rg with a standard input", () => {
  test.each([
    ["rg x", "declared"],
    ["rg -v x -", "declared"],
    ["rg --files", "declared: read ./**, prints <>"],
    ["rg -f -", "declared: read ./**"],
  ])("reads the folder only when it is not what is looked through: %j: %s", (script, shown) => {
    expect(doingForTest(SEARCH, script, PATHS)).toBe(shown);
  });
});

describe("rg and fd", () => {
  test.each([
    ["rg x", "declared: read ./**"],
    ["rg -n x src", "declared: read src/**"],
    ["rg -uu -tts x src tests", "declared: read src/**, read tests/**"],
    ["rg -L x", "declared: read ./**!"],
    ["rg -e x src", "declared: read src/**"],
    ["rg -f patterns", "declared: read patterns, read ./**"],
    ["rg --files src", "declared: read src/**, prints <src>"],
    ["rg --files -0", "declared: read ./**, prints <>0"],
    ["rg -l x src -g *.ts", "declared: read src/**, prints <src>"],
    ["rg -l x src --color always", "declared: read src/**"],
    ["rg -l x src -r y", "declared: read src/**"],
    ["rg --type-list", "declared"],
    ["rg --ignore-file i x", "declared: read i, read ./**"],
    ["rg -r $x x", "declared: read ./**"],
    ["rg --pre cat x", "open"],
    ["rg --pre=cat x", "open"],
    ["rg --hostname-bin=x x", "open"],
    ["rg -z x", "open"],
    ["rg -nz x", "open"],
    ["rg --search-zip x", "open"],
    ["rg --generate man", "open"],
    ["rg $x", "open"],
    ["fd", "declared: stat ./**"],
    ["fd -e ts x src", "declared: stat src/**"],
    ["fd -HI x", "declared: stat ./**"],
    ["fdfind -L x", "declared: stat ./**!"],
    ["fd --search-path src x", "declared: stat src/**, stat ./**"],
    ["fd --ignore-file i x", "declared: read i, stat ./**"],
    ["fd -x rm", "open"],
    ["fd -X rm", "open"],
    ["fd x --exec-batch rm", "open"],
    ["fd -l x", "open"],
    ["fd --base-directory /etc x", "open"],
  ])("%j: %s", (script, shown) => {
    expect(doingForTest(SEARCH, script)).toBe(shown);
  });
});
