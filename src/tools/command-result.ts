import { fail } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import type { CommandRun, ReadSandbox } from "../sandbox/port.ts";
import { result, type ToolResult } from "./result.ts";

/** Of every tool that runs commands, in seconds. */
export const DEFAULT_TIMEOUT_S = 120;
const MIN_TIMEOUT_S = 0.1;
const MAX_TIMEOUT_S = 600;

/** What the parameters of such a tool say of its folder and its time limit. */
export const RUN_PARAMETERS = {
  cwd: {
    type: "string",
    minLength: 1,
    description: "Folder to run in, relative to the working folder or absolute. Default: the working folder.",
  },
  timeout: {
    type: "number",
    description: `Seconds after which it is ended, ${MIN_TIMEOUT_S} to ${MAX_TIMEOUT_S}; others are clamped. Default ${DEFAULT_TIMEOUT_S}.`,
  },
} as const;

/** What it raises beside what is its own. */
export const RUN_KINDS = [
  "invalid_args",
  "not_found",
  "outside_workspace",
  "read_failed",
  "bash_disabled",
  "command_failed",
  "timeout",
  "cancelled",
] as const;

/** A time limit as it holds, and what has to be said of it. */
export interface TimeLimit {
  readonly timeoutMs: number;
  readonly notices: readonly string[];
}

/** Clamps a time limit in seconds. */
export function timeLimit(seconds: number): TimeLimit {
  const clamped = Math.min(MAX_TIMEOUT_S, Math.max(MIN_TIMEOUT_S, seconds));
  return {
    timeoutMs: Math.round(clamped * 1000),
    notices: clamped === seconds ? [] : [`timeout ${seconds} s is clamped to ${clamped} s`],
  };
}

/**
 * The real path of a folder to run in. Kinds: not_found, invalid_args (no folder), outside_workspace, read_failed.
 * @param pointer of the argument that names it, when one does.
 */
export async function folderToRunIn(sandbox: Pick<ReadSandbox, "stat">, path: string, pointer?: string): Promise<string> {
  const stat = await sandbox.stat(path);
  if (stat?.type === "directory") return stat.path;
  if (stat === null) throw fail("not_found", `there is no folder ${path} to run in`, { path, reason: "cwd" });
  throw fail("invalid_args", `${path} is no folder to run in`, {
    path,
    reason: "cwd_is_no_folder",
    ...(pointer === undefined ? {} : { pointer }),
  });
}

/**
 * What a finished command comes to: a result, whatever its exit status. Kinds: timeout, cancelled, both with what was printed until then.
 * @param more details beside those of every command.
 */
export function resultOfRun(run: CommandRun, { timeoutMs, notices }: TimeLimit, more: JsonObject = {}): ToolResult {
  const details = { ...detailsOf(run), ...more };
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
