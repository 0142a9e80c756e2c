import { constants } from "node:os";
import { fail } from "../base/fail.ts";
import type { Terminal } from "./terminal.ts";

/** The signals that end a command in good order. */
export const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Ending = (typeof ENDING)[number];

/** Signals that end a command in good order: the first aborts, so that what runs is stopped and recorded; the second ends at once. */
export interface Interrupts {
  /** Aborted by the first signal; its reason is a `cancelled` failure that names it. */
  readonly signal: AbortSignal;
  /** 128 + n of the first signal, such as 130 for Ctrl-C; `null` when none came. */
  status(): number | null;
  /** As if the signal had come: for Ctrl-C typed where the terminal does not turn it into one. */
  interrupt(name: Ending): void;
  /** `kill` is called before the process ends at once. */
  killing(kill: () => void): void;
  /** Lets signals do again what they do by default. */
  stop(): void;
}

export function listenForInterrupts({ process, end }: Pick<Terminal, "process" | "end">): Interrupts {
  const controller = new AbortController();
  const kills: (() => void)[] = [];
  let first: Ending | null = null;
  const interrupt = (name: Ending) => {
    // a terminal that closes tells it twice: itself, and by the shell that it tells
    if (first === "SIGHUP" && name === "SIGHUP") return;
    if (first !== null) {
      for (const kill of kills) kill();
      end(statusOf(name));
    }
    first = name;
    controller.abort(fail("cancelled", `interrupted by ${name}`, { signal: name }));
  };
  for (const name of ENDING) process.on(name, interrupt);
  return {
    signal: controller.signal,
    status: () => first && statusOf(first),
    interrupt,
    killing: (kill) => void kills.push(kill),
    stop() {
      for (const name of ENDING) process.off(name, interrupt);
    },
  };
}

/** Does the work under the signal of interrupts, which are listened for no longer than it takes. */
export async function whileInterruptible<T>(
  terminal: Pick<Terminal, "process" | "end">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupts = listenForInterrupts(terminal);
  try {
    return await work(interrupts.signal);
  } finally {
    interrupts.stop();
  }
}

/** 128 + n, what a shell reports for a process that the signal ended. */
export function statusOf(name: NodeJS.Signals): number {
  return 128 + constants.signals[name];
}
