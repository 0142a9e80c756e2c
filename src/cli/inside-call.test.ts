import { expect, test } from "vitest";
import { isInsideCall, refuseInsideCall } from "./inside-call.ts";

test("what a call started is known by its mark", () => {
  expect([{}, { COLLET_CALL: "" }, { COLLET_CALL: "a1,b2" }].map((env) => isInsideCall({ env }))).toEqual([false, false, true]);
});

test("what only a person may do is refused there, and elsewhere is not", () => {
  expect(() => refuseInsideCall({ env: { COLLET_CALL: "a1" } }, "trust a file")).toThrow(
    expect.objectContaining({ kind: "permission_denied", details: expect.objectContaining({ reason: "inside_call" }) }),
  );
  expect(() => refuseInsideCall({ env: {} }, "trust a file")).not.toThrow();
});
