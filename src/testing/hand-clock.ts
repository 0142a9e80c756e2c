import type { Clock } from "../base/clock.ts";

/** The clock of `handClock`: it stands still between calls of `advance`. */
export interface HandClock extends Clock {
  /** Moves time on and calls back the timers that come due, in their order, letting promises settle in between. */
  advance(ms: number): Promise<void>;
}

/** A clock that moves only by hand. Starts at 2026-01-01T00:00:00Z. */
export function handClock(startMs = Date.UTC(2026, 0, 1)): HandClock {
  let nowMs = startMs;
  let serial = 0;
  const timers = new Map<number, { readonly dueMs: number; readonly callback: () => void }>();
  return {
    now: () => nowMs,
    monotonic: () => nowMs - startMs,
    timer(ms, callback) {
      const id = serial++;
      timers.set(id, { dueMs: nowMs + Math.max(ms, 0), callback });
      return () => {
        timers.delete(id);
      };
    },
    async advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        await settled();
        const [next] = [...timers].filter(([, timer]) => timer.dueMs <= untilMs).sort(([a, x], [b, y]) => x.dueMs - y.dueMs || a - b);
        if (!next) break;
        timers.delete(next[0]);
        nowMs = Math.max(nowMs, next[1].dueMs);
        next[1].callback();
      }
      nowMs = untilMs;
      await settled();
    },
  };
}

/** Lets what is already on its way run: a few turns of the microtask queue, no real time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
