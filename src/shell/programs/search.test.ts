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
    ["grep -d $x x a", "open: read a"],
    ["grep -e x -e y a", "declared: read a"],
    ["grep -f patterns a", "declared: read patterns, read a"],
    ["grep -fpatterns -r", "declared: read patterns, read ./**"],
    ["grep --exclude-from=list -r x src", "declared: read list, read src/**"],
    ["grep -r --include=*.ts --exclude-dir node_modules x src", "declared: read src/** of *.ts but node_modules/"],
    ["grep -5 x a", "declared: read a"],
    ["grep $x a", "open: read a"],
    ["grep -- $x a", "declared: read a"],
    ["grep -e $x a", "declared: read a"],
    ["grep x $x", "open: read x"],
    ["grep -S x a", "open: read a, read x"],
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
    ["rg --files", "declared: read ./** but .unless_shown, prints <>"],
    ["rg -f -", "declared: read ./** but .unless_shown"],
  ])("reads the folder only when it is not what is looked through: %j: %s", (script, shown) => {
    expect(doingForTest(SEARCH, script, PATHS)).toBe(shown);
  });
});

describe("rg and fd", () => {
  test.each([
    ["rg x", "declared: read ./** but .unless_shown"],
    ["rg -n x src", "declared: read src/** but .unless_shown"],
    ["rg -uu -trust x src tests", "declared: read src/** of *.rs, read tests/** of *.rs"],
    ["rg -L x", "declared: read ./**!"],
    ["rg -e x src", "declared: read src/** but .unless_shown"],
    ["rg -f patterns", "declared: read patterns, read ./** but .unless_shown"],
    ["rg --files src", "declared: read src/** but .unless_shown, prints <src>"],
    ["rg --files -0", "declared: read ./** but .unless_shown, prints <>0"],
    ["rg -l x src -g *.ts", "declared: read src/** of *.ts, prints <src of *.ts src>"],
    ["rg -l x src --color always", "declared: read src/** but .unless_shown"],
    ["rg -l x src -r y", "declared: read src/** but .unless_shown"],
    ["rg --type-list", "declared"],
    ["rg --ignore-file i x", "declared: read i, read ./**"],
    ["rg -r $x x", "declared: read ./** but .unless_shown"],
    ["rg --pre cat x", "open: read ./**, read x/**, run cat ?"],
    ["rg --pre=cat x", "open: read ./**, read x/**, run cat ?"],
    ["rg --hostname-bin=x x", "open: read ./**, read x/**, run x ?"],
    ["rg -z x", "open: read ./**, read x/**"],
    ["rg -nz x", "open: read ./**, read x/**"],
    ["rg --search-zip x", "open: read ./**, read x/**"],
    ["rg --generate man", "open: read ./**, read man/**"],
    ["rg $x", "open: read ./**"],
    ["fd", "declared: stat ./**, prints <>"],
    ["fd -e ts x src", "declared: stat src/**, prints <src of *.ts>"],
    ["fd -HI x", "declared: stat ./**, prints <>"],
    ["fdfind -L x", "declared: stat ./**!"],
    ["fd --search-path src x", "declared: stat src/**, stat ./**"],
    ["fd --ignore-file i x", "declared: read i, stat ./**"],
    ["fd -x rm", "open: stat ./**, run rm ./?*"],
    ["fd -X rm", "open: stat ./**, run rm ./?*"],
    ["fd x --exec-batch rm", "open: stat ./**, run rm ./?*"],
    ["fd -l x", "open: stat ./**"],
    ["fd --base-directory /etc x", "open: stat /etc/**, stat ./**"],
  ])("%j: %s", (script, shown) => {
    expect(doingForTest(SEARCH, script)).toBe(shown);
  });
});

