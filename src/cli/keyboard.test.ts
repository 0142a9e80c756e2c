import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CTRL_C, keyboardOf, QUIET_MS } from "./keyboard.ts";

const never = new AbortController().signal;
/** The longest that a held key takes to come again, as keyboards are set up. */
const REPEAT_DELAY_MS = 660;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function scene() {
  const modes: boolean[] = [];
  const stream = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => modes.push(on) });
  return { modes, stream, keyboard: keyboardOf(stream) };
}

/** Whether the promise has settled, when that much time has passed. */
async function settles(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return settled;
}

test("a key that is held down is thrown away for as long as it is held", async () => {
  const { stream, keyboard } = scene();
  stream.write("y");
  const drained = keyboard.drain(never);
  expect(await settles(drained, REPEAT_DELAY_MS)).toBe(false);
  for (let repeat = 0; repeat < 50; repeat++) {
    stream.write("y");
    expect(await settles(drained, 50)).toBe(false);
  }
  expect(await settles(drained, QUIET_MS)).toBe(true);
  stream.write("n");
  expect(await keyboard.next(never)).toBe("n");
});

test("Ctrl-C ends the wait, whatever is typed with it", async () => {
  const { stream, keyboard } = scene();
  const drained = keyboard.drain(never);
  stream.write("yy\u0003y");
  expect(await drained).toBe(CTRL_C);
});

test.each<[string, (stream: PassThrough, abort: AbortController) => void]>([
  ["a terminal that is gone", (stream) => stream.destroy(new Error("EIO"))],
  ["an abort", (_, abort) => abort.abort()],
])("%s ends the wait, and gives no key", async (_, end) => {
  const { stream, keyboard } = scene();
  const abort = new AbortController();
  const drained = keyboard.drain(abort.signal);
  end(stream, abort);
  expect([await drained, await keyboard.next(abort.signal)]).toEqual([null, null]);
});

test("the terminal is raw for as long as the keyboard is open", () => {
  const { modes, keyboard } = scene();
  keyboard.close();
  expect(modes).toEqual([true, false]);
});
