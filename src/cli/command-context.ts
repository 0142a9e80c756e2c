import type { Terminal } from "./terminal.ts";

/** What a command works with. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Says with which status the process is to end; without it 0. */
  readonly end: (status: number) => void;
}
