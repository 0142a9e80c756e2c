import { unlessAborted } from "./unless-aborted.ts";

/** Locks by real path. A holder has all of its paths or waits for all of them, so holders cannot wait for each other in a ring. */
export interface PathLocks {
  /** Waits for the paths, runs `work` alone on them, and gives them back however it ends. An abort ends the waiting (`cancelled`). */
  hold<T>(paths: readonly string[], signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createPathLocks(): PathLocks {
  const tails = new Map<string, Promise<void>>();
  return {
    async hold(paths, signal, work) {
      const wanted = [...new Set(paths)];
      const before = Promise.all(wanted.map((path) => tails.get(path)));
      const { promise: mine, resolve: release } = deferred();
      for (const path of wanted) tails.set(path, mine);
      const giveBack = () => {
        release();
        for (const path of wanted) if (tails.get(path) === mine) tails.delete(path);
      };
      try {
        await unlessAborted(before, signal, "interrupted while waiting for another call on the same file");
      } catch (error) {
        // those behind still have to wait for those before
        void before.then(giveBack);
        throw error;
      }
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };
}

const processWide = Symbol.for("collet.path-locks");

/**
 * The locks of this process, over all runtimes in it, also when two copies of the package are loaded: two writers of one file in one
 * process must meet, whoever made them.
 */
export function processPathLocks(): PathLocks {
  // the global object is the only place that two copies of this module share
  const holder = globalThis as { [processWide]?: PathLocks };
  holder[processWide] ??= createPathLocks();
  return holder[processWide];
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
