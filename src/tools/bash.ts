import { fail } from "../base/fail.ts";
import type { ArgsOf } from "../base/schema.ts";
import { withCheck } from "./attached-check.ts";
import { DEFAULT_TIMEOUT_S, folderToRunIn, RUN_KINDS, RUN_PARAMETERS, resultOfRun, timeLimit } from "./command-result.ts";
import type { PlanContext } from "./contract.ts";
import { defineTool } from "./define-tool.ts";
import { refuseBrokenText } from "./file-change.ts";
import { planOfScript, shellArgv } from "./shell-script.ts";
import { validators } from "./validators.generated.js";

/** The parameters of every `bash`. */
export const BASH_PARAMETERS = withCheck(
  {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, description: "Script for `bash -c`; several lines are fine." },
      ...RUN_PARAMETERS,
    },
    required: ["command"],
  },
  validators.bash,
);

/**
 * `bash`: run a script with `bash -c`.
 *
 * `plan` takes the script apart into the commands it runs and the files it names, as far as that can be known; `execute` runs it. A script
 * that exits non-zero has run: that is a result, not a failure.
 */
export const bash = defineTool({
  name: "bash",
  description:
    "Run a bash script. Standard input is empty; the output is standard output and standard error as they come, cut in the middle when long. " +
    "Each call is a new shell: `cd` and variables do not last. Processes left running are ended when the shell exits.",
  parameters: BASH_PARAMETERS,
  kinds: RUN_KINDS,
  effectKinds: ["command", "file.read", "file.write", "file.delete", "network", "unknown"],
  examples: [{ command: "ls -la" }, { command: "cat a.ts | wc -l", cwd: "src", timeout: 10 }],

  plan: planScript,

  async execute({ command, cwd, env, limit }, { sandbox }) {
    const run = await sandbox.exec({ argv: shellArgv(command), cwd, env, timeoutMs: limit.timeoutMs });
    return resultOfRun(run, limit);
  },
});

/** The plan of a script: what it does, as far as that can be known, and what starts it. */
export async function planScript(
  { command, cwd: asked, timeout = DEFAULT_TIMEOUT_S }: ArgsOf<typeof BASH_PARAMETERS>,
  { sandbox, cwd: working }: PlanContext,
) {
  if (!sandbox.processes)
    throw fail("bash_disabled", "there are no processes in this sandbox, so there is no shell", { sandbox: sandbox.kind });
  if (command.includes("\0"))
    throw fail("invalid_args", "/command holds a NUL, which no command can", { reason: "nul", pointer: "/command" });
  refuseBrokenText(command, "/command");
  const cwd = asked === undefined ? working : await folderToRunIn(sandbox, asked, "/cwd");
  const { effects, env } = await planOfScript(command, { cwd, sandbox });
  return { effects, env, command, cwd, limit: timeLimit(timeout) };
}
