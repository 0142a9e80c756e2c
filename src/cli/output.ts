import type { Writable } from "node:stream";
import pc from "picocolors";
import { type Failure, fail } from "../base/fail.ts";

/** Exit status when nobody reads what is told: what a shell reports for a program that SIGPIPE (13) ended. */
export const NOBODY_READS = 141;

export type Colors = ReturnType<typeof pc.createColors>;

/** One of the two streams that a person or a pipe reads. */
export interface Output {
  readonly isTerminal: boolean;
  /** Width of a terminal as it is now, 80 where it does not say; `null` for what is none. */
  columns(): number | null;
  /** Width for our own prose: as `columns`, and 80 for what is no terminal. */
  proseColumns(): number;
  /** Height of a terminal as it is now, 24 where it does not say; `null` for what is none. */
  rows(): number | null;
  /** A terminal that can take back what it shows. */
  readonly isScreen: boolean;
  /** Our own colours; they do nothing where none are wanted. Text of others goes through `showText` first. */
  readonly colors: Colors;
  /** Aborted when nothing can be written any more, most often because nobody reads (closed pipe, gone terminal); what is written then is dropped. */
  readonly gone: AbortSignal;
  /** From now on nothing is written: for a reader that is not waited for. */
  leave(): void;
  /** Settles when more may be written, so that a slow reader slows the writer down. Never rejects. */
  write(text: string): Promise<void>;
  /** Settles when all is handed over. Returns why it could not be, but for a reader that has gone. */
  flush(): Promise<Failure | null>;
}

export interface OutputOptions {
  readonly name: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Stream = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/** What a terminal is taken for that says 0, as some do that are no windows; prose has so many columns where there is no terminal. */
const COLUMNS = 80;
const ROWS = 24;

/** `NO_COLOR` (not empty) turns colour off, `FORCE_COLOR` (neither empty nor `0`) turns it on; else it is for terminals but dumb ones. */
export function createOutput(stream: Stream, { name, env }: OutputOptions): Output {
  const isTerminal = stream.isTTY === true;
  const gone = new AbortController();
  let failure: Failure | null = null;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // a terminal that hung up answers EIO
    const isReaderGone = error.code === "EPIPE" || (error.code === "EIO" && isTerminal);
    if (!isReaderGone && !gone.signal.aborted) failure = fail("write_failed", `${name} cannot be written: ${error.message}`);
    gone.abort();
  });
  return {
    isTerminal,
    columns: () => (isTerminal ? stream.columns || COLUMNS : null),
    proseColumns: () => (isTerminal && stream.columns) || COLUMNS,
    rows: () => (isTerminal ? stream.rows || ROWS : null),
    isScreen: isTerminal && env.TERM !== "dumb",
    colors: pc.createColors(wantsColor(isTerminal, env)),
    gone: gone.signal,
    leave: () => gone.abort(),
    write(text) {
      if (gone.signal.aborted || text === "" || stream.write(text)) return Promise.resolve();
      return new Promise((resolve) => {
        const done = () => {
          stream.off("drain", done);
          gone.signal.removeEventListener("abort", done);
          resolve();
        };
        stream.once("drain", done);
        gone.signal.addEventListener("abort", done);
      });
    },
    async flush() {
      if (!gone.signal.aborted) await new Promise<void>((resolve) => stream.write("", () => resolve()));
      return failure;
    },
  };
}

function wantsColor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
  return isTerminal && env.TERM !== "dumb";
}
