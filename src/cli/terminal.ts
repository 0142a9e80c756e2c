import { fstatSync } from "node:fs";
import { fail } from "../base/fail.ts";
import { createEnd } from "./end-process.ts";
import { createOutput, type Output } from "./output.ts";

/** What a command may touch of the process that it runs in. Front doors alone have this; rooms below get what they need as arguments. */
export interface Terminal {
  /** The words after `collet`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder. Kind: `not_found`, when it was removed. */
  cwd(): string;
  readonly out: Output;
  readonly err: Output;
  /** Opened at the first use: a command that reads nothing does not touch it. Kind: `stdin_error`. */
  stdin(): NodeJS.ReadStream;
  readonly process: NodeJS.Process;
  /** Ends the process at once. */
  end(status: number): never;
}

export function createTerminal(process: NodeJS.Process): Terminal {
  const { env } = process;
  const end = createEnd(process);
  return {
    args: process.argv.slice(2),
    env,
    cwd() {
      try {
        return process.cwd();
      } catch (cause) {
        throw fail("not_found", "the current folder does not exist any more; change to another one", {}, { cause });
      }
    },
    out: createOutput(process.stdout, { name: "standard output", env }),
    err: createOutput(process.stderr, { name: "standard error", env }),
    stdin() {
      // Node gives an empty stream for a folder, as if there were nothing
      if (fstatSync(0).isDirectory()) throw fail("stdin_error", "standard input is a folder", { reason: "unreadable" });
      return process.stdin;
    },
    process,
    end,
  };
}
