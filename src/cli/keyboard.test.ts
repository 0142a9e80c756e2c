import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CTRL_C, hasCtrlC, keyboardOf, pastedText, QUIET_MS } from "./keyboard.ts";

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

describe("a paste that the terminal marks", () => {
  const [START, END] = ["\u001b[200~", "\u001b[201~"];
  const collect = async (pieces: readonly string[]) => {
    const { stream, keyboard } = scene();
    for (const piece of pieces) {
      stream.write(piece);
      await vi.advanceTimersByTimeAsync(1);
    }
    stream.destroy();
    const typed: string[] = [];
    for (let next = await keyboard.next(never); next !== null; next = await keyboard.next(never)) typed.push(next);
    return typed;
  };

  test.each<[string, readonly string[], readonly string[]]>([
    ["comes whole", [`${START}y${END}`], [`${START}y${END}`]],
    ["comes whole however it is cut", [START, "a", "b\u001b[20", "1~"], [`${START}ab${END}`]],
    ["is told from keys beside it", [`x${START}y${END}z`], ["x", `${START}y${END}`, "z"]],
    ["comes one by one with another", [`${START}1${END}${START}2${END}`], [`${START}1${END}`, `${START}2${END}`]],
    ["ends with Ctrl-C where its end never comes", [`${START}abc`, CTRL_C, "n"], [CTRL_C, "n"]],
  ])("%s", async (_, pieces, typed) => {
    expect(await collect(pieces)).toEqual(typed);
  });

  test("holds no Ctrl-C, and its text is without the marks", () => {
    const paste = `${START}a${CTRL_C}${END}`;
    expect([hasCtrlC(paste), hasCtrlC(`a${CTRL_C}`), pastedText(paste), pastedText("a")]).toEqual([false, true, `a${CTRL_C}`, null]);
  });
});
