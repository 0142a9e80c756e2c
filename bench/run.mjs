#!/usr/bin/env node
/**
 * Start-up and memory of the command line, as ratios in one run: `npm run bench` [-- --runs 9].
 *
 * Every row interleaves the command with its yardstick, so that a drift of the machine hits both; medians are compared, never times of
 * different runs. Needs a build. Exits 1 when a row is above what it may be.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { runs: { type: "string", default: "9" } } });
const runs = Number(values.runs);
const bin = fileURLToPath(new URL("../bin/collet.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "collet-bench-"));
writeFileSync(join(folder, "small.txt"), "one\ntwo\nthree\n");
const env = { ...process.env, COLLET_STATE_DIR: join(folder, "state") };

const bare = [process.execPath, "-e", "0"];
const collet = (...words) => [process.execPath, bin, ...words];
const rows = [
  { name: "collet --version", argv: collet("--version"), limit: 1.6 },
  { name: "collet --help", argv: collet("--help"), limit: 1.6 },
  { name: "collet call read", argv: collet("call", "read", "-C", folder, "--args", '{"path":"small.txt"}'), limit: 2.2 },
];

function once(argv) {
  const began = process.hrtime.bigint();
  const { status, stderr } = spawnSync(argv[0], argv.slice(1), { env, stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0) throw new Error(`${argv.join(" ")} exited ${status}: ${stderr}`);
  return Number(process.hrtime.bigint() - began) / 1e6;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

try {
  console.log(`node ${process.version}, medians of ${runs}, against node -e 0`);
  console.log("| command | ms | node -e 0 ms | ratio | at most |\n| --- | --- | --- | --- | --- |");
  for (const { name, argv, limit } of rows) {
    once(bare);
    once(argv);
    const yard = [];
    const own = [];
    for (let i = 0; i < runs; i++) {
      yard.push(once(bare));
      own.push(once(argv));
    }
    const ratio = median(own) / median(yard);
    if (ratio > limit) process.exitCode = 1;
    console.log(`| ${name} | ${median(own).toFixed(0)} | ${median(yard).toFixed(0)} | ${ratio.toFixed(2)} | ${limit} |`);
  }
  const flood = spawnSync(process.execPath, [fileURLToPath(new URL("exec-memory.mjs", import.meta.url))], { env, encoding: "utf8" });
  if (flood.status !== 0) process.exitCode = 1;
  console.log(`\n${flood.stdout.trim() || flood.stderr.trim()}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
