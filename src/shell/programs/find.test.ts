import { describe, expect, test } from "vitest";
import { callForTest, doingForTest } from "./doing-for-test.ts";
import { SEARCH } from "./search.ts";

describe("find", () => {
  test.each([
    ["find", "declared: stat ./**, prints <.>"],
    ["find . -name *.ts", "declared: stat ./**, prints <. of *.ts>"],
    ["find src tests/ -type f -o -size +1k", "declared: stat src/**, stat tests//**, prints <src tests>"],
    ["find -L src -maxdepth 2", "declared: stat src/**!, prints <src>"],
    ["find / -maxdepth 1 -type d", "declared: stat /"],
    ["find src -maxdepth 1 -maxdepth 2", "declared: stat src/**, prints <src>"],
    ["find src -follow", "declared: stat src/**!, prints <src>"],
    ["find -H -O3 -D stat src", "declared: stat src/**, prints <src>"],
    ["find . ( -name a -o -name b ) ! -path x -print0", "declared: stat ./**, prints <. of a b>0"],
    ["find . -name a -prune -o -print", "declared: stat ./**, prints <.>"],
    ["find . -print -print0", "declared: stat ./**"],
    ["find . -ls", "declared: stat ./**"],
    ["find . -printf %p\\n", "declared: stat ./**, prints <.>"],
    ["find . -printf %f\\n", "declared: stat ./**"],
    ["find / -name x", "declared: stat //**"],
    ["find . -newer a -samefile b", "declared: stat ./**, stat a, stat b, prints <.>"],
    ["find . -newermt $x", "declared: stat ./**, prints <.>"],
    ["find . -newercm a", "declared: stat ./**, stat a, prints <.>"],
    ["find . -name $x", "declared: stat ./**, prints <.>"],
    ["find a/** -type f", "declared: stat <a>*/**, prints <a regular>"],
    ["find ./$x -type f", "declared: stat ./?/**"],
    ["find . -delete", "declared: stat ./**, delete ./**"],
    ["find a b -name x -delete", "declared: stat a/**, stat b/**, delete a/**, delete b/**"],
    ["find . -fprint out", "declared: stat ./**, write out"],
    ["find . -fls out -print", "declared: stat ./**, write out, prints <.>"],
    ["find . -fprint0 out", "declared: stat ./**, write out"],
    ["find . -fprintf out %p", "declared: stat ./**, write out"],
  ])("%j: %s", (script, shown) => {
    expect(doingForTest(SEARCH, script)).toBe(shown);
  });

  test.each([
    ["find . -exec rm {} ;", "declared: stat ./**, run rm <.>"],
    ["find a b -exec wc -l {} +", "declared: stat a/**, stat b/**, run wc -l <a b>*"],
    ["find src -exec sh -c x sh {} ;", "declared: stat src/**, run sh -c x sh <src>"],
    ["find src -exec sh -c cat_{} ;", "declared: stat src/**, run sh -c cat_?"],
    ["find src -exec cp {} {}.bak ;", "declared: stat src/**, run cp <src> ?"],
    ["find src -exec {} ;", "declared: stat src/**, run <src>"],
    ["find src -ok rm {} ;", "declared: stat src/**, run rm <src>"],
    ["find src -execdir rm {} ;", "declared: stat src/**, run rm ? in <src>"],
    ["find src -okdir rm {} ;", "declared: stat src/**, run rm ? in <src>"],
    ["find . -exec a ; -exec b {} + -print", "declared: stat ./**, run a, run b <.>*"],
    ["find . -exec a + b {} ;", "declared: stat ./**, run a + b <.>"],
    ["find . -exec rm {}", "open: unknown"],
    ["find . -exec ;", "open: unknown"],
    ["find . -exec echo $x ; -delete", "open: unknown"],
    ["find . -exec echo a$x ;", "declared: stat ./**, run echo a?"],
    ["find . -exec echo a/** ;", "declared: stat ./**, run echo <a>*"],
  ])("runs what it is told to: %j: %s", (script, shown) => {
    expect(doingForTest(SEARCH, script)).toBe(shown);
  });

  test.each([
    ["find $x", "open"],
    ["find $x -name a", "open"],
    ["find . $x", "open"],
    ["find $* -name a", "open"],
    ["find . -name $*", "open"],
    ["find . -name", "open"],
    ["find . -fprintf out", "open"],
    ["find . -unknown", "open"],
    ["find -files0-from list", "open"],
    ["find -f . -name x", "open"],
    ["find . -depth 1", "open"],
    ["find . -name a b", "open"],
  ])("is open when a word may be anything: %j", (script, shown) => {
    expect(doingForTest(SEARCH, script)).toBe(shown);
  });

  test("says that a path put for {} begins as the folders do, and is not empty", () => {
    const [run] = callForTest(SEARCH, "find src/a src/b -exec cat {} +".split(" ")).runs;
    expect(run).toEqual({
      words: [
        { known: true, value: "cat" },
        { known: false, raw: "{}", single: false, prefix: "src/", below: ["src/a", "src/b"], nonEmpty: true },
      ],
    });
  });
});

