import { describe, expect, test } from "vitest";
import { type Failure, fail } from "../base/fail.ts";
import { RESERVED_DETAILS, result, takeResult } from "./result.ts";

const failureOf = (returned: unknown): Failure => {
  try {
    takeResult(returned);
  } catch (error) {
    return error as Failure;
  }
  throw new Error("it was taken");
};

describe("takeResult", () => {
  test("takes text as the output", () => {
    expect(takeResult("hello")).toEqual({ output: "hello", content: [], assigns: null, details: {} });
    expect(takeResult("")).toMatchObject({ output: "" });
  });

  test("takes nothing as an empty output", () => {
    expect(takeResult(undefined)).toEqual({ output: "", content: [], assigns: null, details: {} });
  });

  test.each([[null], [false], [0], [[1, { a: "é" }]], [{ output: "mine", ok: true, n: undefined }]])(
    "takes %j as a value, shown as JSON",
    (value) => {
      expect(takeResult(value)).toEqual({
        output: JSON.stringify(value),
        content: [],
        assigns: null,
        details: {},
        value: JSON.parse(JSON.stringify(value)),
      });
    },
  );

  test("takes a result() apart, and keeps copies", () => {
    const data = new Uint8Array([1, 2]);
    const details = { list: [1] };
    const taken = takeResult(
      result({
        output: "o",
        content: [
          { type: "text", text: "t" },
          { type: "image", data, mime_type: "image/png" },
        ],
        assigns: { a: 1 },
        ...details,
      }),
    );
    data[0] = 9;
    details.list.push(2);
    expect(taken).toEqual({
      output: "o",
      content: [
        { type: "text", text: "t" },
        { type: "image", data: new Uint8Array([1, 2]), mime_type: "image/png" },
      ],
      assigns: { a: 1 },
      details: { list: [1] },
    });
  });

  test("throws a returned failure", () => {
    const failure = fail("not_found", "no", { reason: "x" });
    expect(failureOf(failure)).toBe(failure);
  });

  test("is not deceived by what looks like a result", () => {
    const real = result({ output: "real", n: 1 });
    expect(takeResult(JSON.parse('{"output":"o","content":[]}'))).toMatchObject({ details: {}, value: { output: "o" } });
    expect(failureOf(new Proxy(real, {})).kind).toBe("tool_failed");
    expect(failureOf(Object.create(real)).kind).toBe("tool_failed");
    expect(failureOf([real]).details).toMatchObject({ pointer: "/0" });
  });

  test.each([
    ["a function", () => 1, ""],
    ["a symbol", Symbol("s"), ""],
    ["a bigint deep down", { a: [{ b: 1n }] }, "/a/0/b"],
    ["NaN", [Number.NaN], "/0"],
    ["a Date", { at: new Date(0) }, "/at"],
    ["a Map", new Map([["a", 1]]), ""],
    ["bytes", new Uint8Array(3), ""],
    ["an error", { error: new Error("x") }, "/error"],
    ["a promise in a list", [Promise.resolve(1)], "/0"],
    ["details that are no JSON", result({ output: "", when: new Date(0) }), "/when"],
    ["an output that is no text", result({ output: 1 as unknown as string }), "/output"],
    ["assigns that are a list", result({ output: "", assigns: [] as never }), "/assigns"],
    ["content that is no list", result({ output: "", content: {} as never }), "/content"],
    ["an image of text", result({ output: "", content: [{ type: "image", data: "aGk=" as never, mime_type: "image/png" }] }), "/content/0"],
    [
      "an image that is none",
      result({ output: "", content: [{ type: "image", data: new Uint8Array(1), mime_type: "text/html" }] }),
      "/content/0",
    ],
    ["an unknown part", result({ output: "", content: [{ type: "text", text: "t" }, { type: "audio" } as never] }), "/content/1"],
    ["a part that is nothing", result({ output: "", content: [null as never] }), "/content/0"],
  ])("refuses %s as tool_failed with its pointer", (_, returned, pointer) => {
    const { kind, details } = failureOf(returned);
    expect({ kind, details }).toEqual({ kind: "tool_failed", details: { reason: "not_json", pointer } });
  });

  test("refuses a cycle, and getters and proxies that throw, and keeps the cause", () => {
    const cause = new Error("gotcha");
    const loop: unknown[] = [];
    loop.push(loop);
    expect(failureOf(loop)).toMatchObject({ kind: "tool_failed", details: { pointer: "/0" } });
    const trap = new Proxy(
      {},
      {
        getPrototypeOf: () => {
          throw cause;
        },
      },
    );
    expect(failureOf(trap)).toMatchObject({ kind: "tool_failed", cause });
    expect(
      failureOf({
        get a() {
          throw cause;
        },
      }),
    ).toMatchObject({ kind: "tool_failed", details: { pointer: "/a" }, cause });
  });
});

describe("result", () => {
  test.each(RESERVED_DETAILS.map((name) => [name]))("refuses the executor's name %s", (name) => {
    expect(() => result({ output: "", [name]: undefined } as never)).toThrow(TypeError);
  });

  test("takes __proto__ among the details as data", () => {
    const parts = JSON.parse('{"output":"o","__proto__":{"exit_code":0}}');
    expect(Object.keys(takeResult(result(parts)).details)).toEqual(["__proto__"]);
  });
});
