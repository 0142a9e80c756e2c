import { expect, test } from "vitest";
import { createRedactor } from "../secrets/index.ts";
import { createRecorder, type EventStore, isRecordFailure } from "./recorder.ts";

function storeThatThrows(error: unknown): EventStore {
  const refuse = () => {
    throw error;
  };
  return { sessionId: "s", append: refuse, ephemeral: refuse, sync: refuse, putBlob: refuse, spill: () => null };
}

test.each(["EMFILE", "ENFILE", "ENOSPC", "EDQUOT", "EIO", "EROFS"])(
  "%s of a store is log_write_failed, as the recorder's own",
  async (code) => {
    const recorder = createRecorder(storeThatThrows(Object.assign(new Error(code), { code })), {
      redactor: createRedactor(),
      listen: () => {},
    });
    const wanted = expect.objectContaining({ kind: "log_write_failed", details: { reason: "os_error", code } });
    expect(() => recorder.record("user_message", { text: "x" } as never)).toThrow(wanted);
    await expect(recorder.sync()).rejects.toEqual(wanted);
    const failure = await recorder.putBlob(new Uint8Array(), "text/plain").catch((error: unknown) => error);
    expect(failure).toEqual(wanted);
    expect(isRecordFailure(failure)).toBe(true);
  },
);

test("a fault of a store that is none of the system stays what it is", () => {
  const error = new TypeError("no such thing");
  const recorder = createRecorder(storeThatThrows(error), { redactor: createRedactor(), listen: () => {} });
  expect(() => recorder.record("user_message", { text: "x" } as never)).toThrow(error);
});
