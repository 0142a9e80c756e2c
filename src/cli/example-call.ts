import { isObject } from "../base/json.ts";
import { quoteWord } from "../base/words.ts";
import { codingTools, type Tool } from "../node.ts";

export interface ExampleOptions {
  readonly value?: string;
  /** Default: the built-in tools. */
  readonly tools?: readonly Tool[];
}

/**
 * A line that calls the tool, with `value` as its first required argument where that is a text, else with the arguments of its first
 * example. `collet tools` for a tool that is none.
 */
export function exampleCall(name: string, { value, tools = codingTools() }: ExampleOptions = {}): string {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) return "collet tools";
  const { required, properties } = tool.jsonSchema;
  const first = Array.isArray(required) ? String(required[0]) : "";
  const schema = isObject(properties) ? properties[first] : undefined;
  const takesText = isObject(schema) && schema.type === "string";
  const args = value !== undefined && takesText ? { [first]: value } : (tool.examples[0] ?? {});
  return `collet call ${name} --args ${quoteWord(JSON.stringify(args))}`;
}
