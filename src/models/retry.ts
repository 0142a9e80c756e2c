import type { Clock } from "../base/clock.ts";
import { type Failure, fail, isFailure } from "../base/fail.ts";
import { withDetails } from "./failure.ts";
import type { Model, ModelPart } from "./port.ts";

/** Further tries after the first, and the waits between them in ms: doubling, as the providers' own clients do. */
const RETRIES = 3;
const FIRST_WAIT_MS = 500;
/** No wait is longer, whatever the provider asks for. */
const MAX_WAIT_MS = 60_000;

export interface RetryOptions {
  readonly clock: Clock;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
}

/**
 * Asks again, up to three times, when a request failed for a reason that may pass (`details.retryable`: 429, 408, 5xx, overload, network)
 * and no part of the answer was delivered. The wait is what the provider asks for, up to a minute, else 0.5, 1, 2 s, each ± a quarter.
 * A provider that asks for more patience than all tries left would have is not asked again. Nothing is emitted meanwhile; the failure
 * in the end carries `details.attempts`.
 */
export function withRetry(model: Model, options: RetryOptions): Model {
  return { name: model.name, stream: (request, { signal }) => attempts(() => model.stream(request, { signal }), signal, options) };
}

async function* attempts(
  ask: () => AsyncIterable<ModelPart>,
  signal: AbortSignal,
  { clock, random }: RetryOptions,
): AsyncGenerator<ModelPart> {
  for (let attempt = 1; ; attempt++) {
    let delivered = false;
    try {
      for await (const part of ask()) {
        delivered = true;
        yield part;
      }
      return;
    } catch (error) {
      if (!isFailure(error)) throw error;
      const left = RETRIES + 1 - attempt;
      const wait = waitMs(error, attempt, random);
      if (delivered || left === 0 || error.details.retryable !== true || wait > left * MAX_WAIT_MS || signal.aborted) {
        throw withDetails(error, { attempts: attempt });
      }
      await pause(Math.min(wait, MAX_WAIT_MS), { clock, signal, failure: error });
    }
  }
}

function waitMs({ details }: Failure, attempt: number, random: () => number): number {
  if (typeof details.retry_after_ms === "number") return details.retry_after_ms;
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.75 + random() / 2);
}

interface PauseOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly failure: Failure;
}

function pause(ms: number, { clock, signal, failure }: PauseOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancelTimer();
      const details = { model: failure.details.model, url: failure.details.url, waiting_after: failure.kind };
      reject(fail("cancelled", "the model call was cancelled while waiting to be tried again", details, { cause: failure }));
    };
    const cancelTimer = clock.timer(ms, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    signal.addEventListener("abort", stop, { once: true });
  });
}
