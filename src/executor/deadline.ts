import type { Clock } from "../base/clock.ts";
import { fail, isFailure } from "../base/fail.ts";

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** After the limit or an abort, how long the work may take to come to its own end before it is left behind. */
  readonly graceMs: number;
  readonly signal: AbortSignal;
  /** Names the work in the message. */
  readonly label: string;
}

export interface Limited {
  /** Aborts at the limit or with the caller's signal. */
  readonly signal: AbortSignal;
  /** Waits for a person: the time does not count. */
  paused<T>(wait: () => Promise<T>): Promise<T>;
}

/**
 * Runs work under a wall-clock limit and an abort signal. When the work does not end within the grace time after either it is left
 * behind, and its later end is ignored. Kinds: `timeout`, `cancelled`; a failure that the work itself throws while it is being stopped is
 * kept, since it says more (partial output).
 */
export async function withDeadline<T>(work: (limited: Limited) => Promise<T>, options: DeadlineOptions): Promise<T> {
  const { clock, timeoutMs, graceMs, signal, label } = options;
  const timedOut = () => fail("timeout", `${label} did not end within ${timeoutMs / 1000} s`, { timeout_ms: timeoutMs });
  const cancelled = () => fail("cancelled", `${label} was interrupted`);
  if (signal.aborted) throw cancelled();

  const inner = new AbortController();
  let isOverTime = false;
  let leaveBehind = (): void => {};
  const left = new Promise<never>((_, reject) => {
    leaveBehind = () => reject(inner.signal.reason);
  });
  left.catch(() => {});
  let cancelGrace = (): void => {};
  const stop = (reason: Error) => {
    if (inner.signal.aborted) return;
    inner.abort(reason);
    cancelGrace = clock.timer(graceMs, leaveBehind);
  };
  const overTime = () => {
    isOverTime ||= !inner.signal.aborted;
    stop(timedOut());
  };
  const onAbort = () => stop(cancelled());
  signal.addEventListener("abort", onAbort, { once: true });

  let remainingMs = timeoutMs;
  let armedAt = clock.monotonic();
  let cancelTimer = clock.timer(remainingMs, overTime);
  let waits = 0;
  let isOver = false;
  const rearm = () => {
    armedAt = clock.monotonic();
    if (!isOver) cancelTimer = clock.timer(Math.max(remainingMs, 0), overTime);
  };
  const limited: Limited = {
    signal: inner.signal,
    async paused(wait) {
      if (waits++ === 0) {
        cancelTimer();
        remainingMs -= clock.monotonic() - armedAt;
      }
      try {
        return await wait();
      } finally {
        if (--waits === 0) rearm();
      }
    },
  };

  try {
    const done = await Promise.race([work(limited), left]);
    // a result that comes while an abort is under way is still the truth; one that comes after the limit is too late, whatever it says
    if (isOverTime) throw inner.signal.reason;
    return done;
  } catch (error) {
    if (inner.signal.aborted && !isFailure(error)) throw inner.signal.reason;
    throw error;
  } finally {
    isOver = true;
    cancelTimer();
    cancelGrace();
    signal.removeEventListener("abort", onAbort);
  }
}