describe("what find prints and puts for {}", () => {
  test.each([
    ["-name *.ts", "of *.ts"],
    ["-iname *.TS -type f", "of *.TS regular"],
    ["-name a?.ts", "of a*.ts"],
    ["-name a -name b", "of b"],
    ["-name a -o -name b", "of a b"],
    ["( -name *.js -o -name *.ts ) -type f -size +1k", "of *.js *.ts regular"],
    ["-type f ( -name a -or -iname b ) -and -mtime -1", "of a b regular"],
    ["-name a -o -size 1", ""],
    ["-name a -o -type f", ""],
    ["-name a -type f -o -type f", "regular"],
    ["-size 1 -o -name a", ""],
    ["! -name a", ""],
    ["-not -name a", ""],
    ["! ( -name a ) -type f", "regular"],
    ["! ! -name a", ""],
    ["-name a , -size 1", ""],
    ["-size 1 , -name a", ""],
    ["( -size 1 , -name a ) -name b", ""],
    ["-name a -type d", "of a"],
    ["-type f,l", ""],
    ["-xtype f", ""],
    ["-name [ab]", ""],
    ["-name {a,b}", ""],
    ["-name a\\*", ""],
    ["-name $x", ""],
    ["-path *.ts", ""],
    ["-name a -print", "of a"],
    ["-print -name a", ""],
    ["-name a -o -print", ""],
    ["-name node_modules -prune -o -name *.ts", "of node_modules *.ts"],
    ["-name node_modules -prune -o -name *.ts -print", "of *.ts"],
    ["-name node_modules -prune -o -type f -print", "regular"],
    ["( -name a -o -name b ) -prune -o -type f -name *.ts -print", "of *.ts regular"],
    ["-type d -name a -prune -o ( -name b -o -name c ) -print", "of b c"],
    ["-name a -print -o -name b -print", "of a b"],
    ["-name a -print -o -print", ""],
    ["-name a -printf %p\\n", "of a"],
    ["-name a ( -size 1 -print -o -size 2 -print )", "of a"],
    ["-name a -o ( )", ""],
    ["-name a )", ""],
    ["-name a -o", ""],
    ["-o -name a", ""],
    ["-name a -follow", ""],
    [`${"( ".repeat(40)}-name a${" )".repeat(40)}`, ""],
    [`${"! ".repeat(40)}-name a`, ""],
  ])("is %s told as %j", (expression, facts) => {
    expect(doingForTest(SEARCH, `find src ${expression}`)).toMatch(`prints <src${facts === "" ? "" : ` ${facts}`}>`);
  });

  test.each([
    ["find src -name *.ts -type f -exec cat {} ;", "run cat <src of *.ts regular>"],
    ["find src -name *.ts -exec grep x {} +", "run grep x <src of *.ts>*"],
    ["find src -name a -prune -o -name b -exec cat {} +", "run cat <src of b>*"],
    ["find src -name a -exec cat {} ; -o -name b -exec wc {} +", "run cat <src of a>, run wc <src of b>*"],
    ["find src -exec cat {} ; -name a", "run cat <src>"],
    ["find src ! -exec cat {} ; -name a -exec wc {} ;", "run cat <src>, run wc <src of a>"],
    ["find src -name a -execdir cat {} ;", "run cat ? in <src>"],
    ["find -L src -name a -type f -exec cat {} ;", "run cat <src>"],
    ["find src -name a -type f -exec cat {} ; -follow", "run cat <src>"],
    ["find -H src -name a -type f -exec cat {} ;", "run cat <src of a>"],
  ])("%j: %s", (script, shown) => {
    expect(
      doingForTest(SEARCH, script)
        .split(/!?, (?=run)/)
        .slice(1)
        .join(", "),
    ).toBe(shown);
  });
});
