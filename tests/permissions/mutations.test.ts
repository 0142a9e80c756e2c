/** No spelling of a denied command is allowed: by quoting, spacing, nesting, wrapping or splitting. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPolicy, decide, type Policy, parseRule } from "../../src/permissions/index.ts";
import { type Look, scriptPlan } from "../../src/shell/index.ts";
import { spellings, type Words } from "./mutations.ts";

const LOOK: Look = {
  kind: async () => "unknown",
  names: async () => null,
  text: async () => null,
  tree: async () => ({ complete: true, readComplete: true, ownComplete: true, guarded: [], linked: [], oddNames: false }),
  program: async () => "trusted",
  gitRuns: async () => null,
  gitTracked: async (folder) => ({ folder, top: folder, files: [] }),
  variables: {},
};

function policyOf(deny: string): Policy {
  return createPolicy({
    mode: "auto",
    rules: [parseRule(deny, "deny", { from: "flag" })],
    workspace: "/ws",
    roots: ["/ws"],
    home: "/home/u",
    configDir: null,
    stateDir: null,
    spillDir: () => null,
  });
}

test.each<[string, Words]>([
  ["command(rm)", ["rm", "-f", "victim"]],
  ["command(git push)", ["git", "push", "origin"]],
  ["command(mytool)", ["mytool", "go"]],
])("%s holds for every spelling of it", async (rule, words) => {
  const policy = policyOf(rule);
  await fc.assert(
    fc.asyncProperty(spellings(words), async (script) => {
      const { effects } = await scriptPlan(script, { cwd: "/ws", home: "/home/u", look: LOOK });
      expect({ script, outcome: decide(effects, policy).decision.outcome }).toEqual({ script, outcome: "deny" });
    }),
    { numRuns: 2000 },
  );
});

test("the spellings do run the command", () => {
  const folder = mkdtempSync(join(tmpdir(), "collet-spellings-"));
  try {
    writeFileSync(join(folder, "mytool"), `#!/bin/sh\n: > ${folder}/ran\n`);
    chmodSync(join(folder, "mytool"), 0o755);
    const scripts = fc.sample(spellings(["mytool", "go"]), { seed: 7, numRuns: 120 });
    // programs that are not everywhere, a tool in /bin, what never ends, and what may be ended before it has begun
    const runnable = scripts.filter((script) => !/coproc|sudo|busybox|watch|ionice|flock|alias|\/bin\/|-i X=1/.test(script));
    const idle: string[] = [];
    for (const script of runnable) {
      rmSync(join(folder, "ran"), { force: true });
      spawnSync("bash", ["--noprofile", "--norc", "-c", script], {
        cwd: folder,
        env: { PATH: `${folder}:/usr/bin:/bin` },
        timeout: 10_000,
      });
      if (!existsSync(join(folder, "ran"))) idle.push(script);
    }
    expect(idle).toEqual([]);
    expect(runnable.length).toBeGreaterThan(20);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
