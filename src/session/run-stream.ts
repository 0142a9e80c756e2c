import type { Clock } from "../base/clock.ts";
import { fail } from "../base/fail.ts";
import type { EphemeralEvent, LoggedEvent } from "../log/index.ts";

type AnyRunEvent = LoggedEvent | EphemeralEvent;

/** What is held for a reader: so many events, and of streamed text so many characters. A flood of pieces is a few tokens each. */
const MAX_EVENTS = 1024;
const MAX_CHARS = 4 * 1024 * 1024;
/** How long a turn is held up for a reader that takes nothing; then it may be one that waits for the turn. */
const PATIENCE_MS = 60_000;

/**
 * Events of one run on their way to its one reader. What the reader gets has no gap: all events from the first on, or a beginning of them
 * and then a `backpressure` failure that says how many are missing.
 *
 * - Until a reader comes the first 1,024 events are held, and no more.
 * - A reader that falls that far behind holds up the turn, which asks `room` wherever it can wait. What cannot wait is held all the same
 *   (events of one batch of calls), but for `tool_progress`, which is left out.
 * - A reader that takes nothing for a minute is taken to wait for the turn itself: the turn goes on, and the reader is as one that is not
 *   there, until it has caught up.
 * - A reader that leaves lets everything go.
 */
export interface RunStream extends AsyncIterable<AnyRunEvent> {
  push(event: AnyRunEvent): void;
  end(): void;
  /** `null`: go on. Else settles when there is room again, nobody reads any more, or `signal` is aborted. Never rejects. */
  room(signal: AbortSignal): Promise<void> | null;
}

interface Waiting {
  readonly resolve: (result: IteratorResult<AnyRunEvent, undefined>) => void;
}

const DONE = { done: true, value: undefined } as const;

export function createRunStream(clock: Clock): RunStream {
  let queue: AnyRunEvent[] = [];
  let taken = 0;
  let chars = 0;
  let missing = 0;
  let reader: "none" | "here" | "stuck" | "gone" = "none";
  let ended = false;
  const waiting: Waiting[] = [];
  let release = (): void => {};
  let restartPatience = (): void => {};

  const isFull = () => queue.length - taken >= MAX_EVENTS || chars >= MAX_CHARS;
  const isHalfEmpty = () => queue.length - taken <= MAX_EVENTS / 2 && chars <= MAX_CHARS / 2;
  const take = (): AnyRunEvent | undefined => {
    const event = queue[taken];
    if (event === undefined) return undefined;
    taken++;
    chars -= charsOf(event);
    if (taken >= MAX_EVENTS || taken === queue.length) {
      queue = queue.slice(taken);
      taken = 0;
    }
    restartPatience();
    if (isHalfEmpty()) {
      release();
      if (reader === "stuck") reader = "here";
    }
    return event;
  };
  const leave = () => {
    reader = "gone";
    queue = [];
    taken = 0;
    chars = 0;
    release();
    for (const { resolve } of waiting.splice(0)) resolve(DONE);
  };

  return {
    push(event) {
      if (reader === "gone") return;
      const waiter = waiting.shift();
      if (waiter) return waiter.resolve({ done: false, value: event });
      if (missing === 0 && isFull()) {
        if (reader === "here" && event.type === "tool_progress") return;
        if (reader !== "here") missing++;
        else hold(event);
      } else if (missing > 0) missing++;
      else hold(event);
    },
    end() {
      ended = true;
      for (const { resolve } of waiting.splice(0)) resolve(DONE);
    },
    room(signal) {
      if (reader !== "here" || missing > 0 || !isFull() || signal.aborted) return null;
      return new Promise((resolve) => {
        let stopPatience = (): void => {};
        const over = () => {
          stopPatience();
          restartPatience = release = () => {};
          signal.removeEventListener("abort", over);
          resolve();
        };
        restartPatience = () => {
          stopPatience();
          stopPatience = clock.timer(PATIENCE_MS, () => {
            reader = "stuck";
            over();
          });
        };
        release = over;
        signal.addEventListener("abort", over, { once: true });
        restartPatience();
      });
    },
    [Symbol.asyncIterator]() {
      if (reader !== "none") {
        throw fail("invalid_args", "the events of a run have one reader; onEvent is called with them too", { reason: "second_reader" });
      }
      reader = "here";
      const iterator: AsyncIterableIterator<AnyRunEvent, undefined> = {
        [Symbol.asyncIterator]: () => iterator,
        async next() {
          if (reader === "gone") return DONE;
          const event = take();
          if (event) return { done: false, value: event };
          if (missing > 0) {
            const details = { reason: "reader_too_slow", missing, held: MAX_EVENTS };
            leave();
            throw fail("backpressure", `the reader of this run fell behind: ${details.missing} events were not kept for it`, details);
          }
          if (ended) return DONE;
          return await new Promise((resolve) => waiting.push({ resolve }));
        },
        async return() {
          leave();
          return DONE;
        },
      };
      return iterator;
    },
  };

  function hold(event: AnyRunEvent): void {
    queue.push(event);
    chars += charsOf(event);
  }
}

function charsOf(event: AnyRunEvent): number {
  return event.type === "text_delta" || event.type === "reasoning_delta" ? event.data.text.length : 0;
}
