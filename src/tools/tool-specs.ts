import type { JsonObject } from "../base/json.ts";
import type { Tool } from "./contract.ts";

/** Whose wire form a spec has: OpenAI Chat Completions, OpenAI Responses, Anthropic Messages. */
export type SpecDialect = "openai" | "openai-responses" | "anthropic";

type Described = Pick<Tool, "name" | "description" | "jsonSchema">;

/** The tools as a provider wants them declared, in the order given. */
export function toolSpecs(tools: readonly Described[], dialect: SpecDialect): readonly JsonObject[] {
  return tools.map((tool) => specOf(tool, dialect));
}

function specOf({ name, description, jsonSchema }: Described, dialect: SpecDialect): JsonObject {
  switch (dialect) {
    case "openai":
      return { type: "function", function: { name, description, parameters: jsonSchema } };
    case "openai-responses":
      return { type: "function", name, description, parameters: jsonSchema };
    case "anthropic":
      return { name, description, input_schema: jsonSchema };
  }
}
