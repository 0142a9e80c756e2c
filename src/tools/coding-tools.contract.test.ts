import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { localSandbox } from "../sandbox/index.ts";
import { type ToolFixture, toolContract } from "../testing/tool-contract.ts";
import { codingTools } from "./coding-tools.ts";
import { command } from "./command.ts";
import { readOnlyTools } from "./read-only-tools.ts";

const sets = {
  "a coding agent": codingTools(),
  "one who only reads": readOnlyTools(),
  grants: [command({ command: "cat" }), command({ command: "ls", allow: ["-l src"], name: "list" })],
};

describe.each(Object.entries(sets))("the contract of the tools of %s", (_, tools) => {
  for (const tool of tools) for (const { name, run } of toolContract(tool, onDisk)) test(name, run);
});

async function onDisk(): Promise<ToolFixture> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "collet-tools-")));
  mkdirSync(join(workspace, "src"));
  writeFileSync(join(workspace, "src", "a.ts"), "export const a = 'one';\nexport const b = 2;\n");
  const sandbox = await localSandbox({ workspace, home: "/home/none", hostEnv: { PATH: process.env.PATH }, clock: systemClock });
  const files = () => readdirSync(workspace, { recursive: true, encoding: "utf8" }).sort();
  return {
    sandbox,
    snapshot: () =>
      files().map((name) => {
        const path = join(workspace, name);
        return [name, statSync(path).isFile() ? readFileSync(path, "utf8") : null];
      }),
    close: () => rmSync(workspace, { recursive: true, force: true }),
  };
}
