import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ground } from "./ground.ts";

/** What a script did to files, by looking at the disk before and after. Absolute paths; folders are not told. */
export interface SeenFiles {
  readonly reads: readonly string[];
  /** Made or changed. */
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
}

/**
 * In a user, mount, network and process namespace: overlays over the whole system take what is written anywhere; the ground is a copy in
 * memory, made anew for each script, where a read leaves its time behind. Nothing of it reaches the machine.
 */
const INSIDE = fileURLToPath(new URL("run-in-namespace.sh", import.meta.url));

/** True where the namespaces and the overlay can be made. */
export function canRunInNamespace(ground: Ground): boolean {
  try {
    return runInNamespace(ground, ["echo x > probe"])[0]?.writes.some((path) => path.endsWith("/ws/probe")) ?? false;
  } catch {
    return false;
  }
}

/** Runs each script on a copy of the ground of its own; what it did, in their order. */
export function runInNamespace(ground: Ground, scripts: readonly string[]): readonly SeenFiles[] {
  const out = mkdtempSync(join(tmpdir(), "collet-ns-"));
  const folder = mkdtempSync(join(tmpdir(), "collet-ns-scripts-"));
  try {
    for (const [at, script] of scripts.entries()) writeFileSync(join(folder, String(at)), script);
    const run = spawnSync("unshare", ["-Urmnpf", "--kill-child=SIGKILL", "bash", INSIDE, ground.root, out, folder], {
      encoding: "utf8",
      timeout: 600_000,
      maxBuffer: 256 * 1024 * 1024,
    });
    if (run.status !== 0) throw new Error(`the namespace could not be made: ${run.stderr}`);
    return run.stdout
      .split("\nend\n")
      .slice(0, -1)
      .map((report) => seenIn(report, ground));
  } finally {
    rmSync(out, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

function seenIn(report: string, { root }: Ground): SeenFiles {
  const lines = report.split("\n");
  const of = (head: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${head} `)).map((line) => line.slice(head.length + 1));
  const byPath = (head: string) => new Map(of(head).map((line) => [line.slice(0, line.indexOf("|")), line]));
  const inGround = (path: string): string => join(root, path);
  const before = byPath("before");
  const after = byPath("after");
  const changed = [...after].filter(([path, line]) => line !== before.get(path)).map(([path]) => path);
  const elsewhere = (head: string) =>
    of(head)
      .map((path) => join("/", path))
      .filter((path) => !path.startsWith(root));
  return {
    reads: of("read")
      .filter((path) => before.has(path))
      .map(inGround),
    writes: [...changed.map(inGround), ...elsewhere("outside")],
    deletes: [...[...before.keys()].filter((path) => !after.has(path)).map(inGround), ...elsewhere("gone")],
  };
}
