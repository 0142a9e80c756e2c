import { randomBytes } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import type { Clock } from "../base/clock.ts";
import { fail } from "../base/fail.ts";
import { commandEnv, type Environment } from "./command-env.ts";
import { commandFolders, findIn, findProgram } from "./command-path.ts";
import { CONFINED_TMPDIR, type Confinement, findConfinement } from "./confine.ts";
import { createFifos } from "./fifo.ts";
import { inheritedDescriptors } from "./inherited.ts";
import { osCode } from "./os-error.ts";
import type { ExecEnd, ExecRequest } from "./port.ts";
import { hasProc, systemProcessTable } from "./process-table.ts";
import { createProcessTree } from "./process-tree.ts";
import { type RunningCommand, runningCommand } from "./running-command.ts";
import { startProcess } from "./start-process.ts";

export interface LocalExecOptions {
  /** The environment that the table of variables for commands is taken from. */
  readonly hostEnv: Environment;
  /** Real path: folders of the PATH inside it come last. */
  readonly workspace: string;
  readonly clock: Clock;
  /** Ways to confine a command, the best first; default: all that there are. */
  readonly confineBy?: readonly Confinement["by"][];
}

/** Processes of this machine. A SIGKILL of our own process leaves those that run just then: nothing can be done about that from within. */
export interface LocalExec {
  /**
   * As `SandboxPort.exec`. Processes are in a session of their own, out of reach of the signals of our terminal. Kind: command_failed
   * (`details`: program, reason, code or cwd).
   */
  exec(request: ExecRequest): Promise<ExecEnd>;
  /** Ends all running commands as by an abort, and resolves when they have ended. Later ones are not started. */
  endAll(): Promise<void>;
  /** KILL to all running commands and what came from them; for `process.on("exit")`, where nothing can be waited for. */
  killNow(): void;
}

const NOT_STARTED = { exit_code: null, signal: null, ended_by: "cancel", left_running_ended: 0, duration_ms: 0 } as const;

export function createLocalExec({ hostEnv, workspace, clock, confineBy }: LocalExecOptions): LocalExec {
  const table = systemProcessTable();
  const fifos = createFifos({
    mkfifo: () => findIn(commandFolders(hostEnv.PATH, workspace).outside, "mkfifo"),
    tmp: hostEnv.TMPDIR && isAbsolute(hostEnv.TMPDIR) ? hostEnv.TMPDIR : "/tmp",
    hasProc: hasProc(),
  });
  let confining: Promise<Confinement | null> | null = null;
  const confinementOnce = () => {
    const find = (program: string) => findIn(commandFolders(hostEnv.PATH, workspace).outside, program);
    confining ??= findConfinement({ find, workspace, isRoot: process.getuid?.() === 0, ...(confineBy ? { ways: confineBy } : {}) });
    return confining;
  };
  // they can only become fewer: nothing that runs in Node opens one
  let inherited: readonly number[] | null = null;
  const running = new Set<RunningCommand>();
  let isClosed = false;

  async function exec(request: ExecRequest): Promise<ExecEnd> {
    const startedAt = clock.monotonic();
    const isOver = () => isClosed || request.signal.aborted;
    if (isOver()) return NOT_STARTED;
    const { argv, cwd } = request;
    checkFolder(argv[0], cwd);
    const { outside, inside } = commandFolders(hostEnv.PATH, workspace);
    const mark = randomBytes(16).toString("hex");
    const confinement = request.confine ? await confinementOnce() : null;
    const granted = confinement ? { ...request.env, TMPDIR: CONFINED_TMPDIR } : request.env;
    const env = commandEnv({ hostEnv, path: [...outside, ...inside].join(delimiter), mark, granted });
    const file = request.file ?? findProgram(argv[0], { path: env.PATH ?? "", cwd });
    const words = confinement?.wrap({ argv, file, cwd }) ?? argv;

    inherited ??= inheritedDescriptors();
    const fifo = await fifos.take();
    // until a process has it, a pipe is as good as new
    let isEmpty = true;
    try {
      if (isOver()) return NOT_STARTED;
      const started = await startProcess({ argv: words, file: confinement ? words[0] : file, cwd, env, fifo, inherited });
      isEmpty = false;
      const command = runningCommand(started, { request, tree: createProcessTree({ first: started.pid, mark, table, clock }), clock });
      running.add(command);
      if (isClosed) command.stop("cancel");
      try {
        const { isPipeEmpty, ...end } = await command.ended;
        isEmpty = isPipeEmpty;
        const told = request.confine ? confinedEnd(end, confinement) : end;
        return { ...told, duration_ms: Math.round(clock.monotonic() - startedAt) };
      } finally {
        running.delete(command);
      }
    } finally {
      if (isEmpty && fifo) fifos.giveBack(fifo);
      else fifo?.discard();
    }
  }

  return {
    exec,
    async endAll() {
      isClosed = true;
      for (const command of running) command.stop("cancel");
      await Promise.allSettled([...running].map((command) => command.ended));
      fifos.close();
    },
    killNow() {
      isClosed = true;
      for (const command of running) command.killNow();
    },
  };
}

/** While anything is left running, what confines it waits for it with one process of its own. */
function confinedEnd<End extends Pick<ExecEnd, "left_running_ended">>(end: End, confinement: Confinement | null) {
  if (!confinement) return { ...end, confined_by: null };
  return { ...end, left_running_ended: Math.max(0, end.left_running_ended - 1), confined_by: confinement.by };
}

/** The system's own error would blame the program. */
function checkFolder(program: string, cwd: string): void {
  let reason = "not_a_folder";
  try {
    if (statSync(cwd).isDirectory()) {
      reason = "no_permission";
      accessSync(cwd, constants.X_OK);
      return;
    }
  } catch (error) {
    if (osCode(error) === "") throw error;
    if (reason === "not_a_folder") reason = "no_such_folder";
  }
  throw fail("command_failed", `${program} could not be started in ${cwd}: ${FOLDER_TEXT[reason] ?? ""}`, { program, reason, cwd });
}

const FOLDER_TEXT: Readonly<Record<string, string>> = {
  no_such_folder: "there is no such folder",
  not_a_folder: "that is no folder",
  no_permission: "there is no right to enter it",
};
