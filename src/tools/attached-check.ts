import type { CompiledSchema } from "../base/json-schema-problems.ts";
import type { JsonSchema, Parameters } from "../base/schema.ts";

const attached: unique symbol = Symbol("collet.check");

/**
 * Attaches a check that was generated from the very schema (closed, as `schemaOf` returns it), so that the general validator need not be
 * loaded for it. The type of the schema is kept for inference.
 */
export function withCheck<const Schema extends JsonSchema>(schema: Schema, check: CompiledSchema | undefined): Schema {
  return check ? { ...schema, [attached]: check } : schema;
}

export function attachedCheck(parameters: Parameters): CompiledSchema | null {
  return attached in parameters ? (parameters[attached] as CompiledSchema) : null;
}
