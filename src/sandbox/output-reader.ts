import { Socket, type SocketConstructorOpts } from "node:net";
import type { Readable } from "node:stream";
import type { Clock } from "../base/clock.ts";
import type { ExecRequest } from "./port.ts";

export interface OutputReaderOptions {
  /** The reading end of a pipe, which is closed with the reader; or two streams, whose order is then that of reading. */
  readonly source: number | readonly Readable[];
  readonly clock: Clock;
  readonly maxBytes: number;
  readonly onOutput: ExecRequest["onOutput"];
  /** There was more than `maxBytes`: nothing beyond is handed on, and the pipe is closed. */
  readonly onLimit: () => void;
  /** `onOutput` threw, against its contract; the pipe is closed. */
  readonly onFault: (error: unknown) => void;
}

export interface SettleLimits {
  /** Without output for so long, it is enough. */
  readonly quietMs: number;
  /** In all, when there is still coming something. While `onOutput` is at work, neither counts. */
  readonly capMs: number;
  /** Enough when it resolves. */
  readonly until: Promise<unknown>;
}

export interface DrainLimits {
  /** From its resolving on, `onOutput` has `busyMs` more for what it is at work on. */
  readonly hurry: Promise<unknown>;
  readonly busyMs: number;
}

export interface OutputReader {
  /** Resolves when the pipe has come to its end and all was taken, or by one of the limits. */
  settle(limits: SettleLimits): Promise<void>;
  /**
   * Takes every byte that was written before the call, however late this process comes to read it; for when the last writer is gone. Ends at
   * the pipe's end, or, where somebody unknown still holds it, when it is empty or has given 16 MiB, or when `onOutput` is given up.
   */
  drain(limits: DrainLimits): Promise<void>;
  /** Hands on nothing more. Returns whether the pipe was read to its end. */
  close(): boolean;
}

/** One buffer for all reads: 64 KiB is what a pipe holds, and new ones would cost 40 MB before they are collected. */
const BUFFER_BYTES = 64 * 1024;
/** A pipe holds 64 KiB, and at most 1 MiB when a program asks for more (pipe(7)): what comes after this was written later. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;

/** Reads the output of a process, a piece at a time: the next one when `onOutput` is done with the last, so memory is flat. */
export function createOutputReader({ source, clock, maxBytes, onOutput, onLimit, onFault }: OutputReaderOptions): OutputReader {
  let left = maxBytes;
  let lastAt = clock.monotonic();
  let isBusy = false;
  let isClosed = false;
  let open = 0;
  let onEnd = () => {};
  let onFree = () => {};

  const stop = () => {
    isClosed = true;
    for (const stream of streams) stream.destroy();
    onEnd();
    onFree();
  };

  /** False when reading has to wait, or is over. */
  function take(bytes: Uint8Array): boolean {
    if (isClosed) return false;
    lastAt = clock.monotonic();
    const isTooMuch = bytes.length > left;
    const part = isTooMuch ? bytes.subarray(0, left) : bytes;
    left -= part.length;
    try {
      const done = part.length > 0 ? onOutput(part) : undefined;
      if (done !== undefined) {
        isBusy = true;
        done.then(goOn, fault);
      }
      if (isTooMuch) {
        stop();
        onLimit();
      }
      return !isTooMuch && !isBusy;
    } catch (error) {
      fault(error);
      return false;
    }
  }

  function goOn(): void {
    isBusy = false;
    lastAt = clock.monotonic();
    if (!isClosed) for (const stream of streams) stream.resume();
    if (isOver()) onEnd();
    onFree();
  }

  function fault(error: unknown): void {
    isBusy = false;
    stop();
    onFault(error);
  }

  const streams = typeof source === "number" ? [pipeSocket(source, take)] : source;
  for (const stream of streams) {
    open++;
    let isOpen = true;
    const end = () => {
      if (isOpen) open--;
      isOpen = false;
      if (open === 0) onEnd();
    };
    stream.once("end", end).once("close", end).on("error", end);
    if (typeof source !== "number") {
      stream.on("data", (bytes: Uint8Array) => {
        if (!take(bytes)) for (const each of streams) each.pause();
      });
    }
  }

  const isOver = () => (isClosed || open === 0) && !isBusy;

  return {
    settle({ quietMs, capMs, until }) {
      const startedAt = clock.monotonic();
      return new Promise((resolve) => {
        let cancel = () => {};
        let isDone = false;
        const done = () => {
          isDone = true;
          cancel();
          onEnd = () => {};
          resolve();
        };
        const look = () => {
          if (isDone) return;
          const now = clock.monotonic();
          const quietIn = Math.max(lastAt, startedAt) + quietMs - now;
          const isEnough = !isBusy && (quietIn <= 0 || now - startedAt >= capMs);
          if (isOver() || isEnough) {
            done();
            return;
          }
          cancel();
          // a timer comes before what is waiting in the pipe: look only after that was read
          cancel = clock.timer(isBusy ? quietMs : Math.max(1, quietIn), () => setImmediate(look));
        };
        onEnd = look;
        until.then(done);
        look();
      });
    },
    async drain({ hurry, busyMs }) {
      let isGivenUp = false;
      let isDone = false;
      let cancel = () => {};
      const giveUp = () => {
        isGivenUp = true;
        onFree();
      };
      hurry.then(() => {
        if (!isDone) cancel = clock.timer(busyMs, giveUp);
      });
      const last = left - MAX_DRAINED_BYTES;
      while (!isOver() && !isGivenUp && left > last) {
        const before = left;
        await roundOfEvents();
        if (isBusy && !isGivenUp) {
          await new Promise<void>((resolve) => {
            onFree = resolve;
          });
        } else if (left === before) break;
      }
      isDone = true;
      cancel();
    },
    close() {
      const wasRead = open === 0 && !isBusy && !isClosed;
      stop();
      return wasRead;
    },
  };
}

/** Passes when all that was ready at the call has come in: between two immediates lies a whole look at what is ready. */
export function roundOfEvents(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** A socket that reads a pipe into one buffer. */
function pipeSocket(fd: number, take: (bytes: Uint8Array) => boolean): Socket {
  const buffer = new Uint8Array(BUFFER_BYTES);
  const onread = { buffer, callback: (size: number, filled: Uint8Array) => take(filled.subarray(0, size)) };
  // `onread` is documented for `net.connect` only; the socket takes it for a descriptor too, and a test holds that
  return new Socket({ fd, readable: true, writable: false, onread } as SocketConstructorOpts);
}
