// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { planOf } from "./plan-for-test.ts";

describe("characters that nobody sees", () => {
  test.each([
    "w '\x1b[31m' a",
    'w "\x1b[0m" "x\x1b"\'\x1b\'',
    "w $'\x1b[1m\\e'",
    'x=1; w "\x1b$x" $x"\x1b"',
    "x='\x1b[1;34m'; w \"$x\" '\x1b\u3000'",
    'for x in \'\x1ba\' "\x1bb"; do w "$x"; done',
    "[[ '\x1b' == \"\x1b\" ]] && w \"$(echo '\x1b')\"",
    "w {a,b}'\x1b'",
    "w `echo b # a\r\n`",
    "w a # b\r\nw c #\r",
    "#!/bin/bash\r\n# \r\r\nw a",
    'if true # x\r\nthen # y\r\nw "$(echo b # z\r\n)"; fi',
    "w a <<E # b\r\nc\nE\n",
  ])("%j is read as bash does", async (script) => {
    const { effects } = await planOf(script);
    expect(effects.filter(({ kind }) => kind === "unknown")).toEqual([]);
    const planned = effects.flatMap((effect) => (effect.kind === "command" && effect.argv[0] === "w" ? [effect.argv.slice(1)] : []));
    const { stdout, status } = spawnSync("bash", ["--noprofile", "--norc", "-c", `w() { printf '%s\\0' "$@"; printf '\\1'; }\n${script}`], {
      encoding: "utf8",
      env: { LC_ALL: "C.UTF-8" },
    });
    expect(status).toBe(0);
    const ran = stdout.split("\x01").slice(0, -1);
    expect(planned.map((words) => words.map((word) => `${word}\0`).join(""))).toEqual(ran);
  });

  test.each([
    "w \x1b",
    "w a\\\x1bb",
    "w a\x1b'b'",
    "w ${x:-\x1b}",
    "\x1b w",
    "w {a,\x1b}",
    "w {a,'\x1b'}",
    "w $((1\x1b))",
    "w [\x1b]*",
    "[[ \x1b == a ]]",
    "w <<\x1b\na\n\x1b",
    "w '\u3000'\x1b",
    "w a\r",
    "w a\r\nw b",
    "w a #b\nw c\r\n",
    "w a#b\r\nw",
    "w 'a\r'",
    'w "a\r"',
    "w \\\r",
    "w a; \r\nw b # c\r\n",
    "w <<E\na\r\nE\n",
    "w <<E\n# a\r\nE\n",
    "w <<'E'\n# a\r\nE\n",
    "w $(w\r\n)",
    "x=(a\r\nb)",
    "x=(a # b\r\n)",
    "[[ a ==\rb ]]",
    "w '# a\r\n'",
    'w "\n# a\r\n"',
    "w $((1 #\r\n))",
    "w \x01",
    "w '\x07'",
    "w '\x7f'",
    "w # \x07",
  ])("%j is not understood", async (script) => {
    expect((await planOf(script)).effects).toMatchObject([{ kind: "unknown", commands: true }]);
  });
});
