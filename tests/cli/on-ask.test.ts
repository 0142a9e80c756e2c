import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collet, jsonLines, makePlace, type Place } from "./harness.ts";

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

describe("--on-ask", () => {
  const write = ["call", "write", "--ask", "--args", '{"path":"b","content":""}'];
  test("deny refuses what would be asked", async () => {
    const { status, stdout } = await collet([...write, "--on-ask", "deny"], { place });
    expect({ status, error: jsonLines(stdout)[0].error }).toMatchObject({ status: 3, error: { details: { reason: "nobody_to_ask" } } });
  });

  test.each([
    ["ask", "no terminal"],
    ["suspend", "suspend is to come"],
    ["never", "takes ask or deny"],
  ])("%s is refused here: %s", async (what, why) => {
    const { status, stdout } = await collet([...write, "--on-ask", what], { place });
    expect({ status, error: jsonLines(stdout)[0].error }).toMatchObject({
      status: 2,
      error: { kind: "invalid_args", message: expect.stringContaining(why) },
    });
  });
});
