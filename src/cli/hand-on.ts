import type { EphemeralEvent, LoggedEvent } from "../log/index.ts";

type AnyRunEvent = LoggedEvent | EphemeralEvent;
export type Receiver = (event: AnyRunEvent) => Promise<void>;

export interface HandOnOptions {
  /** What came before the run, such as the beginning of its session. */
  readonly before: readonly AnyRunEvent[];
  readonly receivers: readonly Receiver[];
}

/** Events up to the start of a run. */
export interface EarlyEvents {
  /** To be given to the runtime. Does not throw. */
  readonly take: (event: AnyRunEvent) => void;
  /** Returns what came, and takes no more. */
  end(): readonly AnyRunEvent[];
}

export function gatherEvents(): EarlyEvents {
  const events: AnyRunEvent[] = [];
  let isOpen = true;
  return {
    take: (event) => void (isOpen && events.push(event)),
    end() {
      isOpen = false;
      return events;
    },
  };
}

/** A run takes a reader that takes nothing for a minute for one that waits for the run itself, and goes on without it. */
export const SIGN_OF_LIFE_MS = 20_000;

/**
 * Hands the events of a run on one by one, in order, to each receiver in turn, each when the one before is done. What is not handed on yet stays with
 * the run, which waits: a slow receiver slows it down, for as long as it takes, and memory stays flat. Rejects with the first thing that
 * a receiver or the run throws; the run then goes on without a reader.
 */
export function handOn(run: AsyncIterable<AnyRunEvent>, { before, receivers }: HandOnOptions): Promise<void> {
  const work = receivers.length === 0 ? Promise.resolve() : hand(run[Symbol.asyncIterator](), before, receivers);
  // it is looked at when the run has ended
  work.catch(() => {});
  return work;
}

async function hand(iterator: AsyncIterator<AnyRunEvent>, before: readonly AnyRunEvent[], receivers: readonly Receiver[]): Promise<void> {
  let coming: Promise<IteratorResult<AnyRunEvent>> | null = null;
  const next = () => {
    coming ??= iterator.next();
    return coming;
  };
  /** Taken and not handed on yet: as signs of life, three a minute. */
  const ahead: IteratorResult<AnyRunEvent>[] = before.map((value) => ({ done: false, value }));
  try {
    for (;;) {
      let result = ahead.shift();
      if (!result) {
        result = await next();
        coming = null;
      }
      if (result.done) return;
      const handed = giveTo(receivers, result.value);
      while (!(await settlesSoon(handed))) {
        // one event more, or none when none comes meanwhile
        const more = await Promise.race([next(), handed]);
        if (!more) break;
        coming = null;
        ahead.push(more);
        if (more.done) break;
      }
      await handed;
    }
  } finally {
    await iterator.return?.();
  }
}

async function giveTo(receivers: readonly Receiver[], event: AnyRunEvent): Promise<void> {
  for (const receive of receivers) await receive(event);
}

/** False after a while in which it did not. */
async function settlesSoon(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, SIGN_OF_LIFE_MS, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** After an interrupt a reader that takes nothing is waited for no longer. */
export const GRACE_MS = 5_000;

/** Settles with true when the work is done, and with false when an interrupt came, also before, and it still is not a while later. */
export async function isDone(work: Promise<void>, interrupt: AbortSignal): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    const wait = () => {
      timer = setTimeout(resolve, GRACE_MS, false);
    };
    if (interrupt.aborted) wait();
    else interrupt.addEventListener("abort", wait, { once: true });
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
