import { describe, expect, test } from "vitest";
import { MAX_JSON_DEPTH, plainJson } from "./plain-json.ts";

class Point {
  x = 1;
}

describe("plainJson", () => {
  test("copies plain JSON, drops undefined members and freezes all of it", () => {
    const value = { a: [1, null, "x", { b: true, c: undefined }], "": {} };
    const copied = plainJson(value);
    expect(copied).toEqual({ ok: true, value: { a: [1, null, "x", { b: true }], "": {} } });
    if (copied.ok) expect(Object.isFrozen((copied.value as { a: unknown[] }).a[3])).toBe(true);
    expect(Object.isFrozen(value)).toBe(false);
  });

  test("takes __proto__ and constructor as names like any other", () => {
    const copied = plainJson(JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}'));
    expect(copied.ok && Object.keys(copied.value as object)).toEqual(["__proto__", "constructor"]);
    expect((copied.ok && (copied.value as { polluted?: number }).polluted) || undefined).toBeUndefined();
  });

  test("takes objects without a class from elsewhere", () => {
    expect(plainJson(Object.assign(Object.create(null), { a: 1 }))).toEqual({ ok: true, value: { a: 1 } });
  });

  test.each([
    ["a function", { a: [() => 1] }, "/a/0", "function"],
    ["a symbol", { a: Symbol("s") }, "/a", "symbol"],
    ["a bigint", [1n], "/0", "bigint"],
    ["NaN", { "a/b": { "~": Number.NaN } }, "/a~1b/~0", "NaN"],
    ["infinity", Number.POSITIVE_INFINITY, "", "Infinity"],
    ["undefined itself", undefined, "", "undefined"],
    ["undefined in a list", [undefined], "/0", "undefined"],
    ["a hole", Object.assign([1], { 2: 2 }), "/1", "undefined"],
    ["a Date, though it has a toJSON", { at: new Date(0) }, "/at", "an instance of Date"],
    ["a Map", new Map(), "", "an instance of Map"],
    ["an instance", { p: new Point() }, "/p", "an instance of Point"],
    ["bytes", { b: new Uint8Array(1) }, "/b", "an instance of Uint8Array"],
  ])("refuses %s", (_, value, pointer, what) => {
    expect(plainJson(value)).toMatchObject({ ok: false, pointer, what });
  });

  test("refuses a cycle, but not one value in two places", () => {
    const shared = { n: 1 };
    const loop: { self?: unknown } = {};
    loop.self = { deeper: [loop] };
    expect(plainJson([shared, shared])).toMatchObject({ ok: true });
    expect(plainJson(loop)).toMatchObject({ ok: false, pointer: "/self/deeper/0", what: "a cycle" });
  });

  test("refuses what is nested too deep, however deep", () => {
    const text = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(plainJson(JSON.parse(text))).toMatchObject({ ok: false, what: `nested deeper than ${MAX_JSON_DEPTH} levels` });
  });

  test("refuses a small value that is a billion values when written out", () => {
    let list: unknown[] = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    for (let level = 0; level < 9; level++) list = Array.from({ length: 10 }, () => list);
    expect(plainJson(list)).toMatchObject({ ok: false, what: expect.stringContaining("more than") });
  });

  test("refuses members that throw when they are read, and keeps the cause", () => {
    const cause = new Error("no");
    const hostile = {
      get a() {
        throw cause;
      },
    };
    const trap = new Proxy(
      {},
      {
        ownKeys() {
          throw cause;
        },
      },
    );
    expect(plainJson(hostile)).toMatchObject({ ok: false, pointer: "/a", cause });
    expect(plainJson({ deep: trap })).toMatchObject({ ok: false, pointer: "/deep", cause });
  });
});
