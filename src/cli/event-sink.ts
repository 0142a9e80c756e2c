import type { EphemeralEvent, LoggedEvent } from "../log/index.ts";

type AnyRunEvent = LoggedEvent | EphemeralEvent;

/** Hands events on one by one, in order, each when the one before is done; the runtime does not wait for a slow screen. */
export interface EventSink {
  /** To be given to the runtime. Does not throw. */
  readonly take: (event: AnyRunEvent) => void;
  /** Settles when all that was taken so far is handed on; rejects with the first thing that a receiver threw. */
  idle(): Promise<void>;
}

export function createEventSink(receivers: readonly ((event: AnyRunEvent) => Promise<void>)[]): EventSink {
  if (receivers.length === 0) return { take: () => {}, idle: async () => {} };
  let last: Promise<void> = Promise.resolve();
  let broken: { readonly error: unknown } | null = null;
  return {
    take(event) {
      last = last.then(async () => {
        if (broken) return;
        try {
          for (const receive of receivers) await receive(event);
        } catch (error) {
          broken = { error };
        }
      });
    },
    async idle() {
      await last;
      if (broken) throw broken.error;
    },
  };
}
