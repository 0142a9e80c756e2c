import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { widthOf } from "./width.ts";

const WCWIDTH = `
import ctypes, locale
locale.setlocale(locale.LC_ALL, "C.UTF-8")
wcwidth = ctypes.CDLL(None).wcwidth
print("".join(str(max(wcwidth(code), 0)) for code in range(0x110000)))`;

test("no character is wider for the system's C library than it is here", ({ skip }) => {
  const { status, stdout } = spawnSync("python3", ["-c", WCWIDTH], { encoding: "latin1", maxBuffer: 4 * 2 ** 20 });
  if (status !== 0) return skip();
  const wider: string[] = [];
  // none is less than one column here
  for (const { index: code } of stdout.matchAll(/[2-9]/g)) {
    if (Number(stdout[code]) > widthOf(String.fromCodePoint(code))) wider.push(code.toString(16));
  }
  expect(wider).toEqual([]);
});
