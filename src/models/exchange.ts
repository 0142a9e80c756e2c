import type { Clock } from "../base/clock.ts";
import { type Failure, isFailure } from "../base/fail.ts";
import { cancelledFailure, cutFailure, httpFailure, idleFailure, networkFailure, type Origin, protocolFailure } from "./failure.ts";

/** An error body is read up to here. */
const MAX_ERROR_BYTES = 64 * 1024;
/** A stream larger than this, or with a line larger than that, is no answer of a model (128k output tokens are some 40 MB of frames). */
const MAX_STREAM_BYTES = 256 * 1024 * 1024;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** How long more is waited for once all has been said; some servers keep the connection open. */
const SETTLE_MS = 2000;

export interface ExchangeOptions {
  readonly origin: Origin;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  /** How long the provider may be silent, before and inside the stream. */
  readonly idleTimeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * One request and its answer on the wire. It watches over what the layer above cannot see: silence, redirects, HTTP errors, size, a broken
 * connection, cancellation. The first thing that goes wrong is kept in `failed`, whatever the layer above makes of it.
 */
export interface Exchange {
  readonly signal: AbortSignal;
  readonly failed: Failure | undefined;
  /** Whether the request has left. */
  readonly sent: boolean;
  /** A `fetch` for this one request; it throws a `Failure` unless an event stream has begun. */
  send(url: string, init: RequestInit): Promise<Response>;
  /** All has been said: two seconds later the body is taken to be at its end. */
  settle(): void;
  /** Frees the connection and the timer. Safe to call twice. */
  close(): void;
}

export function openExchange(options: ExchangeOptions): Exchange {
  const { origin, clock, idleTimeoutMs } = options;
  const controller = new AbortController();
  let failed: Failure | undefined;
  let settling = false;
  let isOver = false;
  let endBody: (failure?: Failure) => void = () => {};
  let active = clock.monotonic();
  // whether the provider is waited for: a consumer that takes its time is not the provider's silence
  let waiting = true;
  let closed = false;
  let sent = false;

  const failWith = (failure: Failure): Failure => {
    failed ??= failure;
    return failed;
  };
  const abort = (failure: Failure) => {
    controller.abort(failWith(failure));
    endBody(failure); // a `fetch` from outside may not care about its signal
  };
  const cancel = () => abort(cancelledFailure(origin));
  const watch = (ms: number): (() => void) =>
    clock.timer(ms, () => {
      const left = waiting ? idleTimeoutMs - (clock.monotonic() - active) : idleTimeoutMs;
      if (left > 1) stopWatch = watch(left);
      else abort(idleFailure(origin, idleTimeoutMs));
    });
  let stopWatch = watch(idleTimeoutMs);
  if (options.signal.aborted) cancel();
  else options.signal.addEventListener("abort", cancel, { once: true });

  const listen = () => {
    active = clock.monotonic();
    waiting = true;
  };

  const refuse = async (response: Response): Promise<Failure> => {
    const body = await beginning(response, controller.signal);
    return httpFailure(origin, { status: response.status, headers: response.headers, body, now: clock.now() });
  };

  const send = async (url: string, init: RequestInit): Promise<Response> => {
    sent = true;
    let response: Response;
    try {
      // redirects are not followed: they would carry the key and the conversation to another host
      response = await options.fetch(url, { ...init, redirect: "manual", signal: controller.signal });
    } catch (error) {
      throw failWith(isFailure(error) ? error : networkFailure(origin, error));
    }
    listen();
    if (!response.ok) throw failWith(await refuse(response));
    const type = response.headers.get("content-type") ?? "";
    if (response.body === null || /html|application\/json/i.test(type)) {
      const text = await beginning(response, controller.signal);
      throw failWith(protocolFailure(origin, "no_event_stream", { text }));
    }
    const body = watched(response.body);
    return new Response(body, { status: response.status, headers: response.headers });
  };

  const watched = (source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
    const reader = source.getReader();
    let total = 0;
    let line = 0;
    return new ReadableStream<Uint8Array>(
      {
        async pull(sink) {
          try {
            const value = await new Promise<Uint8Array | undefined>((resolve, reject) => {
              if (isOver) return resolve(undefined);
              listen();
              endBody = (failure) => (failure === undefined ? resolve(undefined) : reject(failure));
              reader.read().then((read) => resolve(read.value), reject);
            });
            if (value === undefined) return sink.close();
            waiting = false;
            total += value.byteLength;
            const newline = value.lastIndexOf(0x0a);
            line = newline === -1 ? line + value.byteLength : value.byteLength - newline - 1;
            if (total > MAX_STREAM_BYTES || line > MAX_LINE_BYTES) throw protocolFailure(origin, "too_large", {});
            sink.enqueue(value);
          } catch (error) {
            sink.error(failWith(isFailure(error) ? error : cutFailure(origin, "broken", error)));
          }
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  };

  return {
    signal: controller.signal,
    get failed() {
      return failed;
    },
    get sent() {
      return sent;
    },
    send,
    settle() {
      if (settling || closed) return;
      settling = true;
      stopWatch();
      // counted from here, whatever still comes: a server may send keep-alive bytes for ever
      stopWatch = clock.timer(SETTLE_MS, () => {
        isOver = true;
        endBody();
      });
    },
    close() {
      if (closed) return;
      closed = true;
      stopWatch();
      options.signal.removeEventListener("abort", cancel);
      controller.abort();
    },
  };
}

/** The first part of a body, as text; what can be had of it when the rest does not come. */
async function beginning(response: Response, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (size < MAX_ERROR_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    // the status is known, and says more than the broken end of its explanation
  }
  reader.cancel().catch(() => {});
  return Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES).toString();
}
