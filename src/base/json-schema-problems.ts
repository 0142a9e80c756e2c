import type { JsonObject, JsonValue } from "./json.ts";
import { childPointer, valueAt } from "./json-pointer.ts";
import { knownMembers, schemasAt, typesOf } from "./json-schema-at.ts";
import { nearestNames } from "./nearest.ts";

/** One thing that is wrong with a value, for a model or person to put right. Plain JSON. */
export interface Problem {
  /** JSON Pointer of the value that is wrong, missing or too much. */
  readonly pointer: string;
  /** What is wanted and what was got, without the pointer. */
  readonly message: string;
  /** For an unknown member: the known ones that may have been meant, best first. */
  readonly nearest?: readonly string[];
}

/** What a compiled schema (ajv's, or one generated at build time) says about one fault. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: { readonly [name: string]: unknown };
  readonly message?: string;
}

/** Says whether a value fits; `errors` of the last call stand on it until the next. Synchronous. */
export interface CompiledSchema {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/** Nobody reads more faults than this, and settling unions goes over all of them for each. */
const MAX_ERRORS = 500;

/** The faults that `check` finds in `value`, each place and message once, the first 500; empty when it fits. */
export function problemsOf(check: CompiledSchema, value: JsonValue, schema: JsonObject): readonly Problem[] {
  if (check(value)) return [];
  const problems = unionsSettled((check.errors ?? []).slice(0, MAX_ERRORS)).map((error) => problemOf(error, value, schema));
  const seen = new Set<string>();
  return problems.filter(({ pointer, message }) => {
    const key = `${pointer} ${message}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

function problemOf(error: SchemaError, value: JsonValue, schema: JsonObject): Problem {
  const { instancePath: pointer, keyword, params } = error;
  switch (keyword) {
    case "required": {
      const missing = childPointer(pointer, String(params.missingProperty));
      const types = typesOf(schemasAt(schema, missing));
      return { pointer: missing, message: types.length > 0 ? `is missing; ${oneOf(types)} is wanted` : "is missing" };
    }
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      const known = knownMembers(schemasAt(schema, pointer));
      const nearest = nearestNames(name, known);
      const meant = nearest.length > 0 ? `; did you mean "${nearest[0]}"?` : "";
      const list = known.length > 0 ? `; known: ${known.slice(0, 30).join(", ")}` : "; no members are known here";
      return { pointer: childPointer(pointer, name), message: `is not known${meant}${list}`, ...(nearest.length > 0 ? { nearest } : {}) };
    }
    case "type":
      return { pointer, message: `must be ${oneOf([params.type].flat().map(String))}, got ${got(value, pointer)}` };
    case "enum":
      return { pointer, message: `must be one of ${list(params.allowedValues)}, got ${got(value, pointer)}` };
    case "const":
      return { pointer, message: `must be ${JSON.stringify(params.allowedValue)}, got ${got(value, pointer)}` };
    case "anyOf":
    case "oneOf": {
      const types = typesOf(schemasAt(schema, pointer));
      return {
        pointer,
        message: `must fit one of the alternatives${types.length > 0 ? ` (${types.join(", ")})` : ""}, got ${got(value, pointer)}`,
      };
    }
    default:
      return { pointer, message: `${error.message ?? `breaks "${keyword}"`}, got ${got(value, pointer)}` };
  }
}

/**
 * For a union that no branch fits, every branch has complained. What helps is the complaint of the branch that was meant: the one that
 * agrees in type and in its constants and complains least. When there is none, the union's own complaint stands.
 */
function unionsSettled(errors: readonly SchemaError[]): readonly SchemaError[] {
  let settled: readonly SchemaError[] = errors.filter(({ keyword }) => keyword !== "if");
  for (const union of errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf")) {
    const prefix = `${union.schemaPath}/`;
    const isInside = (error: SchemaError) => error.schemaPath.startsWith(prefix) && error.instancePath.startsWith(union.instancePath);
    const branches: Record<string, SchemaError[]> = {};
    for (const error of settled.filter(isInside)) {
      const branch = error.schemaPath.slice(prefix.length).split("/")[0] ?? "";
      branches[branch] = [...(branches[branch] ?? []), error];
    }
    const meant = Object.values(branches)
      .filter((branch) => !branch.some((error) => isOtherBranch(error, union.instancePath)))
      .sort((a, b) => a.length - b.length)[0];
    settled = settled.filter((error) => (meant ? error !== union && (!isInside(error) || meant.includes(error)) : !isInside(error)));
  }
  return settled;
}

/** True when the value is of another type than the branch, or lacks the constant that marks it. */
function isOtherBranch({ keyword, instancePath }: SchemaError, pointer: string): boolean {
  if (keyword !== "type" && keyword !== "const" && keyword !== "enum") return false;
  const below = instancePath.slice(pointer.length).split("/").length - 1;
  return below === 0 || (below === 1 && keyword !== "type");
}

/** A value in few words: what it is, and itself when it is short. Never a part of it: that could be a part of a secret. */
function got(root: JsonValue, pointer: string): string {
  const value = valueAt(root, pointer);
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return JSON.stringify(value);
  return value.length > 60 ? `a text of ${value.length} characters` : `the text ${JSON.stringify(value)}`;
}

const ARTICLES: Readonly<Record<string, string>> = {
  object: "an object",
  array: "a list",
  string: "text",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  null: "null",
};

function oneOf(types: readonly string[]): string {
  return types.map((type) => ARTICLES[type] ?? type).join(" or ");
}

function list(values: unknown): string {
  return (Array.isArray(values) ? values : [])
    .slice(0, 30)
    .map((value) => JSON.stringify(value))
    .join(", ");
}
