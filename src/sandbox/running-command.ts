import type { Clock } from "../base/clock.ts";
import { createOutputReader, roundOfEvents } from "./output-reader.ts";
import type { ExecEnd, ExecRequest } from "./port.ts";
import type { ProcessTree } from "./process-tree.ts";
import type { StartedProcess } from "./start-process.ts";

type EndedBy = ExecEnd["ended_by"];

/** A command between its start and its end. */
export interface RunningCommand {
  /** Ends it: TERM to all its processes, 2 s, KILL. The first reason counts. */
  stop(by: Exclude<EndedBy, "exit">): void;
  killNow(): void;
  /** Rejects only with what `onOutput` threw against its contract. Either way nothing of the command is left, nor of its pipe here. */
  readonly ended: Promise<CommandEnd>;
}

export interface CommandEnd extends Omit<ExecEnd, "duration_ms"> {
  /** True when the last writer of its pipe is gone and all was read. */
  readonly isPipeEmpty: boolean;
}

/** When the first process has exited, others may still print: wait until it is quiet for so long, and in all for so long. */
const QUIET_MS = 100;
const LAST_WORDS_MS = 2_000;
/** Once it was stopped, whoever takes the output has so long for what is left of it. */
const HURRY_MS = 2_000;
/** From the end of the last process, as the table of processes has it, to our own notice of it. */
const EXIT_MS = 1_000;
/** Timers take 31 bits, and fire at once for more. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface RunningCommandOptions {
  readonly request: ExecRequest;
  readonly tree: ProcessTree;
  readonly clock: Clock;
}

/**
 * Runs a command to its end. Whatever its processes wrote before they ended, or were ended, is handed on before `ended` resolves: after the
 * last of them is gone the pipe is read until it is empty. Only these lose output: the output limit, and an `onOutput` that does not settle
 * within 2 s of a stop.
 */
export function runningCommand({ exited, output }: StartedProcess, { request, tree, clock }: RunningCommandOptions): RunningCommand {
  const { signal, timeoutMs, maxOutputBytes, onOutput } = request;
  const fault: { error?: unknown } = {};
  let stop: RunningCommand["stop"] = () => {};
  let isOverLimit = false;
  const stopped = new Promise<EndedBy>((resolve) => {
    stop = resolve;
  });
  const reader = createOutputReader({
    source: output,
    clock,
    maxBytes: maxOutputBytes,
    onOutput,
    onLimit() {
      isOverLimit = true;
      stop("limit");
    },
    onFault(error) {
      fault.error = error;
      stop("cancel");
    },
  });

  const drain = () => reader.drain({ hurry: stopped, busyMs: HURRY_MS });

  /** The first process has exited by itself: hear its children out, then end them. */
  async function finish(): Promise<Omit<CommandEnd, "isPipeEmpty">> {
    // whoever takes the output may be slow: only the time limit and an abort count then
    await reader.settle({ quietMs: QUIET_MS, capMs: LAST_WORDS_MS, until: stopped });
    const left_running_ended = await tree.end();
    // also when none was left: one may have written and gone since the last look at the pipe
    await drain();
    return { ...(await exited), ended_by: isOverLimit ? "limit" : "exit", left_running_ended };
  }

  async function cutOff(by: EndedBy): Promise<Omit<CommandEnd, "isPipeEmpty">> {
    await tree.end();
    await drain();
    return { ...(await exitOrNone()), ended_by: by, left_running_ended: 0 };
  }

  /** A process that hangs in the kernel outlives its KILL. Of any other the system tells its end soon. */
  function exitOrNone(): StartedProcess["exited"] {
    return new Promise((resolve) => {
      const cancel = clock.timer(EXIT_MS, () => roundOfEvents().then(() => resolve({ exit_code: null, signal: "SIGKILL" })));
      exited.then((exit) => {
        cancel();
        resolve(exit);
      });
    });
  }

  async function run(): Promise<CommandEnd> {
    const onAbort = () => stop("cancel");
    const cancelTimer = clock.timer(Math.min(timeoutMs, MAX_TIMER_MS), () => stop("timeout"));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const unwatch = tree.watch();
    let isPipeEmpty = false;
    try {
      const by = await Promise.race([exited.then(() => "exit" as const), stopped]);
      unwatch();
      const end = by === "exit" ? await finish() : await cutOff(by);
      isPipeEmpty = reader.close();
      if ("error" in fault) throw fault.error;
      return { ...end, isPipeEmpty };
    } finally {
      reader.close();
      unwatch();
      cancelTimer();
      signal.removeEventListener("abort", onAbort);
    }
  }

  return { stop: (by) => stop(by), killNow: () => tree.killNow(), ended: run() };
}
