import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callForTest, showDoing } from "./doing-for-test.ts";
import { SED } from "./sed.ts";
import { readSedScript } from "./sed-script.ts";

const sed = (...args: string[]): string => showDoing(callForTest(SED, ["sed", ...args]));

describe("sed", () => {
  test.each([
    [["s/a/b/"], "declared"],
    [["-n", "5,10p", "f"], "declared: read f"],
    [["-n", "/re/p", "f", "g"], "declared: read f, read g"],
    [["-E", "s/(a|b)/\\1/g", "f"], "declared: read f"],
    [["-e", "s/a/b/", "-e", "$d", "f"], "declared: read f"],
    [["--expression=p", "f"], "declared: read f"],
    [["s/a/b/w out", "f"], "declared: write out, read f"],
    [["r in", "f"], "declared: read in, read f"],
    [["p", "src/**"], "declared: read <src>*"],
    [["-i", "s/a/b/", "f"], "declared: read f, write f"],
    [["-i.bak", "s/a/b/", "f"], "declared: read f, write f, write f.bak"],
    [["-ni", "p", "f"], "declared: read f, write f"],
    [["-i", "-e", "p", "f", "g"], "declared: read f, read g, write f, write g"],
    [["--in-place=~", "p", "f"], "declared: read f, write f, write f~"],
    [["-i", "", "s/a/b/", "f"], "declared: read f, write f"],
    [["-i", "s/a/b/", "src/**"], "declared: read <src>*, write <src>*"],
    [["-n", "s/a/b/", "-i", "f"], "declared: read f, write f"],
    [["--version"], "declared"],
    [["-f", "script", "f"], "open: read script, read f"],
    [["--file=script", "f"], "open: read script, read f"],
    [["-nf", "script"], "open: read script"],
    [["-l", "5", "p", "f"], "open: read f"],
    [["e id", "f"], "open: read f, run sh -c id"],
    [["s/a/b/e", "f"], "open: read f, run sh ?"],
    [["s/a/$x", "f"], "open: read f"],
    [["-e", "$x", "f"], "open: read f"],
    [["p", "$x"], "open"],
    [["-i*x/y", "p", "f"], "open: read f, write f, unknown"],
    [["-ibak/", "p", "f"], "open: read f, write f, unknown"],
    [["-i.git/hooks/*", "p", "f"], "open: read f, write f, unknown"],
    [["-Ei.git/*", "p", "f"], "open: read f, write f, unknown"],
    [["-i*", "p", "f"], "open: read f, write f, unknown"],
    [["--in-place=.git/*", "p", "f"], "open: read f, write f, unknown"],
    [["--in-pl=.git/*", "p", "f"], "open: read f, write f, unknown"],
    [["-i", "-i.git/*", "p", "f"], "open: read f, write f, unknown"],
    [["-i.git/*", "-i", "p", "f"], "open: read f, write f, unknown"],
    [["-i.git/*", "--unknown", "p", "f"], "open: read f, write f, unknown"],
    [["-i$x", "p", "f"], "open: read f, write f, unknown"],
    [["--in-place=$x", "p", "f"], "open: read f, write f, unknown"],
    [["-ni$x", "--unknown", "p", "f"], "open: read f, unknown"],
    [["-i.a", "-i.b", "p", "f"], "declared: read f, write f, write f.a, write f.b"],
    [["-E", "-i.bak", "p", "f"], "declared: read f, write f, write f.bak"],
    [["-iE", "p", "f"], "declared: read f, write f, write fE"],
    [["--in-place=", "p", "f"], "declared: read f, write f"],
    [["-I", ".bak", "p", "f"], "open: read f, write f, write f.bak"],
    [["-i.bak", "p", "src/**"], "open: read <src>*, write <src>*"],
    [["w out", "-e", "p", "f"], "open: read w out, read f"],
    [["p", "f", "-eq"], "open: read p, read f"],
    [["-i", "p", "w.git/hooks/x", "f"], "open: read w.git/hooks/x, read f, write w.git/hooks/x, write f"],
    [["-i", "p", "/tmp/w.env", "f"], "open: read /tmp/w.env, read f, write /tmp/w.env, write f"],
    [["-i", "p", "srararwx", "f"], "open: read srararwx, read f, write srararwx, write f"],
    [["-i", "p", "a", "f"], "declared: read a, read f, write a, write f"],
    [["-i", "p", "writer.ts"], "declared: read writer.ts, write writer.ts"],
  ])("%j: %s", (args, shown) => {
    expect(sed(...args)).toBe(shown);
  });
});

