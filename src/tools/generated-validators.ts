import { AJV_OPTIONS } from "../base/json-schema-compile.ts";
import { codingTools } from "./coding-tools.ts";
import { command } from "./command.ts";

/**
 * The text of validators.generated.js: an ES module without imports that holds a check for the schema of each built-in tool. For the build
 * script and the test that compares; loads ajv.
 */
export async function generatedValidators(): Promise<string> {
  const [{ Ajv2020 }, standalone] = await Promise.all([import("ajv/dist/2020.js"), import("ajv/dist/standalone/index.js")]);
  // lengths in UTF-16 units: counting characters would need a helper to be imported, and the built-ins only ask whether a text is empty
  const ajv = new Ajv2020({ ...AJV_OPTIONS, unicode: false, code: { source: true, esm: true, lines: true } });
  // the schema of a grant is the same whatever is granted
  const tools = [...codingTools(), command({ command: "command" })];
  for (const { name, jsonSchema } of tools) ajv.addSchema(jsonSchema, name);
  const code = standalone.default.default(ajv, Object.fromEntries(tools.map(({ name }) => [`check_${name}`, name])));
  if (/\brequire\(|^import /m.test(code)) throw new Error("the generated validators must not import anything");
  const members = tools.map(({ name }) => `  ${name}: check_${name},`);
  return `// Made by scripts/generate-validators.mjs; do not edit.\n${code.trim()}\nexport const validators = {\n${members.join("\n")}\n};\n`;
}
