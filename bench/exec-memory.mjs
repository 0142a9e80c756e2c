/**
 * Memory of a Collet process while `bash` prints 200 MB, children not counted, against one that runs a command without output.
 * `node bench/exec-memory.mjs`; needs `npm run build`. Exits 1 when the difference is above 40 MB.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROUNDS = 9;
const LIMIT_MB = 40;
const COMMANDS = {
  idle: "true",
  lines: "yes | head -c 200000000",
  bytes: "head -c 200000000 /dev/zero",
};

const [name] = process.argv.slice(2);
if (name === undefined) {
  compare();
} else {
  await measure(COMMANDS[name]);
}

/** One command in a process of its own, with log and spill as in real use. Prints its peak in MB and the time of the call. */
async function measure(command) {
  const { createRuntime } = await import("../dist/node.js");
  const folder = mkdtempSync(join(tmpdir(), "collet-bench-"));
  try {
    const runtime = await createRuntime({ workspace: folder, stateDir: join(folder, "state"), permissions: { mode: "auto" } });
    await runtime.call("bash", { command: "true" });
    const started = performance.now();
    const result = await runtime.call("bash", { command, timeout: 120 });
    const ms = Math.round(performance.now() - started);
    if (!result.ok) throw new Error(JSON.stringify(result));
    const wanted = command === "true" ? 0 : 200_000_000;
    if (result.output_bytes !== wanted) throw new Error(`${result.output_bytes} bytes came, not ${wanted}`);
    await runtime.close();
    console.log(JSON.stringify({ mb: process.resourceUsage().maxRSS / 1024, ms }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare() {
  const runs = Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, results] of Object.entries(runs)) {
      const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name], { encoding: "utf8" });
      if (child.status !== 0) throw new Error(child.stderr);
      results.push(JSON.parse(child.stdout));
    }
  }
  const idle = median(runs.idle, "mb");
  for (const [name, results] of Object.entries(runs)) {
    const [mb, ms] = [median(results, "mb"), median(results, "ms")];
    console.log(`${name.padEnd(6)} ${mb.toFixed(1)} MB, ${(mb - idle).toFixed(1)} above idle (${(mb / idle).toFixed(2)} ×), ${ms} ms`);
    if (mb - idle > LIMIT_MB) process.exitCode = 1;
  }
}

function median(results, key) {
  return results.map((result) => result[key]).sort((a, b) => a - b)[Math.floor(results.length / 2)];
}
