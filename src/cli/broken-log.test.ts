import { expect, test } from "vitest";
import { fail } from "../base/fail.ts";
import { withBrokenLog } from "./broken-log.ts";

const cause = fail("log_write_failed", "the disk is full", { path: "/s/log.jsonl" });

test.each([
  ["went well", { ok: true, call_id: "c1", output: "wrote a.txt" } as const, "wrote a.txt"],
  ["ran a command that exited non-zero", { ok: false, call_id: "c1", output: "no", exit_code: 3 } as const, "no"],
])("a call that %s is told as one whose record failed, with its output", (_, result, output) => {
  expect(withBrokenLog(result, cause)).toEqual({
    ok: false,
    call_id: "c1",
    error: {
      kind: "tool_result_record_failed",
      message: "the call was made, and its record could not be finished: the disk is full",
      details: { output, record_error: { kind: "log_write_failed", message: "the disk is full", details: { path: "/s/log.jsonl" } } },
    },
  });
});

test("a call that failed stays what it is", () => {
  const failed = { ok: false, call_id: "c1", error: { kind: "not_found", message: "", details: {} } } as const;
  expect(withBrokenLog(failed, cause)).toBe(failed);
});
