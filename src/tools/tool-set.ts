import { fail } from "../base/fail.ts";
import { nearestNames } from "../base/nearest.ts";
import type { Tool } from "./contract.ts";

/** The tools of one runtime, by name. */
export interface ToolSet {
  /** In the order given. */
  readonly list: readonly Tool[];
  get(name: string): Tool | undefined;
  /** Names that may have been meant, best first, at most three. */
  nearest(name: string): readonly string[];
}

/** Fails with `invalid_args` when two tools have one name, or when something in the list is no tool. */
export function createToolSet(tools: readonly Tool[]): ToolSet {
  const list = Object.freeze([...tools]);
  const byName = new Map<string, Tool>();
  for (const tool of list) {
    if (typeof tool?.name !== "string")
      throw fail("invalid_args", "there is something in the list of tools that is no tool", { reason: "no_tool" });
    if (byName.has(tool.name)) throw fail("invalid_args", `two tools are called ${tool.name}`, { reason: "same_name", name: tool.name });
    byName.set(tool.name, tool);
  }
  return Object.freeze({
    list,
    get: (name: string) => byName.get(name),
    nearest: (name: string) => nearestNames(name, [...byName.keys()]),
  });
}
