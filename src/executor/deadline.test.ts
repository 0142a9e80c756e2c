import { describe, expect, test } from "vitest";
import { fail } from "../base/fail.ts";
import { handClock } from "../testing/hand-clock.ts";
import { withDeadline } from "./deadline.ts";

const never = () => new Promise<never>(() => {});

function options(over: { signal?: AbortSignal } = {}) {
  return { clock: handClock(), timeoutMs: 1000, graceMs: 200, signal: over.signal ?? new AbortController().signal, label: "work" };
}

describe("a deadline", () => {
  test("gives back what the work gives", async () => {
    expect(await withDeadline(async () => 7, options())).toBe(7);
  });

  test("leaves work behind that does not end within the grace time", async () => {
    const parts = options();
    const done = withDeadline(never, parts).catch((error) => error);
    await parts.clock.advance(1199);
    await parts.clock.advance(1);
    expect(await done).toMatchObject({ kind: "timeout", details: { timeout_ms: 1000 } });
  });

  test("keeps the failure that the work itself throws while it is stopped", async () => {
    const parts = options();
    const work = withDeadline(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw fail("timeout", "stopped", { output: "half" });
    }, parts).catch((error) => error);
    await parts.clock.advance(1000);
    expect(await work).toMatchObject({ kind: "timeout", details: { output: "half" } });
  });

  test("tells an abort from a limit", async () => {
    const caller = new AbortController();
    const parts = options({ signal: caller.signal });
    const done = withDeadline(never, parts).catch((error) => error);
    caller.abort();
    await parts.clock.advance(200);
    expect(await done).toMatchObject({ kind: "cancelled" });
  });

  test("does not start what was aborted before", async () => {
    let started = false;
    const work = async () => {
      started = true;
    };
    await expect(withDeadline(work, options({ signal: AbortSignal.abort() }))).rejects.toMatchObject({ kind: "cancelled" });
    expect(started).toBe(false);
  });

  test("does not count the time that a person takes", async () => {
    const parts = options();
    let answer = (_: string): void => {};
    const asked = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const done = withDeadline(async ({ paused }) => {
      await paused(() => asked);
      return never();
    }, parts).catch((error) => error);
    await parts.clock.advance(3_600_000);
    answer("yes");
    await parts.clock.advance(999);
    let ended = false;
    void done.then(() => {
      ended = true;
    });
    await parts.clock.advance(200);
    expect(ended).toBe(false);
    await parts.clock.advance(1);
    expect(await done).toMatchObject({ kind: "timeout" });
  });
});
