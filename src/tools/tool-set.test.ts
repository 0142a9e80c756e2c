import { expect, test } from "vitest";
import { codingTools } from "./coding-tools.ts";
import type { Tool } from "./contract.ts";
import { createToolSet } from "./tool-set.ts";

test("a set finds tools by name and names the nearest", () => {
  const set = createToolSet(codingTools());
  expect(set.list.map(({ name }) => name)).toEqual(["read", "write", "edit", "bash"]);
  expect(set.get("edit")?.name).toBe("edit");
  expect(set.get("toString")).toBeUndefined();
  expect(set.nearest("Raed")).toEqual(["read"]);
  expect(set.nearest("read_file")).toEqual(["read"]);
});

test("a set refuses two tools of one name, and what is no tool", () => {
  expect(() => createToolSet([...codingTools(), ...codingTools()])).toThrow(expect.objectContaining({ kind: "invalid_args" }));
  expect(() => createToolSet([undefined as unknown as Tool])).toThrow(expect.objectContaining({ kind: "invalid_args" }));
});
