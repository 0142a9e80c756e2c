import { spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Pipes for the output of commands. Node gives its children sockets, one for each stream: then nobody knows which of two lines came first,
 * and `echo … > /dev/stderr` fails. A named pipe is a real pipe, and both streams can be the same one. Node cannot make one, so `mkfifo`
 * does, once for many calls: a pipe of which the last writer is gone is as good as new.
 */
export interface Fifos {
  /** `null` where none can be made: there is no `mkfifo`, or no folder for temporary files. */
  take(): Promise<Fifo | null>;
  /** Gives back one that was read to its end. Any other must be discarded: somebody may still write to it. */
  giveBack(fifo: Fifo): void;
  /** Discards those that are not in use, and makes no more. */
  close(): void;
}

export interface Fifo {
  /** Opens both ends; the reader does not block, the writer does. */
  open(): { readonly reader: number; readonly writer: number };
  discard(): void;
}

export interface FifosOptions {
  /** Absolute path of the program; `null`: there is none. Asked when it is first needed. */
  readonly mkfifo: () => string | null;
  /** Folder for temporary files. */
  readonly tmp: string;
  /** True where `/proc/self/fd/N` opens the file behind a descriptor: then no pipe has a name for longer than a moment. */
  readonly hasProc: boolean;
}

const BATCH = 8;
const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

export function createFifos(options: FifosOptions): Fifos {
  const idle: Fifo[] = [];
  let making: Promise<number> | null = null;
  let isClosed = false;

  async function makeBatch(): Promise<number> {
    const mkfifo = options.mkfifo();
    const made = mkfifo === null ? [] : await make(mkfifo, options);
    making = null;
    idle.push(...made);
    if (isClosed) for (const fifo of idle.splice(0)) fifo.discard();
    return made.length;
  }

  return {
    async take() {
      for (;;) {
        const fifo = idle.pop();
        if (fifo) return fifo;
        if (isClosed) return null;
        making ??= makeBatch();
        if ((await making) === 0) return null;
      }
    },
    giveBack(fifo) {
      if (isClosed || idle.length >= BATCH) fifo.discard();
      else idle.push(fifo);
    },
    close() {
      isClosed = true;
      for (const fifo of idle.splice(0)) fifo.discard();
    },
  };
}

/** Makes a batch in a new folder that only we can enter. Fewer than asked for, or none, when right, space or descriptors are short. */
async function make(mkfifo: string, { tmp, hasProc }: FifosOptions): Promise<Fifo[]> {
  const fifos: Fifo[] = [];
  let folder = "";
  let paths: readonly string[] = [];
  try {
    folder = mkdtempSync(join(tmp, "collet-"));
    paths = Array.from({ length: BATCH }, (_, at) => join(folder, String(at)));
    // not `timeout`: its timer goes on when nothing could be started, and keeps the process
    const child = spawn(mkfifo, ["-m", "600", ...paths], { stdio: "ignore", env: {}, signal: AbortSignal.timeout(5_000) });
    await new Promise((resolve) => child.once("error", resolve).once("exit", resolve));
    for (const path of paths) fifos.push(hasProc ? unnamed(path) : named(path));
  } catch {
    // the caller does with those that there are, or without
  }
  if (folder !== "" && (hasProc || fifos.length === 0)) remove(folder, paths);
  return fifos;
}

/** One by one: to list a folder takes a descriptor, and there may be none left. */
function remove(folder: string, paths: readonly string[]): void {
  try {
    for (const path of paths) rmSync(path, { force: true });
    rmdirSync(folder);
  } catch {
    // somebody else has put something there: not ours to remove
  }
}

/** Kept by a descriptor; its name can go. */
function unnamed(path: string): Fifo {
  const keeper = openSync(path, O_RDONLY | O_NONBLOCK);
  return { open: () => openEnds(`/proc/self/fd/${keeper}`), discard: () => closeSync(keeper) };
}

/** Kept by its name. The folder goes with it when it is the last one there. */
function named(path: string): Fifo {
  return {
    open: () => openEnds(path),
    discard() {
      rmSync(path, { force: true });
      try {
        rmdirSync(dirname(path));
      } catch {
        // others are still in it
      }
    },
  };
}

function openEnds(path: string): { reader: number; writer: number } {
  const reader = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    // does not block: there is a reader
    return { reader, writer: openSync(path, O_WRONLY) };
  } catch (error) {
    closeSync(reader);
    throw error;
  }
}
