import { describe, expect, test } from "vitest";
import { AWK } from "./awk.ts";
import { commandsInAwk } from "./awk-program.ts";
import { CHANGE } from "./change.ts";
import { callForTest, showDoing } from "./doing-for-test.ts";
import { EDITORS } from "./editors.ts";
import { LANGUAGES } from "./languages.ts";
import { OUTPUTS } from "./outputs.ts";
import { SEARCH } from "./search.ts";
import { SED } from "./sed.ts";
import { TEXT } from "./text.ts";

const FAMILIES = { ...TEXT, ...CHANGE, ...SEARCH, ...SED, ...AWK, ...EDITORS, ...OUTPUTS };

function shown(line: string): string {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  return showDoing(callForTest(FAMILIES, words));
}

test.each([
  ["split '--filter=rm x' a", "open: read a, run sh -c rm x"],
  ["sed 's/.*/rm x/e' a", "open: read a, run sh -c rm x"],
  ["sed '1e rm x' a", "open: read a, run sh -c rm x"],
  ["sed e a", "open: read a, run sh ?"],
  ["sed -i -f s a", "open: read s, read a, write a"],
  ["tar cf o a --checkpoint-action 'exec=rm x'", "open: read a/**, write o, run sh -c rm x"],
  ["tar cf o a --checkpoint-action=dot", "open: read a/**, write o"],
  ["tar xf o --to-command 'rm x'", "open: read o, run sh -c rm x"],
  ["tar -I 'zstd -T0' -cf o a", "open: read a/**, write o, run zstd -T0"],
  ["tar -F 'rm x' -cf o a", "open: read a/**, write o, run sh -c rm x"],
  ["zip -T -TT 'rm x' o.zip a", "open: read a/**, write o.zip, run rm x"],
  ["sort --compress-program=rm a -o o", "open: write o, read a, run rm"],
  ["rg --pre rm x a", "open: read a/**, read x/**, run rm ?"],
  ["fd x -x rm {} ';' -e ts", "open: stat ./**, run rm ./?"],
  ["man -P 'rm x' ls", "open: run rm x"],
  ["less -N a", "declared: read a"],
  ["more a b", "declared: read a, read b"],
  ["less", "declared"],
  ["less -k b a", "open: read a"],
  ["less $x", "open"],
  ["less '+!rm x' a", "open: read a, run sh -c rm x"],
  ["less -o log a", "open: write log, read a"],
  ["vim -c '!rm x' a", "open: read a, write a, run sh -c rm x"],
  ["vim '+silent !rm x'", "open: run sh -c rm x"],
  ["vim -es -c 'w o' a", "open: read a, write a, write o"],
  ["ex -c 'w !rm x' a", "open: read a, write a, run sh -c rm x"],
  ["vim -c 'w! o' a", "open: read a, write a, write o"],
  [`awk 'BEGIN{system("rm x")}'`, "open: run sh -c rm x"],
  [`awk '{print | "rm x"}' a`, "open: read a, run sh -c rm x"],
  [`awk -f p a`, "open: read p, read a"],
])("%s: %s", (line, does) => {
  expect(shown(line)).toBe(does);
});

test("an editor runs what it reads", () => {
  const input = { kind: "text", text: "1d\nw o\n!rm x\nit is\n" } as const;
  expect(showDoing(callForTest(EDITORS, ["ed", "-s", "a"], input))).toBe("open: read a, write a, write o, run sh -c rm x");
});

describe("commands in a program of awk", () => {
  test.each([
    [`BEGIN { system("rm \\"a b\\"\\n") }`, ['rm "a b"\n']],
    [`{ system($1) }`, [null]],
    [`{ system("rm " $1) }`, [null]],
    [`BEGIN { "rm x" | getline y }`, ["rm x"]],
    [`BEGIN { c = "rm x"; c | getline }`, [null]],
    [`{ print $1 | "sort -u" }`, ["sort -u"]],
    [`{ print $1 | "sort " f }`, [null]],
    [`{ print $1 |& "rm x" }`, ["rm x"]],
    [`{ while ((getline l < "f") > 0) n++ }`, []],
    [`/a|b/ { print; getline }`, []],
    [`/a/ || /b/ { print; getline }`, []],
    [`{ system("\\x72m x") }`, [null]],
  ])("%s: %j", (program, commands) => {
    expect(commandsInAwk(program)).toEqual(commands);
  });
});

