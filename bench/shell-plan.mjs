#!/usr/bin/env node
/**
 * What it costs to foresee a shell call: the first one (which loads grammar and table), and an ordinary one after it; `node bench/shell-plan.mjs`.
 *
 * A dry run of `read` in the same process is the yardstick for what every call costs. Needs a build. Exits 1 above a limit.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "../dist/node.js";

const LOAD_MS = 40;
const PLAN_MS = 1;
const ROUNDS = 40;
const ORDINARY = [
  "ls -la src",
  "cat src/a.ts | head -20",
  "git status --short",
  "git log --oneline -5 && git diff --stat",
  "grep -rn TODO src | wc -l",
  "find src -name '*.ts' -type f",
  "cd src && sed -n '1,40p' a.ts",
  "npm test 2>&1 | tail -20",
  'for f in src/*.ts; do echo "$f"; head -5 "$f"; done',
  "mkdir -p out && cp src/a.ts out/ && rm -rf tmp",
];

const folder = mkdtempSync(join(tmpdir(), "collet-bench-shell-"));
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
try {
  mkdirSync(join(folder, "ws/src"), { recursive: true });
  writeFileSync(join(folder, "ws/src/a.ts"), "one\n");
  const runtime = await createRuntime({ workspace: join(folder, "ws"), log: false, permissions: { mode: "auto" } });
  const dryRun = async (tool, args) => {
    const began = process.hrtime.bigint();
    const { ok } = await runtime.call(tool, args, { dryRun: true });
    if (!ok) throw new Error(`the dry run of ${JSON.stringify(args)} failed`);
    return Number(process.hrtime.bigint() - began) / 1e6;
  };
  const read = () => dryRun("read", { path: "src/a.ts" });
  for (let i = 0; i < 50; i++) await read();
  const yard = await read();
  const first = await dryRun("bash", { command: ORDINARY[0] });
  const times = [];
  for (let round = 0; round < ROUNDS; round++) for (const command of ORDINARY) times.push(await dryRun("bash", { command }));
  const warm = times.slice(ORDINARY.length * 5);
  const reads = [];
  for (let i = 0; i < 200; i++) reads.push(await read());
  await runtime.close();
  const plan = median(warm);
  console.log(`first shell call planned: ${first.toFixed(1)} ms (at most ${LOAD_MS}), a read before it ${yard.toFixed(2)} ms`);
  console.log(
    `ordinary shell call planned and decided: ${plan.toFixed(2)} ms (at most ${PLAN_MS}), ${(plan / median(reads)).toFixed(1)} x a read (${median(reads).toFixed(2)} ms)`,
  );
  if (first > LOAD_MS || plan > PLAN_MS) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
