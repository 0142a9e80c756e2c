#!/usr/bin/env node
/**
 * What it costs to foresee a shell call; `node bench/shell-plan.mjs`. Needs a build. Exits 1 above a limit.
 *
 * - the first call of a process, which loads grammar and table;
 * - an ordinary call: its script parsed, planned and decided over, by a sandbox in memory, so that no disk is asked; and the whole dry run of
 *   the same on a disk, beside one of `read`;
 * - the worst of a list of hostile scripts of up to 64 Ki characters.
 *
 * `node -e 0` is the yardstick for the machine at this moment: the limits hold where it takes 40 ms, and are stretched where it takes longer.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "../dist/node.js";
import { memorySandbox } from "../dist/testing.js";
import { HOSTILE } from "./hostile-scripts.mjs";

const BARE_MS = 40;
const LOAD_MS = 40;
const PLAN_MS = 1;
const HOSTILE_MS = 50;
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
const timed = async (run) => {
  const began = process.hrtime.bigint();
  await run();
  return Number(process.hrtime.bigint() - began) / 1e6;
};
const bare = () => timed(() => spawnSync(process.execPath, ["-e", "0"]));
try {
  const yardstick = Math.min(await bare(), await bare(), await bare());
  mkdirSync(join(folder, "ws/src"), { recursive: true });
  writeFileSync(join(folder, "ws/src/a.ts"), "one\n");
  const onDisk = await createRuntime({ workspace: join(folder, "ws"), log: false, permissions: { mode: "auto" } });
  const dryRun = (tool, args) =>
    timed(async () => {
      const { ok } = await onDisk.call(tool, args, { dryRun: true });
      if (!ok) throw new Error(`the dry run of ${JSON.stringify(args)} failed`);
    });
  const read = () => dryRun("read", { path: "src/a.ts" });
  for (let i = 0; i < 50; i++) await read();
  const first = await dryRun("bash", { command: ORDINARY[0] });

  const memory = memorySandbox({ "src/a.ts": "one\n" });
  const ground = {
    locate: async (name) => ({ path: `/usr/bin/${name}` }),
    gitSettings: async () => [],
    gitTracked: async () => null,
    variables: {},
  };
  const inMemory = await createRuntime({ sandbox: { ...memory, ground, processes: true }, log: false, permissions: { mode: "auto" } });
  const explain = (command) =>
    timed(async () => {
      const { error, effects } = await inMemory.explain("bash", { command });
      if (error || effects.length === 0) throw new Error(`${JSON.stringify(command.slice(0, 80))} is not explained`);
    });

  const times = { plan: [], whole: [], read: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const command of ORDINARY) {
      const plan = await explain(command);
      const whole = await dryRun("bash", { command });
      const yard = await read();
      // what is not yet compiled is no ordinary call
      if (round >= 5) times.plan.push(plan) && times.whole.push(whole) && times.read.push(yard);
    }
  }
  const hostile = [];
  for (const [name, command] of Object.entries(HOSTILE)) {
    const all = [await explain(command), await explain(command), await explain(command)];
    hostile.push({ name, ms: Math.min(...all), first: all[0] });
  }
  await onDisk.close();
  await inMemory.close();

  const worst = hostile.toSorted((a, b) => b.ms - a.ms);
  const atFirst = Math.max(...hostile.map((each) => each.first));
  const plan = median(times.plan);
  const whole = median(times.whole);
  console.log(`node -e 0: ${yardstick.toFixed(0)} ms`);
  console.log(`first shell call planned: ${first.toFixed(1)} ms (at most ${LOAD_MS})`);
  console.log(`ordinary script parsed, planned and decided over: ${plan.toFixed(2)} ms (at most ${PLAN_MS})`);
  console.log(`  its whole dry run on a disk: ${whole.toFixed(2)} ms, of a read: ${median(times.read).toFixed(2)} ms`);
  console.log(`worst hostile script: ${worst[0].ms.toFixed(0)} ms (at most ${HOSTILE_MS}), at its first call ${atFirst.toFixed(0)} ms`);
  for (const { name, ms } of worst.slice(0, 5)) console.log(`  ${ms.toFixed(0).padStart(4)} ms ${name}`);
  const stretched = Math.max(1, yardstick / BARE_MS);
  if (first > LOAD_MS * stretched || plan > PLAN_MS * stretched || worst[0].ms > HOSTILE_MS * stretched) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
