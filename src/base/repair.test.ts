import { describe, expect, test } from "vitest";
import type { Failure } from "./fail.ts";
import type { JsonObject } from "./json.ts";
import { schemaOf } from "./json-schema.ts";
import { compileSchema } from "./json-schema-compile.ts";
import { problemsOf } from "./json-schema-problems.ts";
import { parseArgsText, repair } from "./repair.ts";

const SCHEMA = schemaOf({
  type: "object",
  properties: {
    path: { type: "string" },
    offset: { type: "integer" },
    ratio: { type: "number" },
    all: { type: "boolean" },
    either: { type: ["integer", "string"] },
    nothing: { type: ["string", "null"] },
    options: { type: "object" },
    tags: { type: "array", items: { type: "string" } },
    mode: { enum: ["a", "b"] },
    edits: { type: "array", items: { $ref: "#/$defs/edit" } },
    nested: { type: "object", properties: { deep: { anyOf: [{ type: "number" }, { type: "boolean" }] } } },
  },
  required: ["path"],
  $defs: { edit: { type: "object", properties: { old: { type: "string" }, all: { type: "boolean" } }, required: ["old"] } },
});

const repaired = async (args: JsonObject) => repair(args, problemsOf(await compileSchema(SCHEMA), args, SCHEMA), SCHEMA);

describe("repair", () => {
  test.each([
    ["an integer in text", { path: "a", offset: "2" }, { path: "a", offset: 2 }],
    ["a number in text", { path: "a", ratio: "-1.5e2" }, { path: "a", ratio: -150 }],
    ["a boolean in text", { path: "a", all: "true" }, { path: "a", all: true }],
    ["a list in text", { path: "a", edits: '[{"old":"x"}]' }, { path: "a", edits: [{ old: "x" }] }],
    ["an object in text", { path: "a", options: ' {"x": 1}\n' }, { path: "a", options: { x: 1 } }],
    ["one object for a list of objects", { path: "a", edits: { old: "x" } }, { path: "a", edits: [{ old: "x" }] }],
    ["null for an optional", { path: "a", offset: null, mode: null }, { path: "a" }],
    ["a place deep down", { path: "a", edits: [{ old: "x", all: "false" }] }, { path: "a", edits: [{ old: "x", all: false }] }],
    ["a number in a union", { path: "a", nested: { deep: "3" } }, { path: "a", nested: { deep: 3 } }],
    ["several at once", { path: "a", offset: "1", all: "false", tags: '["x"]' }, { path: "a", offset: 1, all: false, tags: ["x"] }],
  ])("puts right %s, and says so", async (_, args, wanted) => {
    const { args: right, repairs } = await repaired(args);
    expect(right).toEqual(wanted);
    expect(repairs.length).toBe(Object.keys(args).length - 1);
  });

  test.each([
    ["hexadecimal", { path: "a", offset: "0x2" }],
    ["blanks around a number", { path: "a", offset: " 2" }],
    ["a plus sign", { path: "a", offset: "+2" }],
    ["leading zeros", { path: "a", offset: "02" }],
    ["a fraction for an integer", { path: "a", offset: "2.5" }],
    ["an integer that is not exact", { path: "a", offset: "9007199254740993" }],
    ["a number without end", { path: "a", ratio: "1e999" }],
    ["an empty text", { path: "a", offset: "" }],
    ["yes for true", { path: "a", all: "yes" }],
    ["True", { path: "a", all: "True" }],
    ["a number for a boolean", { path: "a", all: 1 }],
    ["a number for text", { path: 1 }],
    ["null for what is required", { path: null }],
    ["null for an unknown member", { path: "a", other: null }],
    ["text for a list of text", { path: "a", tags: "x" }],
    ["an object for a list of text", { path: "a", tags: { x: 1 } }],
    ["half a list", { path: "a", edits: '[{"old":"x"}' }],
    ["a list where an object is wanted", { path: "a", options: "[1]" }],
    ["a list nested too deep", { path: "a", edits: `${"[".repeat(9999)}${"]".repeat(9999)}` }],
  ])("leaves %s as it is", async (_, args) => {
    expect(await repaired(args)).toEqual({ args, repairs: [] });
  });

  test("does nothing where nothing is wrong", async () => {
    const args = { path: "1", either: "2", nothing: null };
    expect(await repaired(args)).toEqual({ args, repairs: [] });
  });

  test("does not look again into what it put right", async () => {
    const { args } = await repaired({ path: "a", edits: '[{"old":"x","all":"true"}]' });
    expect(args).toEqual({ path: "a", edits: [{ old: "x", all: "true" }] });
  });

  test("keeps hostile names as data", async () => {
    const args = JSON.parse('{"path":"a","__proto__":{"offset":1},"offset":"2"}') as JsonObject;
    const { args: right } = await repaired(args);
    expect(JSON.stringify(right)).toBe('{"path":"a","__proto__":{"offset":1},"offset":2}');
  });
});

describe("parseArgsText", () => {
  const reasonOf = (text: string) => {
    try {
      return parseArgsText(text);
    } catch (error) {
      const { kind, details } = error as Failure;
      return { kind, reason: details.reason };
    }
  };

  test("takes one whole object, the last of two equal keys", () => {
    expect(parseArgsText(' {"a": 1, "a": {"b": [2]}} ')).toEqual({ a: { b: [2] } });
  });

  test.each([
    ["", "empty"],
    [" \n", "empty"],
    ['{"path": "a.ts", "content": "half', "cut_off"],
    ['{"path": "a.ts"', "cut_off"],
    ['{"path":', "cut_off"],
    ["{'path': 1}", "not_json"],
    ['{"a": 1} {"b": 2}', "not_json"],
    ['```json\n{"a": 1}\n```', "not_json"],
    ["[1]", "not_an_object"],
    ['"text"', "not_an_object"],
    ["null", "not_an_object"],
    [`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "too_deep"],
  ])("refuses %.40j as %s", (text, reason) => {
    expect(reasonOf(text)).toEqual({ kind: "invalid_args", reason });
  });
});
