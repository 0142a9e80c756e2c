import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ownCommand } from "./own-command.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "own command-")));
  for (const folder of ["package", "first", "second"]) mkdirSync(path.join(root, folder));
  writeFileSync(path.join(root, "package/collet.js"), "");
  chmodSync(path.join(root, "package/collet.js"), 0o755);
});
afterEach(() => rmSync(root, { recursive: true }));

function own(env: Readonly<Record<string, string>>): string {
  const argv = ["node", path.join(root, "package/collet.js")];
  // only the arguments are looked at
  return ownCommand({ env, process: { argv } as unknown as NodeJS.Process });
}

const PATH = () => `${path.join(root, "first")}:${path.join(root, "second")}`;

test("is the name on the PATH when that leads to this very file", () => {
  symlinkSync(path.join(root, "package/collet.js"), path.join(root, "second/collet"));
  expect(own({ PATH: PATH() })).toBe("collet");
});

test("is node and the quoted file when the name is not there, or is another program", () => {
  const spelled = `node '${path.join(root, "package/collet.js")}'`;
  expect(own({ PATH: PATH() })).toBe(spelled);
  symlinkSync(path.join(root, "package/collet.js"), path.join(root, "second/collet"));
  writeFileSync(path.join(root, "first/collet"), "#!/bin/sh\n");
  chmodSync(path.join(root, "first/collet"), 0o755);
  expect(own({ PATH: PATH() })).toBe(spelled);
});

test("is npx when npx started this", () => {
  expect(own({ PATH: PATH(), npm_command: "exec" })).toBe("npx --no-install collet");
});
