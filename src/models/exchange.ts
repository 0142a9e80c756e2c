import type { Clock } from "../base/clock.ts";
import { type Failure, isFailure } from "../base/fail.ts";
import {
  type Beginning,
  cancelledFailure,
  cutFailure,
  httpFailure,
  idleFailure,
  networkFailure,
  type Origin,
  protocolFailure,
  sizeFailure,
} from "./failure.ts";

/** An error body is read up to here, and waited for so long in all: its status is known, and says more. */
const MAX_ERROR_BYTES = 64 * 1024;
const ERROR_BODY_MS = 5000;
/** A server that only shows that it is there may do so this many times as long as one may be silent. */
const KEEP_ALIVE_TIMES = 5;
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
  /** Something of the answer came: comments, pings and what is no event yet are none of it. */
  progress(): void;
  /** All has been said: two seconds later the body is taken to be at its end. */
  settle(): void;
  /** Frees the connection and the timer. Safe to call twice. */
  close(): void;
}

/** Nobody reads it; without one, each exchange would pay for an exception with its stack. */
const CLOSED = "the exchange is closed";

export function openExchange(options: ExchangeOptions): Exchange {
  const { origin, clock, idleTimeoutMs } = options;
  const keepAliveMs = idleTimeoutMs * KEEP_ALIVE_TIMES;
  const controller = new AbortController();
  let failed: Failure | undefined;
  let settling = false;
  let isOver = false;
  let endBody: (failure?: Failure) => void = () => {};
  let active = clock.monotonic();
  // whether the provider is waited for: a consumer that takes its time is not the provider's silence
  let waiting = true;
  // how long was waited since the last event, whatever else came in between
  let withoutEvent = 0;
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
      const waited = waiting ? clock.monotonic() - active : 0;
      const untilSilent = idleTimeoutMs - waited;
      const untilStuck = keepAliveMs - withoutEvent - waited;
      if (untilSilent <= 1) abort(idleFailure(origin, "silent", idleTimeoutMs));
      else if (untilStuck <= 1) abort(idleFailure(origin, "only_keep_alive", keepAliveMs));
      else stopWatch = watch(Math.min(untilSilent, untilStuck));
    });
  let stopWatch = watch(idleTimeoutMs);
  if (options.signal.aborted) cancel();
  else options.signal.addEventListener("abort", cancel, { once: true });

  const listen = () => {
    active = clock.monotonic();
    waiting = true;
  };
  const heard = () => {
    withoutEvent += clock.monotonic() - active;
    waiting = false;
  };

  /** The first part of a body that is no answer; what can be had of it when the rest does not come. */
  const beginningOf = async (response: Response): Promise<Beginning> => {
    stopWatch(); // a time of its own
    const reader = response.body?.getReader();
    if (reader === undefined) return { text: "", isWhole: true };
    const chunks: Uint8Array[] = [];
    let size = 0;
    const read = async (): Promise<boolean> => {
      while (size < MAX_ERROR_BYTES) {
        const { done, value } = await reader.read();
        if (done) return true;
        chunks.push(value);
        size += value.byteLength;
      }
      return false;
    };
    const isWhole = await new Promise<boolean>((resolve, reject) => {
      // what has arrived is read first, should this process have been too busy to do so
      stopWatch = clock.timer(ERROR_BODY_MS, () => setImmediate(() => setImmediate(resolve, false)));
      endBody = (failure) => (failure === undefined ? resolve(false) : reject(failure));
      read().then(resolve, () => {
        // an abort has been told by `endBody`; else the status is known, and says more than the broken end of its explanation
        resolve(false);
      });
    });
    stopWatch();
    reader.cancel().catch(() => {});
    return { text: Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES).toString(), isWhole };
  };

  const refuse = async (response: Response): Promise<Failure> => {
    const body = await beginningOf(response);
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
    heard();
    listen();
    if (!response.ok) throw failWith(await refuse(response));
    const type = response.headers.get("content-type") ?? "";
    if (response.body === null || /html|application\/json/i.test(type)) {
      const { text } = await beginningOf(response);
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
            heard();
            total += value.byteLength;
            const newline = value.lastIndexOf(0x0a);
            line = newline === -1 ? line + value.byteLength : value.byteLength - newline - 1;
            if (total > MAX_STREAM_BYTES) throw sizeFailure(origin, MAX_STREAM_BYTES, "bytes");
            if (line > MAX_LINE_BYTES) throw sizeFailure(origin, MAX_LINE_BYTES, "bytes in one line");
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
    progress() {
      withoutEvent = 0;
    },
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
      controller.abort(CLOSED);
    },
  };
}
