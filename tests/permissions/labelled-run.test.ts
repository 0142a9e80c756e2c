/** Every labelled command that is safe to run is run, and does to files nothing that its plan does not name, unless the plan says that it may. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Decision } from "../../src/base/decision.ts";
import type { Effect } from "../../src/base/effect.ts";
import { isWithin } from "../../src/base/real-path.ts";
import { createRuntime, type Runtime } from "../../src/node.ts";
import { type Ground, labelledCommands, makeGround, SETS } from "./labelled/ground.ts";
import { canRunInNamespace, runInNamespace, type SeenFiles } from "./labelled/run-in-namespace.ts";

const HAS_GIT = spawnSync("git", ["--version"]).status === 0;
const ground: Ground | null = HAS_GIT ? makeGround() : null;
const CAN_RUN = ground !== null && canRunInNamespace(ground);

let runtime: Runtime;
beforeAll(async () => {
  if (!ground) return;
  runtime = await createRuntime({
    workspace: ground.workspace,
    stateDir: join(ground.root, "../collet-labelled-state"),
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: ground.home },
    permissions: { mode: "ask", asker: async () => ({ answer: "deny" }) },
    log: false,
  });
});
afterAll(async () => {
  await runtime?.close();
  if (ground) rmSync(ground.root, { recursive: true, force: true });
});

/** `null`: it is refused whoever is asked, and so never run. */
async function effectsOf(command: string): Promise<readonly Effect[] | null> {
  const envelope = await runtime.call("bash", { command }, { dryRun: true });
  if (!("effects" in envelope) || (envelope.decision as Decision).outcome === "deny") return null;
  return envelope.effects as readonly Effect[];
}

/** True when the plan says that more may happen than it names. */
function saysMore(effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect.kind === "unknown" || (effect.kind === "command" && effect.sure === "open"));
}

function missesOf(seen: SeenFiles, effects: readonly Effect[], workspace: string): readonly string[] {
  const covered = (path: string, kinds: readonly Effect["kind"][]): boolean =>
    effects.some(
      (effect) =>
        "path" in effect &&
        kinds.includes(effect.kind) &&
        (effect.path === path || ("tree" in effect && effect.tree === true && isWithin(path, effect.path))),
    );
  const runsGit = effects.some((effect) => effect.kind === "command" && /(?:^|\/)git$/.test(effect.argv[0] ?? ""));
  // what git reads of its own repository is git's business, and the times of files that `git diff` brings up to date in the index
  const reads = seen.reads.filter((path) => !(runsGit && isWithin(path, workspace)));
  const writes = seen.writes.filter((path) => !(runsGit && path === join(workspace, ".git/index")));
  return [
    ...reads.filter((path) => !covered(path, ["file.read"])).map((path) => `read ${path}`),
    ...writes.filter((path) => !covered(path, ["file.write", "file.delete"])).map((path) => `wrote ${path}`),
    ...seen.deletes.filter((path) => !covered(path, ["file.delete"])).map((path) => `deleted ${path}`),
  ];
}

describe.skipIf(!CAN_RUN)("labelled commands, run (skipped without git, namespaces or an overlay)", () => {
  test.each(SETS)("%s: nothing happens to a file that the plan does not name", { timeout: 300_000 }, async (set) => {
    if (!ground) return;
    const commands = labelledCommands(set).filter(({ safe_to_run }) => safe_to_run);
    const seen = runInNamespace(
      ground,
      commands.map(({ command }) => command),
    );
    const misses: { command: string; missed: readonly string[] }[] = [];
    let named = 0;
    for (const [at, { command }] of commands.entries()) {
      const effects = await effectsOf(command);
      if (effects === null || saysMore(effects)) continue;
      named += 1;
      const missed = missesOf(seen[at] ?? { reads: [], writes: [], deletes: [] }, effects, ground.workspace);
      if (missed.length > 0) misses.push({ command, missed });
    }
    expect(seen).toHaveLength(commands.length);
    expect(misses).toEqual([]);
    expect(named).toBeGreaterThan(commands.length / 4);
  });
});
