import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const state = mkdtempSync(join(tmpdir(), "collet-state-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));

test.each([
  ["01", ["100 °C is 212 °F.", expect.stringMatching(/^invalid_args: .*absolute zero/), expect.stringMatching(/^invalid_args: /)]],
  ["02", ["ada,Ada Lovelace", "17,one collet", "There is no 18 in orders."]],
  ["03", ["done", "failed: permission_denied", "done", "I wrote NOTES.md; I was not allowed to remove build."]],
  ["04", expect.arrayContaining(["allow", "written: true"])],
  ["05", ["anthropic/any", "openai/any", "openai-compatible/any"].map((model) => `${model}: done, There is one user, Ada Lovelace.`)],
  ["07", ["file.write: ask by mode ask: write", "decision: ask", "would be allowed by write(docs/a.md)"]],
  ["08", ["1970; echo $HOME", "permission_denied: not_in_grant", "[secret:DEPLOY_TOKEN]", "bash_disabled: read_only_tool"]],
  ["06", [expect.stringMatching(/^Wrote \d+ bytes\.$/), expect.stringMatching(/^permission_denied: /)]],
])("example %s runs as its text says", (number, expected) => {
  const run = spawnSync(process.execPath, ["scripts/run-example.mjs", number], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, COLLET_STATE_DIR: state },
  });
  expect(run.stderr).toBe("");
  expect(run.stdout.trim().split("\n")).toEqual(expected);
});
