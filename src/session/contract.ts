import type { ErrorBody } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import type { CallResult, Explanation } from "../executor/index.ts";
import type { EphemeralEvent, LoggedEvent } from "../log/index.ts";

/** How a turn ended. */
export interface TurnResult {
  readonly status: "done" | "failed" | "interrupted" | "capped" | "suspended" | "over_budget";
  /** The model's last text: the answer when `status` is `done`. */
  readonly text: string;
  /** Tokens of the turn, summed over its requests. */
  readonly usage: JsonObject;
  readonly error: ErrorBody | null;
}

/**
 * Iterate it for the events, await `result` for the end; both may be done, neither must.
 *
 * There is one reader: a second iteration throws `invalid_args` at once. It gets every event from the first on, in order, whenever it comes,
 * as long as no more than 1,024 are waiting for it. Behind that:
 * - where nobody reads, nothing more is held, and the turn goes on. A reader that comes later gets the first 1,024, and then `backpressure`
 *   is thrown, whose `details.missing` says how many it missed;
 * - a reader that is slow holds up the turn, and misses nothing but `tool_progress`. One that takes nothing for a minute, such as one that
 *   awaits `result` in its loop, is let behind, as if nobody read;
 * - a reader that leaves (`break`) holds up nothing: the turn goes on to its end.
 */
export interface Run extends AsyncIterable<LoggedEvent | EphemeralEvent> {
  readonly result: Promise<TurnResult>;
}

/** One conversation. One turn runs at a time; each sees what the turns before it said. */
export interface Session {
  readonly id: string;
  /**
   * Begins a turn. Throws `invalid_args`, before anything is recorded or sent: no model, a turn that is still running, a prompt that is no
   * text or above 16,000,000 bytes as a JSON string.
   */
  run(prompt: string, options?: { readonly signal?: AbortSignal }): Run;
}

/** What `createRuntime` makes: calls and sessions over one workspace, under one set of permissions. */
export interface Runtime {
  /**
   * One call through the executor, no model. Kinds of failure stand in the envelope; it does not throw. Arguments that are text are parsed
   * as those of a model are.
   */
  call(
    tool: string,
    args: JsonObject | string,
    options?: { readonly dryRun?: boolean; readonly signal?: AbortSignal },
  ): Promise<CallResult>;
  /**
   * What a call would do, and how each of its effects would be decided, by which rule of whom. Nothing is run, asked or recorded. It does not
   * throw for what is wrong with the call: that stands in `error`. Kinds: those of a session that cannot be opened.
   */
  explain(tool: string, args: JsonObject | string, options?: { readonly signal?: AbortSignal }): Promise<Explanation>;
  session(options?: { readonly resume?: string }): Promise<Session>;
  /** Ends what runs, syncs and closes the logs. Safe to call twice. */
  close(): Promise<void>;
  /** Kills every process that runs, at once and waiting for nothing: for a host that is about to exit. Nothing is recorded. */
  kill(): void;
}
