import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkArchitecture } from "./check-architecture.ts";

const src = fileURLToPath(new URL("../../src", import.meta.url));

/** Files longer than style allows. The list may only shrink. */
const LONG_FILES: Readonly<Record<string, number>> = {};

function sources(): Map<string, string> {
  const paths = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(src, path), "utf8")]));
}

describe("the walls between rooms", () => {
  test("stand", () => {
    expect(checkArchitecture({ files: sources(), longFiles: LONG_FILES })).toEqual([]);
  });

  const room = (path: string, text: string): [string, string] => [path, text];
  test.each([
    ["an import upward", room("log/a.ts", `import { x } from "../session/index.ts";`), "log may not import session"],
    ["a type import upward", room("tools/a.ts", `import type { X } from "../executor/index.ts";`), "tools may not import executor"],
    ["a dynamic import upward", room("base/a.ts", `export const f = () => import("../cli/index.ts");`), "base may not import cli"],
    ["an inline type import upward", room("shell/a.ts", `export type X = import("../tools/index.ts").X;`), "shell may not import tools"],
    ["a room entered by the window", room("executor/a.ts", `import { x } from "../tools/read.ts";`), "entered by its index.ts"],
    ["a Node module in a pure room", room("permissions/a.ts", `import { readFileSync } from "node:fs";`), "uses no Node modules"],
    ["a Node module without prefix", room("log/a.ts", `import fs from "fs";`), "without its node: prefix"],
    ["a re-export of everything", room("tools/index.ts", `export * from "./read.ts";`), "uses export *"],
    ["the environment read below the doors", room("models/a.ts", "export const f = () => process.env.KEY;"), "reads process.env"],
    ["work at import", room("log/a.ts", "start();"), "runs something at import"],
    ["require", room("log/a.ts", `const x = require("x");`), "uses require"],
    ["a file of 401 lines", room("log/a.ts", "\n".repeat(401)), "has 401 lines"],
    ["a test of 301 lines", room("log/a.test.ts", "\n".repeat(301)), "has 301 lines"],
    ["a file in no room", room("utils/a.ts", `import { x } from "../log/index.ts";`), "is in no room"],
  ])("turn red for %s", (_, planted, expected) => {
    const files = new Map([
      ...["session", "executor", "tools", "cli", "log"].map((name) => room(`${name}/index.ts`, "")),
      room("tools/read.ts", ""),
      planted,
    ]);
    expect(checkArchitecture({ files })).toEqual([expect.stringContaining(expected)]);
  });

  test("turn red for a ring, of types too", () => {
    const files = new Map([
      ["log/a.ts", `import type { B } from "./b.ts";`],
      ["log/b.ts", `import { a } from "./a.ts";`],
    ]);
    expect(checkArchitecture({ files })).toEqual(["ring: log/a.ts → log/b.ts → log/a.ts"]);
  });

  test("turn red when the pure door reaches a Node module", () => {
    const files = new Map([
      ["index.ts", `export { x } from "./log/pure.ts";`],
      ["log/pure.ts", `export { x } from "./x.ts";`],
      ["log/x.ts", `import { readFileSync } from "node:fs"; export const x = readFileSync;`],
    ]);
    expect(checkArchitecture({ files })).toEqual(["the pure door index.ts reaches node:fs by log/x.ts"]);
  });

  test("turn red when a listed long file grows or is mended", () => {
    const files = new Map([["log/a.ts", "\n".repeat(500)]]);
    expect(checkArchitecture({ files, longFiles: { "log/a.ts": 450 } })).toEqual([expect.stringContaining("the list says 450")]);
    expect(checkArchitecture({ files: new Map([["log/a.ts", ""]]), longFiles: { "log/a.ts": 450 } })).toEqual([
      expect.stringContaining("no longer long"),
    ]);
  });
});
