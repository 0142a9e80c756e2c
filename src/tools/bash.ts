import { fail } from "../base/fail.ts";
import type { CommandRun, ReadSandbox } from "../sandbox/port.ts";
import { withCheck } from "./attached-check.ts";
import { defineTool } from "./define-tool.ts";
import { refuseBrokenText } from "./file-change.ts";
import { result } from "./result.ts";
import { effectsOfStart, shellArgv } from "./shell-script.ts";
import { validators } from "./validators.generated.js";

const DEFAULT_TIMEOUT_S = 120;
const MIN_TIMEOUT_S = 0.1;
const MAX_TIMEOUT_S = 600;

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
  parameters: withCheck(
    {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1, description: "Script for `bash -c`; several lines are fine." },
        cwd: {
          type: "string",
          minLength: 1,
          description: "Folder to run in, relative to the working folder or absolute. Default: the working folder.",
        },
        timeout: {
          type: "number",
          description: `Seconds after which it is ended, ${MIN_TIMEOUT_S} to ${MAX_TIMEOUT_S}; others are clamped. Default ${DEFAULT_TIMEOUT_S}.`,
        },
      },
      required: ["command"],
    },
    validators.bash,
  ),
  kinds: ["invalid_args", "not_found", "outside_workspace", "read_failed", "bash_disabled", "command_failed", "timeout", "cancelled"],
  effectKinds: ["command", "file.read", "file.write", "network", "unknown"],
  examples: [{ command: "ls -la" }, { command: "cat a.ts | wc -l", cwd: "src", timeout: 10 }],

  async plan({ command, cwd: asked, timeout = DEFAULT_TIMEOUT_S }, { sandbox, cwd: working }) {
    if (!sandbox.processes)
      throw fail("bash_disabled", "there are no processes in this sandbox, so there is no shell", { sandbox: sandbox.kind });
    if (command.includes("\0"))
      throw fail("invalid_args", "/command holds a NUL, which no command can", { reason: "nul", pointer: "/command" });
    refuseBrokenText(command, "/command");
    const cwd = asked === undefined ? working : await folder(sandbox, asked);
    const seconds = Math.min(MAX_TIMEOUT_S, Math.max(MIN_TIMEOUT_S, timeout));
    return {
      effects: await effectsOfStart(shellArgv(command), { cwd, sandbox }),
      command,
      cwd,
      timeoutMs: Math.round(seconds * 1000),
      notices: seconds === timeout ? [] : [`timeout ${timeout} s is clamped to ${seconds} s`],
    };
  },

  async execute({ command, cwd, timeoutMs, notices }, { sandbox }) {
    const run = await sandbox.exec({ argv: shellArgv(command), cwd, timeoutMs });
    const details = detailsOf(run);
    if (run.ended_by === "timeout") {
      throw fail("timeout", `the command was ended after ${timeoutMs / 1000} s; what it printed until then is in the details`, {
        output: run.output,
        ...details,
      });
    }
    if (run.ended_by === "cancel") {
      throw fail("cancelled", "the command was interrupted; what it printed until then is in the details", {
        output: run.output,
        ...details,
      });
    }
    return result({ output: withNotices(run, notices), ...details });
  },
});

async function folder(sandbox: ReadSandbox, path: string): Promise<string> {
  const stat = await sandbox.stat(path);
  if (stat?.type === "directory") return stat.path;
  if (stat === null) throw fail("not_found", `there is no folder ${path} to run in`, { path, reason: "cwd" });
  throw fail("invalid_args", `${path} is no folder to run in`, { path, reason: "cwd_is_no_folder", pointer: "/cwd" });
}

function detailsOf({ exit_code, signal, duration_ms, output_bytes, output_lines, spill, ended_by, left_running_ended }: CommandRun) {
  return { exit_code, signal, duration_ms, output_bytes, output_lines, spill, ended_by, left_running_ended };
}

/** What was printed, and behind it what the model must know beside. */
function withNotices(run: CommandRun, notices: readonly string[]): string {
  const { output, exit_code, signal, ended_by, left_running_ended: left } = run;
  const all = [...notices];
  if (left > 0) all.push(`${left} ${left === 1 ? "process" : "processes"} left running when the shell exited: ended`);
  if (ended_by === "limit") all.push("ended: it printed more than a command may");
  else if (signal !== null) all.push(`ended by signal ${signal}`);
  if (exit_code !== null && exit_code !== 0) all.push(`exit code ${exit_code}`);
  if (all.length === 0) return output;
  const gap = output === "" || output.endsWith("\n") ? "" : "\n";
  return `${output}${gap}${all.map((notice) => `[${notice}]`).join("\n")}`;
}
