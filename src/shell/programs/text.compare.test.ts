import { describe, expect, test } from "vitest";
import { callForTest, doingForTest, showDoing } from "./doing-for-test.ts";
import { TEXT } from "./text.ts";

describe("programs that compare, count and dump", () => {
  test.each([
    ["diff a b", "declared: read a/**!, read b/**!"],
    ["diff -u a -", "declared: read a/**!"],
    ["diff -rq --exclude=.git a b", "declared: read a/**!, read b/**!"],
    ["diff -U3 a b", "declared: read a/**!, read b/**!"],
    ["diff --to-file=d a b", "declared: read d/**!, read a/**!, read b/**!"],
    ["diff -X list a b", "declared: read list, read a/**!, read b/**!"],
    ["diff -l a b", "open: read a/**!, read b/**!"],
    ["diff --paginate a b", "open: read a/**!, read b/**!"],
    ["colordiff a b", "declared: read a/**!, read b/**!"],
    ["sdiff -s a b", "declared: read a/**!, read b/**!"],
    ["sdiff -o out a b", "open: write out, read a/**!, read b/**!"],
    ["sdiff --diff-program=x a b", "open: read a/**!, read b/**!, run x"],
    ["diff3 -m a b c", "declared: read a, read b, read c"],
    ["diff3 --diff-program=x a b c", "open: read a, read b, read c, run x"],
    ["cmp -s a b", "declared: read a, read b"],
    ["cmp a b 10 20", "declared: read a, read b"],
    ["comm -12 a b", "declared: read a, read b"],
    ["md5sum a b", "declared: read a, read b"],
    ["sha256sum -c sums", "open: read sums"],
    ["sha256sum --check sums", "open: read sums"],
    ["shasum -a 256 a", "declared: read a"],
    ["b2sum -l 128 a", "declared: read a"],
    ["cksum -a md5 a", "declared: read a"],
    ["md5 -q a", "declared: read a"],
    ["md5 -c x a", "open: read x, read a"],
    ["od -An -tx1 a", "declared: read a"],
    ["hexdump -C -n 64 a", "declared: read a"],
    ["hexdump -f format a", "declared: read format, read a"],
    ["hd a", "declared: read a"],
    ["xxd a", "declared: read a"],
    ["xxd -p -l 16 a", "declared: read a"],
    ["xxd -ps -c16 a", "declared: read a"],
    ["xxd -r -p a b", "declared: read a, write b"],
    ["xxd a b", "declared: read a, write b"],
    ["xxd -r -p", "declared"],
    ["xxd -ac 16 b", "open"],
    ["xxd -rp a", "open"],
    ["xxd a b c", "open: read a, write b, write c"],
    ["strings -n 8 a", "declared: read a"],
    ["strings @a", "open: read @a"],
    ["strings @a/**", "open: read <@a>*"],
    ["base64 -d a", "declared: read a"],
    ["base64 -w0 a", "declared: read a"],
    ["base64 -i a -o b", "declared: write b, read a"],
    ["base32 a", "declared: read a"],
    ["basenc --base64url a", "declared: read a"],
  ])("%j: %s", (script, shown) => {
    expect(doingForTest(TEXT, script)).toBe(shown);
  });
});

describe("jq", () => {
  const jq = (...args: string[]): string => showDoing(callForTest(TEXT, ["jq", ...args]));
  test.each([
    [["."], "declared"],
    [["-r", ".a", "f"], "declared: read f"],
    [["-rc", ".a", "f", "g"], "declared: read f, read g"],
    [["f", "-n"], "declared"],
    [[".", "src/**"], "declared: read <src>*"],
    [["--arg", "x", "$x", "$x == .a", "f"], "declared: read f"],
    [["--slurpfile", "x", "s", "--rawfile", "y", "r", ".", "f"], "declared: read s, read r, read f"],
    [["-n", "--args", "$ARGS", "f"], "declared"],
    [["--indent", "2", ".", "f"], "declared: read f"],
    [[".include", "f"], "declared: read f"],
    [["env.HOME, $ENV, input_filename", "f"], "declared: read f"],
    [["-f", "p", "f"], "open"],
    [["-nf", "p", "f"], "open"],
    [["--from-file", "p", "f"], "open"],
    [["-L", "d", ".", "f"], "open"],
    [["-L.", "."], "open"],
    [['import "a" as $d; $d', "f"], "open: read f"],
    [[' include "a"; .', "f"], "open: read f"],
    [['module {}; include "a"; .'], "open"],
    [['# x\ninclude "a"; .'], "open"],
    [['"a" | modulemeta'], "open"],
    [["$x", "f"], "open"],
    [["--", "$x", "f"], "open: read f"],
    [[".", "$x"], "open"],
    [[".", "$*"], "open"],
    [["--arg", "x"], "open"],
    [["--arg", "x", "$*", "."], "open"],
    [["--args", ".", "-f", "p"], "open"],
    [["--unknown", "."], "open"],
  ])("%j: %s", (args, shown) => {
    expect(jq(...args)).toBe(shown);
  });
});