describe("what programs that are not known as a whole read and write", () => {
  test.each([
    ["mktemp -p d", "open: write d/**"],
    ["mktemp -d d/x.XXXX", "open: write d/**"],
    ["mktemp", "open"],
    ["mktemp --tmpdir=d x.XXX", "open: write d/**, write d/./**"],
    ["mkfifo -m 600 a b", "declared: write a, write b"],
    ["mknod a c 1 3", "declared: write a"],
    ["sdiff -o o a b", "open: write o, read a/**!, read b/**!"],
    ["zstd -o o a", "declared: read a, write o"],
    ["zstd --output-dir-flat d a", "open: read a, write d/**, write a.zst"],
    ["gcc -o o a.c", "open: write o, read a.c"],
    ["gcc -oo -O2 a.c -lm", "open: write o, read a.c"],
    ["gcc -c src/a.c", "open: read src/a.c, write a.o"],
    ["rustc a.rs", "open: read a.rs, write a"],
    ["go build -o=o ./cmd", "open: write o"],
    ["ar rcs o.a b.o", "open: read o.a, write o.a, read b.o"],
    ["ar t o.a", "open: read o.a"],
    ["objcopy a b", "open: read a, write b"],
    ["strip -o b a", "open: write b, read a"],
    ["strip a", "open: read a, write a"],
    ["ffmpeg -i a -c copy b", "open: read a, write b"],
    ["convert a -resize 1x1 b", "open: read a, read 1x1, write b"],
    ["pandoc -o b a", "open: write b, read a"],
    ["patch a p", "open: read p, read a, write a, write a.orig, write a.rej"],
    ["patch -p1 -d d", "open: write d/**"],
    ["patch -o o -r r a p", "open: write o, write r, read p, read a"],
    ["patch -d d -i ../p -r r", "open: write d/r, read d/../p, write d/**"],
    ["patch --reject-file=.git/config", "open: write .git/config, write ./**"],
    ["patch -b -V simple", "open: write ./**"],
    ["patch -b -z .old s/a p", "open: read p, read s/a, write s/a, write s/a.orig, write s/a.rej, write s/a.old"],
    ["patch -B x s/a p", "open: read p, read s/a, write s/a, write s/a.orig, write s/a.rej, write xs/a"],
    ["patch -Y x s/a p", "open: read p, read s/a, write s/a, write s/a.orig, write s/a.rej, write s/xa"],
    ["patch -B .git/hooks/", "open: write ./**, unknown"],
    ["patch -bB/x/", "open: write ./**, unknown"],
    ["patch -Y ../ -p1", "open: write ./**, unknown"],
    ["patch -z /../x", "open: write ./**, unknown"],
    ["patch --prefix=.git/", "open: write ./**, unknown"],
    ["patch --pre .git/", "open: write ./**, unknown"],
    ["patch --basename-prefix=/x", "open: write ./**, unknown"],
    ["patch --suffix=/x", "open: write ./**, unknown"],
    ["patch -B $x", "open: write ./**, unknown"],
    ["patch -B$x", "open: write ./**, unknown"],
    ["patch --suffix=$x", "open: write ./**, unknown"],
    ["patch --dry-run -p1", "open"],
    ["sponge a", "open: write a"],
    ["7z x a -od", "open: read a, write d/**"],
    ["unzip -: a.zip -d d", "open: read a.zip, write d/**"],
    ["cp -t d $*", "open: write d/**"],
    ["cp $x d", "open: write d/**"],
    ["rm --unknown a", "open: delete a"],
    ["dd if=a of=b unknown", "open: read a, write b"],
    ["split -n 3 --unknown a d/x", "open: read a, write d/**"],
  ])("%s: %s", (line, does) => {
    expect(showDoing(callForTest({ ...FAMILIES, ...LANGUAGES }, line.split(" ")))).toBe(does);
  });
});
