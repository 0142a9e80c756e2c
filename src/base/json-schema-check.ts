import { fail } from "./fail.ts";
import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import { childPointer, valueAt } from "./json-pointer.ts";

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
export const SCHEMA_KEYWORDS = {
  one: [
    "items",
    "contains",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
  ],
  list: ["prefixItems", "allOf", "anyOf", "oneOf"],
  named: ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"],
} as const;

const TYPES = new Set<unknown>(["null", "boolean", "object", "array", "number", "integer", "string"]);
const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"];
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
/** They make a reference mean something else by where it stands; a schema of arguments needs none of them. */
const REFUSED = ["$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$vocabulary"];

/**
 * Refuses what is no JSON Schema of draft 2020-12 that can be checked in place: throws `invalid_args` with the `pointer` of the fault.
 * References go to `#` or `#/…` only; nothing is ever fetched. Unknown keywords are let through.
 */
export function checkSchema(root: JsonObject): void {
  walk(root, { root, pointer: "" });
}

interface Place {
  readonly root: JsonObject;
  readonly pointer: string;
}

function walk(schema: JsonValue, place: Place): void {
  if (typeof schema === "boolean") return;
  if (!isObject(schema)) throw fault(place, Array.isArray(schema) ? "a list where one schema is wanted" : "no schema");
  const at = (keyword: string): Place => ({ root: place.root, pointer: childPointer(place.pointer, keyword) });
  const demand = (keyword: string, holds: (value: JsonValue) => boolean, wanted: string) => {
    const value = schema[keyword];
    if (value !== undefined && !holds(value)) throw fault(at(keyword), wanted);
  };

  for (const keyword of REFUSED) demand(keyword, () => false, `"${keyword}" is not supported`);
  demand("type", isType, "a name of a JSON type, or a list of them, is wanted");
  demand("enum", (value) => Array.isArray(value) && value.length > 0, "a list of values is wanted");
  demand("required", isNames, "a list of names is wanted");
  demand(
    "dependentRequired",
    (value) => isObject(value) && Object.values(value).every((names) => isNames(names)),
    "lists of names by name",
  );
  demand("uniqueItems", (value) => typeof value === "boolean", "true or false is wanted");
  demand("multipleOf", (value) => typeof value === "number" && value > 0, "a number above 0 is wanted");
  demand("format", (value) => typeof value === "string", "a name is wanted");
  demand("pattern", isPattern, "no regular expression");
  for (const keyword of COUNTS) demand(keyword, (value) => Number.isInteger(value) && Number(value) >= 0, "a count is wanted");
  for (const keyword of NUMBERS) demand(keyword, (value) => typeof value === "number", "a number is wanted");
  demand("$ref", (value) => isReference(value, place.root), "a reference to `#` or to an existing `#/…` is wanted; nothing is fetched");

  for (const keyword of SCHEMA_KEYWORDS.one) {
    const below = schema[keyword];
    if (below !== undefined) walk(below, at(keyword));
  }
  for (const keyword of SCHEMA_KEYWORDS.list) {
    demand(keyword, (value) => Array.isArray(value) && value.length > 0, "a list of schemas is wanted");
    const below = schema[keyword];
    if (Array.isArray(below))
      for (const [index, item] of below.entries()) walk(item, { ...place, pointer: childPointer(at(keyword).pointer, index) });
  }
  for (const keyword of SCHEMA_KEYWORDS.named) {
    demand(keyword, isObject, "schemas by name are wanted");
    const below = schema[keyword];
    if (!isObject(below)) continue;
    for (const [name, item] of Object.entries(below)) {
      const pointer = childPointer(at(keyword).pointer, name);
      if (name === "__proto__") throw fault({ ...place, pointer }, "this name is not supported");
      if (keyword === "patternProperties" && !isPattern(name)) throw fault({ ...place, pointer }, "no regular expression");
      if (item !== undefined) walk(item, { ...place, pointer });
    }
  }
}

function isType(value: JsonValue): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every((type) => TYPES.has(type)) : TYPES.has(value);
}

function isNames(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function isPattern(value: JsonValue): boolean {
  if (typeof value !== "string") return false;
  try {
    new RegExp(value, "u");
    return true;
  } catch {
    return false;
  }
}

function isReference(value: JsonValue, root: JsonObject): boolean {
  if (typeof value !== "string" || !(value === "#" || value.startsWith("#/"))) return false;
  try {
    const target = valueAt(root, refPointer(value));
    return typeof target === "boolean" || isObject(target);
  } catch {
    return false;
  }
}

/** Where `#` or `#/…` points to in the root schema. Throws a URIError on broken escapes. */
export function refPointer(reference: string): string {
  return decodeURIComponent(reference.slice(1));
}

function fault({ pointer }: Place, message: string): Error {
  return fail("invalid_args", `the schema cannot be used: ${message}, at "${pointer}"`, { reason: "bad_schema", pointer });
}
