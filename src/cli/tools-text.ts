import { fail } from "../base/fail.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { nearestNames } from "../base/nearest.ts";
import { showLine, showText } from "../base/show.ts";
import { quoteWord } from "../base/words.ts";
import { codingTools, type Tool } from "../node.ts";
import { grantedTools, withGrants } from "./grants.ts";
import type { Colors } from "./output.ts";
import { widthOf } from "./view/width.ts";

export interface ToolsLook {
  readonly form: "json" | "text";
  readonly colors: Colors;
  /** A longer command goes on in a line of its own, as a shell reads it. */
  readonly columns: number;
  /** Programs that are granted beside the built-in tools, as after `--grant`. */
  readonly grants: readonly string[];
}

/** One tool whole, or a line for each. Kind: `unknown_tool`. */
export function toolsText(name: string | undefined, { form, colors, columns, grants }: ToolsLook): string {
  const tools = withGrants(codingTools(), grantedTools(grants));
  if (name === undefined) {
    if (form === "json") return `${JSON.stringify({ ok: true, tools: tools.map(toolJson) })}\n`;
    const width = Math.max(...tools.map((tool) => tool.name.length));
    const lines = tools.map((tool) => `${colors.bold(tool.name.padEnd(width))}  ${firstSentence(tool.description)}\n`);
    return `${lines.join("")}\n${colors.dim("collet tools NAME shows one of them whole")}\n`;
  }
  const tool = tools.find((candidate) => candidate.name === name) ?? unknown(name, tools);
  return form === "json" ? `${JSON.stringify({ ok: true, ...toolJson(tool) })}\n` : toolText(tool, { colors, columns });
}

function unknown(name: string, tools: readonly Tool[]): never {
  const known = tools.map((tool) => tool.name);
  const nearest = nearestNames(name, known);
  const hint = nearest.length > 0 ? `; nearest: ${nearest.join(", ")}` : "";
  throw fail("unknown_tool", `there is no tool "${name}"${hint}`, { name, nearest, known, next_actions: ["collet tools"] });
}

function toolJson({ name, description, jsonSchema, effectKinds, kinds, examples }: Tool): JsonObject {
  return { name, description, parameters: jsonSchema, effects: effectKinds, kinds, examples };
}

function toolText(
  { name, description, jsonSchema, effectKinds, kinds, examples }: Tool,
  { colors, columns }: Pick<ToolsLook, "colors" | "columns">,
): string {
  const heading = (text: string) => `\n${colors.cyan(text)}\n`;
  return [
    `${colors.bold(name)}: ${showText(description)}\n`,
    heading("Parameters"),
    ...parameterLines(jsonSchema, colors),
    heading("Effects of its plans"),
    `  ${effectKinds === null ? "not said" : effectKinds.length === 0 ? "none" : effectKinds.join("  ")}\n`,
    heading("Kinds of failure that it raises itself (collet kinds KIND)"),
    `  ${kinds.join(", ")}\n`,
    heading("Examples"),
    ...examples.map((example) => {
      const start = `  collet call ${name} `;
      const args = `--args ${showLine(quoteWord(JSON.stringify(example)))}`;
      return widthOf(start + args) <= columns ? `${start}${args}\n` : `${start}\\\n      ${args}\n`;
    }),
  ].join("");
}

function parameterLines(schema: JsonObject, colors: Colors): string[] {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const width = Math.max(...properties.map(([name]) => name.length));
  return properties.map(([name, property]) => {
    const { type, description } = isObject(property) ? property : {};
    const form = [Array.isArray(type) ? type.join(" or ") : type, required.includes(name) ? "required" : "optional"].join(", ");
    return `  ${colors.bold(name.padEnd(width))}  ${colors.dim(`(${form})`)} ${showLine(typeof description === "string" ? description : "")}\n`;
  });
}

function firstSentence(text: string): string {
  return showLine(/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text);
}
