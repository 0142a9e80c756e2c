import { type } from "arktype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Failure } from "./fail.ts";
import type { JsonValue } from "./json.ts";
import { schemaOf } from "./json-schema.ts";
import { compileSchema } from "./json-schema-compile.ts";
import type { JsonSchema } from "./schema.ts";

const pointerOf = (make: () => unknown): unknown => {
  try {
    make();
  } catch (error) {
    const { kind, details } = error as Failure;
    expect(kind).toBe("invalid_args");
    expect(details.reason).toBe("bad_schema");
    return details.pointer;
  }
  throw new Error("it was taken");
};

const withProperty = (schema: unknown): JsonSchema => ({ type: "object", properties: { p: schema } });

describe("schemaOf", () => {
  test("says a zod schema from its input side", () => {
    const schema = z.object({
      a: z.string().transform(Number).describe("a number"),
      b: z.int().default(1),
      c: z.coerce.number().optional(),
    });
    expect(schemaOf(schema)).toEqual({
      type: "object",
      properties: {
        a: { type: "string", description: "a number" },
        b: { type: "integer", default: 1, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
        c: { type: "number" },
      },
      required: ["a"],
      additionalProperties: false,
    });
  });

  test("says an arktype schema", () => {
    expect(schemaOf(type({ n: "number", "s?": "string[]" }))).toEqual({
      type: "object",
      properties: { n: { type: "number" }, s: { type: "array", items: { type: "string" } } },
      required: ["n"],
      additionalProperties: false,
    });
  });

  test("takes plain JSON Schema as a frozen copy without $schema", () => {
    const own = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", properties: { a: { type: "string" } } } as const;
    const schema = schemaOf(own);
    expect(schema).toEqual({ type: "object", properties: { a: { type: "string" } }, additionalProperties: false });
    expect(Object.isFrozen(schema.properties)).toBe(true);
    expect(Object.isFrozen(own)).toBe(false);
  });

  test.each([
    ["a date in zod", () => z.object({ a: z.string(), d: z.object({ e: z.array(z.date()) }) }), "/properties/d/properties/e/items"],
    ["a map in zod", () => z.object({ m: z.map(z.string(), z.string()) }), "/properties/m"],
    ["a library that cannot say itself", () => ({ "~standard": { version: 1, vendor: "old", validate: () => ({ value: 1 }) } }), ""],
    ["a union at the root", () => z.union([z.object({}), z.object({ a: z.string() })]), "/type"],
    ["text at the root", () => z.string(), "/type"],
    ["a named root", () => z.object({ a: z.string() }).meta({ id: "Root" }), "/type"],
    ["a root of several types", () => ({ type: ["object", "null"] }), "/type"],
    ["a reference at the root", () => ({ type: "object", $ref: "#/$defs/a", $defs: { a: {} } }), "/$ref"],
    ["allOf at the root", () => ({ type: "object", allOf: [{}] }), "/allOf"],
    ["a remote reference", () => withProperty({ $ref: "https://example.com/a.json" }), "/properties/p/$ref"],
    ["a relative reference", () => withProperty({ $ref: "other.json#/a" }), "/properties/p/$ref"],
    ["a reference to nothing", () => withProperty({ $ref: "#/$defs/gone" }), "/properties/p/$ref"],
    ["a reference up the prototype", () => withProperty({ $ref: "#/constructor" }), "/properties/p/$ref"],
    ["a base of its own", () => withProperty({ $id: "https://example.com/" }), "/properties/p/$id"],
    ["a dynamic reference", () => withProperty({ $dynamicRef: "#a" }), "/properties/p/$dynamicRef"],
    ["an unknown type", () => withProperty({ type: "date" }), "/properties/p/type"],
    ["a pattern that is none", () => withProperty({ type: "string", pattern: "(" }), "/properties/p/pattern"],
    ["items as a list", () => withProperty({ type: "array", items: [{ type: "string" }] }), "/properties/p/items"],
    ["required as a flag", () => withProperty({ type: "object", required: true }), "/properties/p/required"],
    ["an empty union", () => withProperty({ anyOf: [] }), "/properties/p/anyOf"],
    ["a function in it", () => withProperty({ enum: [() => 1] }), "/properties/p/enum/0"],
    ["a member called __proto__", () => JSON.parse('{"type":"object","properties":{"__proto__":{}}}'), "/properties/__proto__"],
  ])("refuses %s with its pointer", (_, make, pointer) => {
    expect(pointerOf(() => schemaOf(make() as JsonSchema))).toBe(pointer);
  });

  test("refuses a schema that contains itself", () => {
    const schema: { type: "object"; properties: Record<string, unknown> } = { type: "object", properties: {} };
    schema.properties.self = schema;
    expect(pointerOf(() => schemaOf(schema))).toBe("/properties/self");
  });
});

describe("closing", () => {
  const closed = (schema: object): unknown => (schemaOf(withProperty(schema)).properties as { p: unknown }).p;
  const open = { type: "object", properties: { a: { type: "string" } } } as const;
  const shut = { ...open, additionalProperties: false };

  test.each([
    ["a member", open, shut],
    ["an item", { type: "array", items: open }, { type: "array", items: shut }],
    ["a value of a record", { type: "object", additionalProperties: open }, { type: "object", additionalProperties: shut }],
    ["alternatives side by side", { anyOf: [open, { type: "null" }] }, { anyOf: [shut, { type: "null" }] }],
  ])("shuts %s", (_, given, wanted) => {
    expect(closed(given)).toEqual(wanted);
  });

  test.each([
    ["what says something itself", { ...open, additionalProperties: true }],
    ["what speaks of the unevaluated", { ...open, unevaluatedProperties: {} }],
    ["an object of which nothing is known", { type: "object" }],
    ["a test", { not: open }],
    ["a condition on items", { type: "array", contains: open }],
  ])("leaves %s alone", (_, given) => {
    expect(closed(given)).toEqual(given);
  });

  test("shuts the whole and not the parts of what is put together", () => {
    const part = { properties: { b: { type: "object", properties: { c: {} } } } };
    expect(closed({ allOf: [open, part] })).toEqual({
      allOf: [open, { properties: { b: { type: "object", properties: { c: {} }, additionalProperties: false } } }],
      unevaluatedProperties: false,
    });
    expect(closed({ ...open, anyOf: [{ required: ["a"] }, part] })).toMatchObject({
      unevaluatedProperties: false,
      anyOf: [{ required: ["a"] }, {}],
    });
  });

  test("keeps a definition open that is a part somewhere, and shuts its other uses", () => {
    const schema = schemaOf({
      type: "object",
      properties: { whole: { $ref: "#/$defs/base" }, more: { allOf: [{ $ref: "#/$defs/base" }, open] }, own: { $ref: "#/$defs/alone" } },
      $defs: { base: open, alone: open },
    });
    expect(schema).toMatchObject({
      properties: {
        whole: { $ref: "#/$defs/base", unevaluatedProperties: false },
        more: { unevaluatedProperties: false },
        own: { $ref: "#/$defs/alone" },
      },
      $defs: { alone: shut },
    });
    expect((schema.$defs as { base: unknown }).base).toEqual(open);
  });
});

describe("a closed schema", () => {
  const fits = async (p: object, value: JsonValue): Promise<boolean> => {
    const schema = schemaOf(withProperty(p));
    return (await compileSchema(schema))({ p: value });
  };
  const a = { type: "object", properties: { a: { type: "string" } } } as const;
  const b = { type: "object", properties: { b: { type: "string" } } } as const;

  test.each([
    ["parts", { allOf: [a, b] }],
    ["parts beside members", { ...a, allOf: [b] }],
    ["a definition as a part", { allOf: [{ $ref: "#/properties/p/$defs/d" }, b], $defs: { d: a } }],
    ["a definition with members beside it", { $ref: "#/properties/p/$defs/d", properties: b.properties, $defs: { d: a } }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ["a condition", { ...a, if: { properties: { a: { const: "x" } }, required: ["a"] }, then: b }],
    ["what depends on a member", { ...a, dependentSchemas: { a: b } }],
  ])("of %s takes what all parts know, and nothing else", async (_, schema) => {
    expect(await fits(schema, { a: "x", b: "y" })).toBe(true);
    expect(await fits(schema, { a: "x", b: "y", c: 1 })).toBe(false);
  });

  test("of alternatives takes each whole, and no mixture", async () => {
    expect(await fits({ anyOf: [a, b] }, { a: "x" })).toBe(true);
    expect(await fits({ anyOf: [a, b] }, { b: "x" })).toBe(true);
    expect(await fits({ anyOf: [a, b] }, { a: "x", b: "y" })).toBe(false);
  });

  test("takes anything where an object is free, and keeps `not` as it was", async () => {
    expect(await fits({ type: "object" }, { any: { thing: 1 } })).toBe(true);
    expect(await fits({ ...a, not: { properties: { a: { const: "x" } }, required: ["a"] } }, { a: "y" })).toBe(true);
    expect(await fits({ ...a, not: { properties: { a: { const: "x" } }, required: ["a"] } }, { a: "x" })).toBe(false);
  });

  test("keeps a definition open that a test refers to", async () => {
    const $defs = { d: { properties: { a: { const: "x" } }, required: ["a"] } };
    const schema = { type: "object", properties: { a: {}, b: {} }, not: { $ref: "#/properties/p/$defs/d" }, $defs };
    expect(await fits(schema, { a: "y", b: "y" })).toBe(true);
    expect(await fits(schema, { a: "x", b: "y" })).toBe(false);
  });
});
