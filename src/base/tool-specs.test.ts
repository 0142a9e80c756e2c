import { expect, test } from "vitest";
import { toolSpecs } from "./tool-specs.ts";

test("specs are told in each provider's form, in order", () => {
  const tool = { name: "t", description: "d", jsonSchema: { type: "object" } };
  expect(toolSpecs([tool], "openai")).toEqual([
    { type: "function", function: { name: "t", description: "d", parameters: { type: "object" } } },
  ]);
  expect(toolSpecs([tool], "openai-responses")).toEqual([
    { type: "function", name: "t", description: "d", parameters: { type: "object" }, strict: false },
  ]);
  expect(toolSpecs([tool], "anthropic")).toEqual([{ name: "t", description: "d", input_schema: { type: "object" } }]);
  expect(toolSpecs([tool, { ...tool, name: "u" }], "anthropic").map(({ name }) => name)).toEqual(["t", "u"]);
});

test("half a surrogate pair in a description is made whole text", () => {
  const [spec] = toolSpecs([{ name: "t", description: "a\ud83d", jsonSchema: { type: "object" } }], "anthropic");
  expect(spec?.description).toBe("a\ufffd");
});
