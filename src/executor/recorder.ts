import { type ErrorBody, type Failure, fail, isFailure } from "../base/fail.ts";
import type { JsonValue } from "../base/json.ts";
import type { SpillSink } from "../base/spill.ts";
import type { BlobRef, EphemeralData, EphemeralEvent, LoggedData, LoggedEvent } from "../log/index.ts";
import type { Redactor } from "../secrets/index.ts";

/** Where a run of events goes. The session log is one; a call without a log has one that keeps nothing. */
export interface EventStore {
  readonly sessionId: string;
  /** Written before it returns, in the order of the calls. */
  append<Type extends keyof LoggedData>(type: Type, data: LoggedData[Type]): LoggedEvent;
  /** An event that is streamed and never stored. */
  ephemeral<Type extends keyof EphemeralData>(type: Type, data: EphemeralData[Type]): EphemeralEvent;
  sync(): Promise<void>;
  putBlob(bytes: Uint8Array, mimeType: string): Promise<BlobRef>;
  /** A place for output that is cut; `null` where nothing can be kept. */
  spill(name: string): Spill | null;
}

export interface Spill {
  readonly sink: SpillSink;
  /** Path of what was kept, which `read` can page; `null` when nothing was. */
  close(): string | null;
}

/** The one way to record: redacts, stores, then tells whoever listens. */
export interface Recorder {
  readonly sessionId: string;
  /** Kinds: log_write_failed, log_encode_failed, session_record_unavailable (closed). */
  record<Type extends keyof LoggedData>(type: Type, data: LoggedData[Type]): void;
  emit<Type extends keyof EphemeralData>(type: Type, data: EphemeralData[Type]): void;
  /** Emits text that comes in pieces, redacted over their edges; what may be the start of a secret waits for the next piece. */
  deltas(type: "text_delta" | "reasoning_delta"): TextEmitter;
  /** Text, or JSON, as it may be shown. */
  redact<Value extends JsonValue | ErrorBody>(value: Value): Value;
  sync(): Promise<void>;
  putBlob(bytes: Uint8Array, mimeType: string): Promise<BlobRef>;
  spill(name: string): Spill | null;
  /** From now on recording is `session_record_unavailable`. */
  close(): void;
}

/** `end` emits what still waits. */
export interface TextEmitter {
  push(text: string): void;
  end(): void;
}

/** Hears every event in order, once it is written. What it throws is swallowed: the call goes on. */
export type EventListener = (event: LoggedEvent | EphemeralEvent) => void;

export function createRecorder(store: EventStore, options: { readonly redactor: Redactor; readonly listen: EventListener }): Recorder {
  const { redactor, listen } = options;
  let closed: Failure | null = null;
  const open = () => {
    if (closed) throw closed;
  };
  const tell: EventListener = (event) => {
    try {
      listen(event);
    } catch {
      // what a listener does with an event is its own affair, and must not change what happened
    }
  };
  return {
    sessionId: store.sessionId,
    record(type, data) {
      let event: LoggedEvent;
      try {
        open();
        event = store.append(type, redactor.json(data));
      } catch (error) {
        throw raisedHere(error);
      }
      tell(event);
    },
    emit(type, data) {
      if (!closed) tell(store.ephemeral(type, redactor.json(data)));
    },
    deltas(type) {
      const pieces = redactor.deltas();
      const emit = (text: string) => {
        if (!closed && text !== "") tell(store.ephemeral(type, { text }));
      };
      return { push: (text) => emit(pieces.push(text)), end: () => emit(pieces.end()) };
    },
    redact: (value) => redactor.json(value),
    async sync() {
      try {
        open();
        await store.sync();
      } catch (error) {
        throw raisedHere(error);
      }
    },
    async putBlob(bytes, mimeType) {
      try {
        open();
        return await store.putBlob(bytes, mimeType);
      } catch (error) {
        throw raisedHere(error);
      }
    },
    spill: (name) => (closed ? null : store.spill(name)),
    close() {
      closed ??= fail("session_record_unavailable", `session ${store.sessionId} is closed`, { session_id: store.sessionId });
    },
  };
}

/** Failures of recording, told apart from those of the same kind that a tool throws. */
const raised = new WeakSet<Failure>();

function raisedHere(error: unknown): unknown {
  const failure = isFailure(error) ? error : untranslated(error);
  if (failure === null) return error;
  raised.add(failure);
  return failure;
}

/** An error of the system that a store let through, such as a disk that is full or too many open files: a log that cannot be written. */
function untranslated(error: unknown): Failure | null {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) return null;
  return fail(
    "log_write_failed",
    `the log cannot be written: the system refused (${code})`,
    { reason: "os_error", code },
    { cause: error },
  );
}

/** True when it was the recorder that failed: nothing more can be recorded, and going on would leave no trail. */
export function isRecordFailure(error: unknown): error is Failure {
  return isFailure(error) && raised.has(error);
}
