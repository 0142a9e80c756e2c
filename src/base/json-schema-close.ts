import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import { childPointer } from "./json-pointer.ts";
import { refPointer, SCHEMA_KEYWORDS } from "./json-schema-check.ts";

/** Keywords that apply further schemas to the very same value. */
const IN_PLACE: readonly string[] = ["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "$ref"];
/** Those of them that stand for a whole value when they stand alone. */
const WHOLE = new Set(["anyOf", "oneOf", "$ref"]);
/** Schemas that only test: closing them would turn the test round. */
const TESTS = new Set(["not", "if", "contains", "propertyNames"]);

/**
 * The schema with `additionalProperties: false` wherever an object says nothing about further members. An object without any `properties`
 * stays free (but the root does not). Where an object is put together from parts (`allOf`, `$ref` with members beside it, `anyOf` beside
 * `properties`, …) the parts stay open and the whole gets `unevaluatedProperties: false`. The schema must have passed `checkSchema`.
 */
export function closeSchema(root: JsonObject): JsonObject {
  const parts = new Set<string>();
  findParts(root, { isPart: false, parts });
  const closed = close(root, { isPart: false, parts, pointer: "" });
  return speaks(closed) ? closed : { ...closed, additionalProperties: false };
}

/** Collects the pointers of schemas that are referred to where a part or a test stands: they must stay open. */
function findParts(schema: JsonValue, scope: { readonly isPart: boolean; readonly parts: Set<string> }): void {
  if (!isObject(schema)) return;
  if (typeof schema.$ref === "string" && (scope.isPart || isComposed(schema))) scope.parts.add(refPointer(schema.$ref));
  eachSchema(schema, (below, { keyword }) => {
    findParts(below, { ...scope, isPart: TESTS.has(keyword) || isPartBelow(schema, keyword, scope.isPart) });
  });
}

interface Scope {
  /** The schema describes a part of an object that another schema closes. */
  readonly isPart: boolean;
  /** Pointers of schemas that are parts wherever they stand. */
  readonly parts: ReadonlySet<string>;
  readonly pointer: string;
}

function close(schema: JsonObject, { isPart, parts, pointer }: Scope): JsonObject {
  const open = isPart || parts.has(pointer);
  const result = mapSchemas(schema, (below, { keyword, path }) => {
    if (!isObject(below) || TESTS.has(keyword)) return below;
    return close(below, { isPart: isPartBelow(schema, keyword, open), parts, pointer: path.reduce(childPointer, pointer) });
  });
  if (open || speaks(schema)) return result;
  const usesPart = typeof schema.$ref === "string" && parts.has(refPointer(schema.$ref));
  if (usesPart || isComposed(schema)) return { ...result, unevaluatedProperties: false };
  return hasMembers(schema) ? { ...result, additionalProperties: false } : result;
}

function hasMembers(schema: JsonObject): boolean {
  return isObject(schema.properties) || isObject(schema.patternProperties);
}

/** Put together from parts, each of which knows only some of the members. Whole alternatives side by side are not: each is closed. */
function isComposed(schema: JsonObject): boolean {
  const inPlace = IN_PLACE.filter((keyword) => schema[keyword] !== undefined);
  if (inPlace.length === 0) return false;
  return inPlace.length > 1 || hasMembers(schema) || !WHOLE.has(inPlace[0] ?? "");
}

function isPartBelow(schema: JsonObject, keyword: string, isPart: boolean): boolean {
  return IN_PLACE.includes(keyword) && (isPart || speaks(schema) || isComposed(schema));
}

function speaks(schema: JsonObject): boolean {
  return schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined;
}

interface Step {
  readonly keyword: string;
  /** Keys from the schema above down to this one. */
  readonly path: readonly string[];
}

function eachSchema(schema: JsonObject, visit: (below: JsonValue, step: Step) => void): void {
  mapSchemas(schema, (below, step) => {
    visit(below, step);
    return below;
  });
}

/** A copy with every schema directly below replaced by what `change` makes of it. */
function mapSchemas(schema: JsonObject, change: (below: JsonValue, step: Step) => JsonValue): JsonObject {
  return mapMembers(schema, (value, keyword) => {
    if (includes(SCHEMA_KEYWORDS.one, keyword)) return change(value, { keyword, path: [keyword] });
    if (includes(SCHEMA_KEYWORDS.list, keyword) && Array.isArray(value)) {
      return value.map((item, index) => change(item, { keyword, path: [keyword, String(index)] }));
    }
    if (includes(SCHEMA_KEYWORDS.named, keyword) && isObject(value)) {
      return mapMembers(value, (item, name) => change(item, { keyword, path: [keyword, name] }));
    }
    return value;
  });
}

function mapMembers(object: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  const entries = Object.entries(object).map(([key, value]) => [key, value === undefined ? value : change(value, key)] as const);
  return Object.fromEntries(entries);
}

function includes(keywords: readonly string[], keyword: string): boolean {
  return keywords.includes(keyword);
}
