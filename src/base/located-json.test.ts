import { describe, expect, test } from "vitest";
import { isFailure } from "./fail.ts";
import { readLocatedJson } from "./located-json.ts";

async function problemOf(text: string) {
  const error = await readLocatedJson(text, "/f.json").catch((thrown: unknown) => thrown);
  if (!isFailure(error)) throw new Error("it was read");
  return { kind: error.kind, message: error.message, ...error.details };
}

describe("JSON with places", () => {
  test("tells the line of each value and name, past comments, a mark of byte order and any line ends", async () => {
    const json = await readLocatedJson('\ufeff// first\r\n{\n  "a": [\r    1, /* two\nlines */ "x",\n  ],\n}', "/f.json");
    expect(json.value).toEqual({ a: [1, "x"] });
    expect(json.line).toBe(2);
    expect(json.members[0]).toMatchObject({ name: "a", line: 3, value: { line: 3 } });
    expect(json.members[0]?.value.items.map(({ line, value }) => [line, value])).toEqual([
      [4, 1],
      [5, "x"],
    ]);
  });

  test("keeps names that objects have of their own", async () => {
    const { value, members } = await readLocatedJson('{"__proto__": {"x": 1}, "constructor": 2}', "/f.json");
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect(members).toHaveLength(2);
  });

  test.each<[string, string, number]>([
    ["nothing", "", 1],
    ["no value", '{\n"a":\n}', 3],
    ["no comma", "[\n1\n2]", 3],
    ["more than one value", "{}\n{}", 2],
    ["an open text", '["a\n"]', 1],
    ["an open comment", "{} /* x", 1],
    ["single quotes", "\n['a']", 2],
    ["a control character", '["a\u0001"]', 1],
    ["what goes too deep", "[".repeat(100_000) + "]".repeat(100_000), 1],
  ])("refuses %s, with its line", async (_, text, line) => {
    expect(await problemOf(text)).toMatchObject({ kind: "invalid_config", path: "/f.json", line, reason: "not_json" });
  });

  test("refuses a name that stands twice", async () => {
    const problem = await problemOf('{"deny": [],\n"deny": []}');
    expect(problem).toMatchObject({ kind: "invalid_config", reason: "duplicate_key", key: "deny", line: 2 });
    expect(problem.message).toMatch(/^\/f\.json:2: /);
  });
});
