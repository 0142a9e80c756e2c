import { type Failure, fail } from "./fail.ts";
import { isObject, type JsonObject } from "./json.ts";
import { childPointer } from "./json-pointer.ts";
import { checkSchema } from "./json-schema-check.ts";
import { closeSchema } from "./json-schema-close.ts";
import { plainJson } from "./plain-json.ts";
import type { Parameters, StandardParameters } from "./schema.ts";

/** At the root they would make the arguments something else than one plain object, which providers refuse. */
const NOT_AT_ROOT = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "enum", "const"];

/** A library's schema, as opposed to plain JSON Schema. */
export function isStandardSchema(parameters: Parameters): parameters is StandardParameters {
  return typeof parameters === "function" || "~standard" in parameters;
}

/**
 * The JSON Schema (draft 2020-12) of a tool's parameters: a frozen copy, closed (see `closeSchema`), without `$schema`. Throws
 * `invalid_args` with `reason: "bad_schema"` and the `pointer` when it cannot be said as JSON Schema, is none, or its root is not one plain
 * object.
 */
export function schemaOf(parameters: Parameters): JsonObject {
  const asked: unknown = isStandardSchema(parameters) ? convert(parameters) : parameters;
  const copied = plainJson(asked);
  if (!copied.ok) throw bad(`there is ${copied.what}, which is no JSON`, copied.pointer);
  if (!isObject(copied.value)) throw bad("it is no object", "");
  const { $schema: _, ...schema } = copied.value;
  if (schema.type !== "object") throw bad('its root must have `type: "object"`', "/type");
  for (const keyword of NOT_AT_ROOT) {
    if (schema[keyword] !== undefined) throw bad(`its root must be one plain object, without \`${keyword}\``, childPointer("", keyword));
  }
  checkSchema(schema);
  return frozen(closeSchema(schema));
}

function convert(parameters: StandardParameters): unknown {
  const { jsonSchema, vendor } = parameters["~standard"];
  if (typeof jsonSchema?.input !== "function") {
    throw bad(`this version of ${vendor} cannot say a schema as JSON Schema (no \`~standard.jsonSchema\`); give plain JSON Schema`, "");
  }
  let pointer = "";
  // only zod tells where it had to give up
  const unrepresentable = ({ path }: { readonly path: readonly (string | number)[] }) => {
    pointer = path.reduce<string>(childPointer, "");
    return "throw";
  };
  try {
    return jsonSchema.input({ target: "draft-2020-12", ...(vendor === "zod" ? { libraryOptions: { unrepresentable } } : {}) });
  } catch (cause) {
    throw bad(cause instanceof Error ? cause.message : "the library gave up", pointer, cause);
  }
}

function bad(message: string, pointer: string, cause?: unknown): Failure {
  return fail("invalid_args", `the schema cannot be used: ${message}, at "${pointer}"`, { reason: "bad_schema", pointer }, { cause });
}

function frozen(schema: JsonObject): JsonObject {
  const copied = plainJson(schema);
  // closing adds one level at most to what was plain and checked before
  return copied.ok && isObject(copied.value) ? copied.value : schema;
}
