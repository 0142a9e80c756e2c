import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "./json.ts";
import { schemaOf } from "./json-schema.ts";
import { compileSchema } from "./json-schema-compile.ts";
import { problemsOf } from "./json-schema-problems.ts";
import type { JsonSchema } from "./schema.ts";

const problems = async (properties: Record<string, unknown>, value: JsonValue, rest: object = {}) => {
  const schema = schemaOf({ type: "object", properties, ...rest } as JsonSchema);
  return problemsOf(await compileSchema(schema), value, schema);
};

describe("problemsOf", () => {
  test("names every problem with its pointer, what is wanted and what was got", async () => {
    const properties = {
      path: { type: "string", minLength: 1 },
      limit: { type: "integer", minimum: 1 },
      mode: { enum: ["a", "b"] },
      edits: { type: "array", items: { type: "object", properties: { old: { type: "string" } }, required: ["old"] } },
    };
    const value = { limit: 0, mode: "c", edits: [{ odl: "x" }, "text"], "a/b": 1 };
    expect(await problems(properties, value, { required: ["path"] })).toEqual([
      { pointer: "/path", message: "is missing; text is wanted" },
      { pointer: "/a~1b", message: "is not known; known: path, limit, mode, edits" },
      { pointer: "/limit", message: "must be >= 1, got 0" },
      { pointer: "/mode", message: 'must be one of "a", "b", got the text "c"' },
      { pointer: "/edits/0/old", message: "is missing; text is wanted" },
      { pointer: "/edits/0/odl", message: 'is not known; did you mean "old"?; known: old', nearest: ["old"] },
      { pointer: "/edits/1", message: 'must be an object, got the text "text"' },
    ]);
  });

  test("judges inherited names as absent, and own ones as what they are", async () => {
    const properties = { constructor: { type: "string" }, toString: { type: "number" } };
    expect(await problems(properties, {}, { required: ["constructor"] })).toEqual([
      { pointer: "/constructor", message: "is missing; text is wanted" },
    ]);
    const hostile = JSON.parse('{"__proto__": {"constructor": "x"}, "constructor": "x"}') as JsonObject;
    expect(await problems(properties, hostile)).toMatchObject([{ pointer: "/__proto__" }]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("for a union tells the complaint of the branch that was meant", async () => {
    const branch = (k: string, v: string) => ({ type: "object", properties: { k: { const: k }, v: { type: v } }, required: ["k", "v"] });
    const properties = { u: { anyOf: [branch("x", "string"), branch("y", "number"), { type: "null" }] } };
    expect(await problems(properties, { u: { k: "y", v: "one" } })).toEqual([
      { pointer: "/u/v", message: 'must be a number, got the text "one"' },
    ]);
    expect(await problems(properties, { u: 3 })).toEqual([
      { pointer: "/u", message: "must fit one of the alternatives (object, null), got 3" },
    ]);
  });

  test("checks formats", async () => {
    expect(await problems({ at: { type: "string", format: "date" } }, { at: "soon" })).toMatchObject([{ pointer: "/at" }]);
  });

  test("stays quick when everything is wrong many times over", async () => {
    const union = { anyOf: [{ type: "string" }, { type: "object", properties: { a: { type: "string" } } }] };
    const value = { list: Array.from({ length: 100_000 }, () => ({ a: 1 })) };
    expect((await problems({ list: { type: "array", items: union } }, value)).length).toBeLessThanOrEqual(500);
  });

  test("does not repeat a long text", async () => {
    const [problem] = await problems({ n: { type: "number" } }, { n: "x".repeat(10_000) });
    expect(problem?.message.length).toBeLessThan(120);
  });
});
