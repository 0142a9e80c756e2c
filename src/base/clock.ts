/** Time as an argument, so that tests turn it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. Never used for order. */
  now(): number;
  /** Milliseconds of a clock that only goes forward. */
  monotonic(): number;
  /** Calls back once after `ms`; returns what cancels it. */
  timer(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(ms, callback) {
    const handle = setTimeout(callback, ms);
    return () => clearTimeout(handle);
  },
};
