import type { Effect } from "../base/effect.ts";
import { effectWords } from "../base/effect-words.ts";
import { fail } from "../base/fail.ts";
import { isHarmlessRead } from "../base/harmless-reads.ts";
import { isWithin } from "../base/real-path.ts";
import { BASH_PARAMETERS, planScript } from "./bash.ts";
import { RUN_KINDS, resultOfRun } from "./command-result.ts";
import type { PlanContext } from "./contract.ts";
import { defineTool } from "./define-tool.ts";
import { shellArgv } from "./shell-script.ts";

/**
 * `bash` that cannot write: a script that may do more than read in the workspace is refused, in every mode and whatever rule allows, and what
 * is run is run where the system lets it write nothing and reach nobody, as far as that can be made here. The result says so in
 * `confined_by`.
 */
export const readOnlyBash = defineTool({
  name: "bash",
  description:
    "Run a bash script that only reads: what may write, delete, connect, or run a program that is not known to only read is refused. " +
    "Standard input is empty; the output is standard output and standard error as they come, cut in the middle when long. " +
    "Each call is a new shell: `cd` and variables do not last. Where it can be, it runs confined: temporary files go to $TMPDIR alone.",
  parameters: BASH_PARAMETERS,
  kinds: RUN_KINDS,
  effectKinds: ["command", "file.read"],
  examples: [{ command: "ls -la" }, { command: "grep -rn TODO . | wc -l", timeout: 10 }],

  async plan(args, context) {
    const plan = await planScript(args, context);
    const offending = plan.effects.find((effect) => !onlyReads(effect, context));
    if (offending) throw refusal(offending);
    return plan;
  },

  async execute({ command, cwd, env, limit }, { sandbox }) {
    const run = await sandbox.exec({ argv: shellArgv(command), cwd, env, confine: "read_only", timeoutMs: limit.timeoutMs });
    const confinedBy = run.confined_by ?? null;
    const notices = confinedBy === null ? [...limit.notices, UNCONFINED] : limit.notices;
    return resultOfRun(run, { ...limit, notices }, { confined_by: confinedBy });
  },
});

const UNCONFINED = "not confined: no namespace can be made here, so that it only reads is what its plan says";

function onlyReads(effect: Effect, { workspace, sandbox }: PlanContext): boolean {
  if (effect.kind === "command") return effect.sure === "declared";
  if (effect.kind !== "file.read") return false;
  return isWithin(effect.path, workspace) || isHarmlessRead(effect, sandbox.survey.variables.HOME ?? null);
}

function refusal(effect: Effect) {
  const { verb, what } = effectWords(effect);
  const why = effect.kind === "command" ? "it is not known to only read" : REFUSED[effect.kind];
  return fail("bash_disabled", `this bash only reads, and the script would ${verb} ${what}: ${why}; nothing was run`, {
    reason: "read_only_tool",
    effect: effect.kind,
    what,
    ...("path" in effect ? { path: effect.path } : {}),
  });
}

const REFUSED: Readonly<Record<Exclude<Effect["kind"], "command">, string>> = {
  "file.read": "it lies outside the workspace",
  "file.write": "that is a write",
  "file.delete": "that is a delete",
  network: "that is a connection",
  agent: "that is another agent",
  unknown: "what it does is not known",
};