describe("files that are chosen by their names", () => {
  test.each([
    ["grep -rn --include=*.ts x", "declared: read ./** of *.ts"],
    ["grep -rn --include=*.ts --include *.tsx x src", "declared: read src/** of *.ts *.tsx"],
    ["grep -rl --include=*.ts x", "declared: read ./** of *.ts, prints < of *.ts>"],
    [
      "grep -rl --include=*.ts x . src/ a.md",
      "declared: read ./** of *.ts, read src//** of *.ts, read a.md/** of *.ts, prints <. src a.md of *.ts src a.md>",
    ],
    ["grep -rl --include=*.ts x src/**", "declared: read <src>*/** of *.ts, prints <src>"],
    ["grep -rl --include=*.ts x [a]", "declared: read [a]/** of *.ts, prints <[a]>"],
    ["grep -Rl --include=*.ts x src", "declared: read src/**! of *.ts, prints <src>"],
    ["grep -r --include=*.ts --exclude=*.d.ts x src", "declared: read src/** of *.ts"],
    ["grep -r --exclude=*.d.ts --include=*.ts x src", "declared: read src/**"],
    ["grep -r --exclude-from=f --include=*.ts x src", "declared: read f, read src/**"],
    ["grep -r --exclude=*.env x src", "declared: read src/** but *.env"],
    ["grep -r --include=*.[jt]s x src", "declared: read src/**"],
    ["grep -r --include=*.{js,ts} x src", "declared: read src/**"],
    ["grep -r --include=$x x src", "declared: read src/**"],
    ["grep -r --include=*.ts --include=$x x src", "declared: read src/**"],
    ["grep --include=*.ts x a", "declared: read a"],
    ["grep -r --exclude=.env --exclude=a/* --exclude=[a] x", "declared: read ./** but .env"],
    ["grep -r --exclude-dir=a/ --exclude-dir $x x", "declared: read ./** but a/"],
    ["grep -R --exclude=.env x", "declared: read ./**!"],
    ["grep -r --exclude=.env --include=.* x", "declared: read ./**"],
    ["rg --hidden -g !.env x", "declared: read ./** but .env .env/"],
    ["rg -. -g !a/ x", "declared: read ./** but a/"],
    ["rg -g !.env -g * x", "declared: read ./** of *"],
    ["rg --hidden x", "declared: read ./**"],
    ["rg -uu x", "declared: read ./**"],
    ["rg -u x", "declared: read ./** but .always"],
    ["rg --no-ignore x src", "declared: read src/** but .always"],
    ["rg --no-ignore --ignore-vcs x", "declared: read ./** but .unless_shown"],
    ["rg -S --ignore-case x", "declared: read ./** but .unless_shown"],
    ["rg --ignore-file f x", "declared: read f, read ./**"],
    ["rg x -g *.ts", "declared: read ./** of *.ts"],
    ["rg x -g *.ts -g !*.d.ts --iglob *.JS", "declared: read ./** of *.ts *.JS"],
    ["rg x -g !*.ts", "declared: read ./** but *.ts *.ts/ .unless_shown"],
    ["rg x -g src/*.ts", "declared: read ./**"],
    ["rg x -g #a", "declared: read ./**"],
    ["rg x -g *.{ts,js}", "declared: read ./**"],
    ["rg x -g $x", "declared: read ./**"],
    ["rg x -L -g *.ts -l", "declared: read ./**! of *.ts"],
    ["rg --files -g *.ts src", "declared: read src/** of *.ts, prints <src of *.ts src>"],
    ["rg -t rust -t go x", "declared: read ./** of *.rs *.go"],
    ["rg -t rust -g *.ts x", "declared: read ./** of *.ts"],
    ["rg -t rust -t all x", "declared: read ./**"],
    ["rg -t toString x", "declared: read ./**"],
    ["rg -t rust --type-add rust:* x", "declared: read ./**"],
    ["rg -T rust x", "declared: read ./** but .unless_shown"],
    ["fd -e ts -e .tsx", "declared: stat ./**, prints < of *.ts *.tsx>"],
    ["fd -g *.ts -t f -0", "declared: stat ./**, prints < of *.ts regular>0"],
    ["fd -g *.ts -p", "declared: stat ./**, prints <>"],
    ["fd -g a/*.ts", "declared: stat ./**, prints <>"],
    ["fd . src -t f", "declared: stat src/**, prints <src regular>"],
    ["fd . -t f -t l", "declared: stat ./**, prints <>"],
    ["fd . -a", "declared: stat ./**"],
    ["fd . -L -t f", "declared: stat ./**!"],
    ["fd . --color always", "declared: stat ./**"],
  ])("%j: %s", (script, shown) => {
    expect(doingForTest(SEARCH, script)).toBe(shown);
  });
});
