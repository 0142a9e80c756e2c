import type { JsonObject } from "./json.ts";
import type { CompiledSchema } from "./json-schema-problems.ts";

/**
 * How ajv checks the schemas of tools, at run time and when the validators of the built-in tools are generated: every fault, own members
 * only (`constructor` is a name like any other), and no second look at the schema itself, since `checkSchema` has had it.
 */
export const AJV_OPTIONS = {
  allErrors: true,
  ownProperties: true,
  strict: false,
  validateSchema: false,
  meta: false,
  logger: false,
} as const;

/** A check for a schema that `schemaOf` returned. Loads the general validator, which only tools from elsewhere need. Throws what ajv throws. */
export async function compileSchema(schema: JsonObject): Promise<CompiledSchema> {
  const [{ Ajv2020 }, formats] = await Promise.all([import("ajv/dist/2020.js"), import("ajv-formats")]);
  const ajv = new Ajv2020(AJV_OPTIONS);
  formats.default.default(ajv);
  return ajv.compile(schema);
}
