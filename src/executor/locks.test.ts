import { expect, test } from "vitest";
import { createPathLocks, processPathLocks } from "./locks.ts";

const never = () => new AbortController().signal;
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

test("two holders of one path take turns, in the order in which they came", async () => {
  const locks = createPathLocks();
  const trace: string[] = [];
  const work = (name: string) => async () => {
    trace.push(`${name} in`);
    await tick();
    trace.push(`${name} out`);
  };
  await Promise.all([
    locks.hold(["/a"], never(), work("1")),
    locks.hold(["/a"], never(), work("2")),
    locks.hold(["/a"], never(), work("3")),
  ]);
  expect(trace).toEqual(["1 in", "1 out", "2 in", "2 out", "3 in", "3 out"]);
});

test("holders of other paths do not wait", async () => {
  const locks = createPathLocks();
  let free = (): void => {};
  const blocked = locks.hold(["/a"], never(), () => new Promise<void>((resolve) => (free = resolve)));
  expect(await locks.hold(["/b"], never(), async () => "done")).toBe("done");
  free();
  await blocked;
});

test("two holders of two paths in opposite order both end", async () => {
  const locks = createPathLocks();
  const rounds = Array.from({ length: 50 }, (_, i) => locks.hold(i % 2 ? ["/a", "/b"] : ["/b", "/a"], never(), tick));
  await Promise.all(rounds);
  expect(await locks.hold(["/a", "/b", "/a"], never(), async () => "again")).toBe("again");
});

test("a path is given back when the work throws", async () => {
  const locks = createPathLocks();
  await expect(locks.hold(["/a"], never(), async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await locks.hold(["/a"], never(), async () => "next")).toBe("next");
});

test("the process has one set of locks", () => {
  expect(processPathLocks()).toBe(processPathLocks());
});

test("one who is interrupted while waiting leaves at once, and nobody passes those before", async () => {
  const locks = createPathLocks();
  let free = (): void => {};
  const first = locks.hold(["/a"], never(), () => new Promise<void>((resolve) => (free = resolve)));
  const stop = new AbortController();
  const second = locks.hold(["/a"], stop.signal, async () => "never");
  const trace: string[] = [];
  const third = locks.hold(["/a"], never(), async () => void trace.push("third"));
  stop.abort();
  await expect(second).rejects.toMatchObject({ kind: "cancelled" });
  await tick();
  expect(trace).toEqual([]);
  free();
  await Promise.all([first, third]);
  expect(trace).toEqual(["third"]);
});
