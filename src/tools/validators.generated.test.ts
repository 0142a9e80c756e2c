import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileSchema } from "../base/json-schema-compile.ts";
import { problemsOf } from "../base/json-schema-problems.ts";
import { codingTools } from "./coding-tools.ts";
import { command } from "./command.ts";
import { toolInternals } from "./contract.ts";
import { defineTool } from "./define-tool.ts";
import { generatedValidators } from "./generated-validators.ts";
import { validators } from "./validators.generated.js";

/** The schema of a grant is the same whatever is granted. */
const builtIns = [...codingTools(), command({ command: "command" })];

const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes("/node_modules/ajv/"));

test("a built-in tool is checked without the general validator; a tool from elsewhere loads it", async () => {
  for (const tool of builtIns) {
    expect(await tool[toolInternals].validate({ nonsense: 1 })).toMatchObject({ ok: false, failure: { kind: "invalid_args" } });
  }
  expect(loaded()).toEqual([]);
  const foreign = defineTool({ name: "f", description: "", parameters: { type: "object" }, execute: () => "" });
  await foreign[toolInternals].validate({});
  expect(loaded()).not.toEqual([]);
});

test("the committed validators are those of the tools' schemas; else run scripts/generate-validators.mjs", async () => {
  expect(readFileSync(new URL("./validators.generated.js", import.meta.url), "utf8")).toBe(await generatedValidators());
});

test("there is one for every built-in tool", () => {
  expect(Object.keys(validators)).toEqual(builtIns.map(({ name }) => name));
});

test("they find the same problems as the general validator", async () => {
  for (const { name, jsonSchema } of builtIns) {
    const [general, generated] = [await compileSchema(jsonSchema), validators[name]];
    const names = Object.keys(jsonSchema.properties as object);
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("", "x", 0, 1, 2.5, true, null));
    const edits = fc.array(fc.dictionary(fc.constantFrom("old_string", "new_string", "replace_all", "x"), value));
    const args = fc.dictionary(fc.constantFrom(...names, "constructor", "other"), fc.oneof(value, edits), { maxKeys: 4 });
    fc.assert(
      fc.property(args, (given) => {
        if (!generated) throw new Error(`${name} has none`);
        // plain JSON, as the validators are given
        const plain = JSON.parse(JSON.stringify(given));
        expect(problemsOf(generated, plain, jsonSchema)).toEqual(problemsOf(general, plain, jsonSchema));
      }),
      { numRuns: 200 },
    );
  }
});
