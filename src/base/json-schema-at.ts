import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import { pointerKeys, valueAt } from "./json-pointer.ts";
import { refPointer } from "./json-schema-check.ts";

/** Alternatives beyond this many are not looked at. */
const MAX_SCHEMAS = 200;

/**
 * The schemas that speak about the value at `pointer` in an instance of `root`: what leads there by members and items, with references,
 * `allOf`, `anyOf` and `oneOf` followed. Empty when no schema says anything about that place.
 */
export function schemasAt(root: JsonObject, pointer: string): readonly JsonObject[] {
  let schemas = expand([root], root);
  for (const key of pointerKeys(pointer)) {
    schemas = expand(
      schemas.flatMap((schema) => below(schema, key)),
      root,
    );
  }
  return schemas;
}

/** The JSON types that the schemas want, in the order of their first mention; empty when any will do. */
export function typesOf(schemas: readonly JsonObject[]): readonly string[] {
  const types = schemas.flatMap((schema): readonly JsonValue[] => {
    if (schema.type === undefined) return [];
    return Array.isArray(schema.type) ? schema.type : [schema.type as JsonValue];
  });
  return [...new Set(types.filter((type) => typeof type === "string"))];
}

/** The names of the members that the schemas know. */
export function knownMembers(schemas: readonly JsonObject[]): readonly string[] {
  return [...new Set(schemas.flatMap((schema) => (isObject(schema.properties) ? Object.keys(schema.properties) : [])))];
}

function below(schema: JsonObject, key: string): JsonObject[] {
  const { properties, prefixItems, items, additionalProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, key)) return objects([properties[key]]);
  if (!/^\d+$/.test(key)) return objects([additionalProperties]);
  const prefixed = Array.isArray(prefixItems) ? prefixItems[Number(key)] : undefined;
  return objects([prefixed ?? items, additionalProperties]);
}

function expand(schemas: readonly JsonObject[], root: JsonObject): JsonObject[] {
  const found = new Set<JsonObject>();
  const queue = [...schemas];
  for (let schema = queue.shift(); schema && found.size < MAX_SCHEMAS; schema = queue.shift()) {
    if (found.has(schema)) continue;
    found.add(schema);
    const target = typeof schema.$ref === "string" ? valueAt(root, refPointer(schema.$ref)) : undefined;
    const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
    queue.push(...objects([target, ...parts]));
  }
  return [...found];
}

function objects(values: readonly (JsonValue | undefined)[]): JsonObject[] {
  return values.filter((value) => isObject(value));
}
