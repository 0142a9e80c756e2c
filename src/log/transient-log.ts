import { refOf } from "./blob-store.ts";
import { encodeEvent, ephemeralEvent, type Writer } from "./event-line.ts";
import type { BlobRef } from "./events.ts";
import type { SessionLog } from "./session-log.ts";

/** What makes the same events as a log and keeps none of them. */
export interface TransientLog extends Pick<SessionLog, "sessionId" | "append" | "ephemeral" | "head" | "sync" | "close"> {
  /** Hashes, and stores nothing. */
  putBlob(bytes: Uint8Array, mimeType: string): Promise<BlobRef>;
}

/**
 * A log for calls that leave no trace: events are checked and numbered as in a log, and whole, as there is nowhere to put what is large.
 * @param writer `epoch` is 1 where nobody takes over.
 */
export function transientLog(writer: Writer): TransientLog {
  let seq = 0;
  return {
    sessionId: writer.sessionId,
    append(type, data) {
      const { event } = encodeEvent(writer, { seq, type, data }, null);
      seq++;
      return event;
    },
    ephemeral: (type, data) => ephemeralEvent(writer, type, data),
    head: () => "0".repeat(64),
    sync: async () => {},
    close: async () => {},
    putBlob: async (bytes, mimeType) => refOf(bytes, mimeType),
  };
}
