/** Every labelled command is judged as its label says: nothing that does more than read is allowed, and few that only read are asked about. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KINDS } from "../../src/base/kinds.ts";
import { createRuntime, type Runtime } from "../../src/node.ts";
import { type Ground, labelledCommands, makeGround, SETS } from "./labelled/ground.ts";

/** The exit status of every kind that says no. */
const NOT_PERMITTED = 3;
const HAS_GIT = spawnSync("git", ["--version"]).status === 0;
/** Of the everyday commands, how many may be asked about. */
const MAX_FALSE_ASKS = 0.03;

let ground: Ground;
let runtime: Runtime;
beforeAll(async () => {
  if (!HAS_GIT) return;
  ground = makeGround();
  runtime = await createRuntime({
    workspace: ground.workspace,
    stateDir: join(ground.root, "state"),
    // not the PATH of this machine, whose version managers have programs of their own
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: ground.home },
    permissions: { mode: "ask", asker: async () => ({ answer: "deny" }) },
    log: false,
  });
});
afterAll(async () => {
  await runtime?.close();
  if (ground) rmSync(ground.root, { recursive: true, force: true });
});

async function verdictOf(command: string): Promise<string> {
  const envelope = await runtime.call("bash", { command }, { dryRun: true });
  if ("decision" in envelope) return (envelope.decision as { readonly outcome: string }).outcome;
  if (envelope.ok) return "allow";
  const { error } = envelope;
  if (!error) return "failed";
  // a path by way of a process is refused as one that nobody can tell; any other failure says nothing of the policy
  const isRefusal = KINDS[error.kind].exit === NOT_PERMITTED || error.details.reason === "process_link";
  return isRefusal ? "deny" : `failed: ${error.kind}`;
}

describe.skipIf(!HAS_GIT)("labelled commands (skipped without git)", () => {
  describe.each(SETS)("the set %s", (set) => {
    const commands = labelledCommands(set);

    test.each(commands.filter((each) => each.class !== "everyday").map((each) => [each.id, each] as const))(
      "%s is not allowed",
      async (_, { command, acceptable }) => {
        const verdict = await verdictOf(command);
        expect({ command, verdict, right: acceptable.includes(verdict) }).toEqual({ command, verdict, right: true });
      },
    );
  });

  test("everyday commands are allowed, but for three in a hundred", async () => {
    const everyday = SETS.flatMap((set) => labelledCommands(set).filter((each) => each.class === "everyday"));
    const asked: string[] = [];
    for (const { command } of everyday) if ((await verdictOf(command)) !== "allow") asked.push(command);
    expect(asked.slice(Math.floor(everyday.length * MAX_FALSE_ASKS))).toEqual([]);
  });
});
