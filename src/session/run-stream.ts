import type { EphemeralEvent, LoggedEvent } from "../log/index.ts";

type AnyRunEvent = LoggedEvent | EphemeralEvent;

/** Events of one run on their way to whoever iterates; what nobody takes is held until the run itself is let go. */
export interface RunStream extends AsyncIterable<AnyRunEvent> {
  push(event: AnyRunEvent): void;
  end(): void;
}

/** One reader at most, from the first event on; a reader that leaves early lets the rest go. */
export function createRunStream(): RunStream {
  let queue: AnyRunEvent[] | null = [];
  let wake = (): void => {};
  let ended = false;
  return {
    push(event) {
      queue?.push(event);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      try {
        while (queue) {
          const batch: AnyRunEvent[] = queue;
          queue = [];
          yield* batch;
          if (queue.length > 0) continue;
          if (ended) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        queue = null;
      }
    },
  };
}
