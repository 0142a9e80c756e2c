import { closeSync, constants, createReadStream, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { type Failure, isFailure } from "../base/fail.ts";
import { type PipedTextOptions, readPipedText } from "./piped-text.ts";

export interface UserFileOptions extends PipedTextOptions {
  /** The failure that says that the file cannot be used: why, in words, and the `reason` as of `readPipedText`, or `not_a_file`. */
  readonly refuse: (why: string, reason: string) => Failure;
}

/**
 * The text of a file that the user named: a regular file, a pipe (`<(…)`, `/dev/stdin`, a FIFO) or a terminal. However long the other end of a
 * pipe keeps us waiting, `signal` ends it. Kinds: that of `refuse`, and `cancelled`.
 */
export async function readUserFile(file: string, { maxBytes, signal, refuse }: UserFileOptions): Promise<string> {
  try {
    const stream = openStream(file);
    if (stream === null) throw refuse("it is neither a file nor a pipe", "not_a_file");
    return await readPipedText(stream, { maxBytes, signal });
  } catch (error) {
    if (isFailure(error) && error.kind !== "stdin_error") throw error;
    if (isFailure(error)) throw refuse(error.message.replace("standard input", "it"), String(error.details.reason));
    throw refuse(`it cannot be read: ${error instanceof Error ? error.message : String(error)}`, "unreadable");
  }
}

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;

/**
 * `null` for what may wait in the kernel: a thread that waits there cannot be called back, and the process cannot end before it. So a pipe is
 * opened without waiting for its writer, and watched.
 */
function openStream(file: string): Readable | null {
  const fd = openSync(file, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    const stat = fstatSync(fd);
    if (stat.isFIFO()) return new Socket({ fd, readable: true, writable: false });
    if (isatty(fd)) return new ReadStream(fd);
    // the reading of a folder says that it is one
    if (stat.isFile() || stat.isDirectory()) return createReadStream(file, { fd });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
  return null;
}
