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
  /** In all, when there is still coming something. */
  readonly capMs: number;
  /** In all, while `onOutput` is at work: that is neither quiet nor cut off by `capMs`. */
  readonly busyMs: number;
  /** Enough when it resolves. */
  readonly until?: Promise<unknown>;
}

export interface OutputReader {
  /** Resolves when the pipe has come to its end and all was taken, or by one of the limits. */
  settle(limits: SettleLimits): Promise<void>;
  /** Hands on nothing more. Returns whether the pipe was read to its end. */
  close(): boolean;
}

/** One buffer for all reads: 64 KiB is what a pipe holds, and new ones would cost 40 MB before they are collected. */
const BUFFER_BYTES = 64 * 1024;

/** Reads the output of a process, a piece at a time: the next one when `onOutput` is done with the last, so memory is flat. */
export function createOutputReader({ source, clock, maxBytes, onOutput, onLimit, onFault }: OutputReaderOptions): OutputReader {
  let left = maxBytes;
  let lastAt = clock.monotonic();
  let isBusy = false;
  let isClosed = false;
  let open = 0;
  let onEnd = () => {};

  const stop = () => {
    isClosed = true;
    for (const stream of streams) stream.destroy();
    onEnd();
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
    settle({ quietMs, capMs, busyMs, until }) {
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
          const isEnough = isBusy ? now - startedAt >= busyMs : quietIn <= 0 || now - startedAt >= capMs;
          if (isOver() || isEnough) {
            done();
            return;
          }
          cancel();
          // a timer comes before what is waiting in the pipe: look only after that was read
          cancel = clock.timer(isBusy ? quietMs : Math.max(1, quietIn), () => setImmediate(look));
        };
        onEnd = look;
        until?.then(done);
        look();
      });
    },
    close() {
      const wasRead = open === 0 && !isBusy && !isClosed;
      stop();
      return wasRead;
    },
  };
}

/** A socket that reads a pipe into one buffer. */
function pipeSocket(fd: number, take: (bytes: Uint8Array) => boolean): Socket {
  const buffer = new Uint8Array(BUFFER_BYTES);
  const onread = { buffer, callback: (size: number, filled: Uint8Array) => take(filled.subarray(0, size)) };
  // `onread` is documented for `net.connect` only; the socket takes it for a descriptor too, and a test holds that
  return new Socket({ fd, readable: true, writable: false, onread } as SocketConstructorOpts);
}
