import { spawn } from "node:child_process";
import { closeSync, constants, existsSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { type Failure, fail } from "../base/fail.ts";
import type { Fifo } from "./fifo.ts";
import { osCode } from "./os-error.ts";
import type { ExecEnd } from "./port.ts";

export interface StartOptions {
  readonly argv: readonly [string, ...string[]];
  /** Absolute path of the program; the process sees `argv[0]` as its name. */
  readonly file: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Both output streams go there; `null`: each has a socket of its own. */
  readonly fifo: Fifo | null;
  /** Descriptors of ours that it would inherit: in it they lead to `/dev/null`. */
  readonly inherited: readonly number[];
}

export interface StartedProcess {
  /** Leader of a session and group of its own, without a terminal. */
  readonly pid: number;
  readonly exited: Promise<Pick<ExecEnd, "exit_code" | "signal">>;
  /** For an output reader, which then owns it. */
  readonly output: number | readonly Readable[];
}

/** Starts a process with an empty standard input. Kind: command_failed (`details`: program, reason, code). */
export async function startProcess({ argv, file, cwd, env, fifo, inherited }: StartOptions): Promise<StartedProcess> {
  let ends: ReturnType<Fifo["open"]> | null = null;
  let nowhere: number | null = null;
  try {
    // Node cannot close a descriptor in what it starts, only put another one in its place
    if (inherited.length > 0) nowhere = openSync("/dev/null", constants.O_RDWR);
    ends = fifo?.open() ?? null;
    const out = ends?.writer ?? "pipe";
    const more = Array.from({ length: Math.max(2, ...inherited) - 2 }, (_, at) => (inherited.includes(at + 3) ? nowhere : "ignore"));
    const child = spawn(file, argv.slice(1), { argv0: argv[0], cwd, env, detached: true, stdio: ["ignore", out, out, ...more] });
    const exited = new Promise<Pick<ExecEnd, "exit_code" | "signal">>((resolve) => {
      child.once("exit", (exit_code, signal) => resolve({ exit_code, signal }));
    });
    // without a number it was not started, and the error comes with the next tick
    if (child.pid === undefined) throw await new Promise((resolve) => child.once("error", resolve));
    return { pid: child.pid, exited, output: ends?.reader ?? [child.stdout, child.stderr].filter((stream) => stream !== null) };
  } catch (error) {
    if (ends) closeSync(ends.reader);
    throw startFailure(argv[0], file, error);
  } finally {
    if (ends) closeSync(ends.writer);
    if (nowhere !== null) closeSync(nowhere);
  }
}

const REASONS: Readonly<Record<string, { readonly reason: string; readonly text: string }>> = {
  EACCES: { reason: "not_executable", text: "there is no right to execute it" },
  EPERM: { reason: "not_executable", text: "the system does not permit it" },
  ENOEXEC: { reason: "not_executable", text: "it is no program of this machine" },
  E2BIG: { reason: "too_long", text: "its arguments and environment are too long; a single one may have 128 KiB" },
  ETXTBSY: { reason: "busy", text: "somebody is writing to its file" },
  EAGAIN: { reason: "no_resources", text: "there are too many processes" },
  ENOMEM: { reason: "no_resources", text: "there is not enough memory" },
  EMFILE: { reason: "no_resources", text: "there are too many open files" },
  ENFILE: { reason: "no_resources", text: "there are too many open files" },
  ERR_INVALID_ARG_VALUE: { reason: "invalid_argument", text: "an argument or variable holds a NUL character" },
};

function startFailure(program: string, file: string, cause: unknown): Failure {
  const code = osCode(cause) || "unknown";
  const { reason, text } = REASONS[code] ?? missing(code, file);
  return fail("command_failed", `${program} could not be started: ${text}`, { program, reason, code }, { cause });
}

/** The file was there a moment ago: what is missing is what it names in its first line, or the loader that it was built for. */
function missing(code: string, file: string): { reason: string; text: string } {
  if (code !== "ENOENT") return { reason: "not_started", text: `the system says ${code}` };
  if (!existsSync(file)) return { reason: "not_found", text: "its file is gone" };
  return { reason: "no_interpreter", text: "the interpreter or loader that its file asks for does not exist" };
}