describe("a script of sed", () => {
  const NOTHING = { reads: [], writes: [] };
  test.each([
    "",
    "p",
    "$!N;P;D",
    "1!G;h;$!d",
    ":a;N;$!ba;s/\\n/ /g",
    "1~2d",
    "2,+3p",
    "0,/re/s//x/",
    "/a/,/b/{/c/!p}",
    "/a/I p",
    "\\,a/b, d",
    "s|a/b|c/d|g",
    "s/[^/]*$//2;s/\\[/x/",
    "s/[^\\/]*$//",
    "s/[[:space:]]*$//",
    "s/[]a]/x/;s/[^]]/y/",
    "s/a/x\\\ny/",
    "s,a\\,b,c,Ig",
    "s/\\(w\\)/w e/",
    "y/abc/xyz/",
    "y/[a/]b/",
    "/x/a w out",
    "/x/a\\\nw out",
    "a\\\none\\\nw out\np",
    "i\\  w out",
    "$a\\\nx",
    "# w out\np",
    "q5;Q;l 3",
    "bend;t;T x\n:end",
    "=;F;z",
  ])("that only edits and prints: %j", (script) => {
    expect(readSedScript(script)).toEqual(NOTHING);
  });

  test.each([
    ["w out", [], ["out"]],
    ["/a/w a b;p", [], ["a b;p"]],
    ["s/a/b/gw out\nw other", [], ["out", "other"]],
    ["s/a/b/ ; w out", [], ["out"]],
    ["r in\nR more\nW out", ["in", "more"], ["out"]],
    ["{w out\n}", [], ["out"]],
    ["bx;w out", [], ["out"]],
    ["a x\nw out", [], ["out"]],
    ["a\\\nx\nw out", [], ["out"]],
    ["y/a/b/;w out", [], ["out"]],
    ["#x\nw out", [], ["out"]],
    ["s/a\\/b/c/w out", [], ["out"]],
    ["s/[/]/w out/", [], ["out/"]],
    ["w one\ns/[/]/w out/;s/[/]/x/", [], ["one", "out/;s/[/]/x/"]],
    ["s/a/b/w /dev/stdout", [], ["/dev/stdout"]],
  ])("that names files: %j", (script, reads, writes) => {
    expect(readSedScript(script)).toEqual({ reads, writes });
  });

  test.each([
    ["e", [null]],
    ["1e id", ["id"]],
    ["s/a/b/e", [null]],
    ["s/a/b/ge", [null]],
    ["s/.*/rm x/e", ["rm x"]],
    ["s/^.*$/rm x/me", ["rm x"]],
    ["s/.*/rm &/e", [null]],
    ["s/a/b/we\ne", [null]],
    ["s/[/]/;e/", ["/"]],
    ["s/[/]/p;e id;/", ["id;/"]],
  ])("that hands texts to a shell: %j", (script, runs) => {
    expect(readSedScript(script)?.runs).toEqual(runs);
  });

  test.each([
    "s/a/b/x",
    "s/a/b",
    "sxaxbx",
    "s\\a\\b\\",
    "s/[\\]/w out/]/",
    "s/[a/b/w out",
    "s/a\nb/c/",
    "y/a/b/w out",
    "a",
    "a\nw out",
    "a\\",
    "a\\ \nw out",
    "a x\\\nw out",
    "a\\\nx\\\\\nw out",
    ":a w out",
    ":\nw out",
    "p w out",
    "d}",
    "{p",
    "}",
    "w",
    "r \n",
    "v 4.2",
    "M",
    "1,p",
    "/a",
    "+5p",
    "p\rw out",
  ])("that is not certain: %j", (script) => {
    expect(readSedScript(script)).toBeNull();
  });

  test("is read to its end whatever it holds", () => {
    const piece = fc.constantFrom(..."swpeyabir{}[]/\\;\n #:,1$!~+|^]gw", "s/a/b/", "a\\\n", "[^", "[:", ":]");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const read = readSedScript(pieces.join(""));
        if (read !== null) for (const path of [...read.reads, ...read.writes]) expect(path).not.toMatch(/^$|\n/);
      }),
    );
  });

  test("is read quickly when it is long", () => {
    const start = performance.now();
    expect(readSedScript(`s/${"[a".repeat(8_000)}/b/`)).toBeNull();
    expect(readSedScript("p;".repeat(8_000))).toEqual(NOTHING);
    expect(readSedScript("p;".repeat(20_000))).toBeNull();
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
