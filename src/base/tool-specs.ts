import type { JsonObject } from "./json.ts";

/** Whose wire form a spec has: OpenAI Chat Completions, OpenAI Responses, Anthropic Messages. */
export type SpecDialect = "openai" | "openai-responses" | "anthropic";

/** The tools as a provider wants them declared, in the order given: what Collet itself sends. */
export function toolSpecs(
  tools: readonly { readonly name: string; readonly description: string; readonly jsonSchema: JsonObject }[],
  dialect: SpecDialect,
): readonly JsonObject[] {
  return tools.map((tool) => specOf(tool, dialect));
}

function specOf({ name, description: text, jsonSchema }: Parameters<typeof toolSpecs>[0][number], dialect: SpecDialect): JsonObject {
  // half a surrogate pair, from text that was cut, makes a request that some servers refuse
  const description = text.replace(/\p{Surrogate}/gu, "\ufffd");
  switch (dialect) {
    case "openai":
      return { type: "function", function: { name, description, parameters: jsonSchema } };
    case "openai-responses":
      // a schema is taken as strict unless told otherwise, and then every optional argument is demanded
      return { type: "function", name, description, parameters: jsonSchema, strict: false };
    case "anthropic":
      return { name, description, input_schema: jsonSchema };
  }
}
