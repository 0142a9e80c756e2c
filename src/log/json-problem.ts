import { below, type Misfit } from "./shape.ts";

/**
 * Where a value is not JSON, so that writing it down would change it without a word: `NaN`, `undefined` in a list, a `Date`, a function.
 * Members that are `undefined` count as absent. `undefined`: it is JSON. Throws a `RangeError` on what is nested too deep or in a circle.
 */
export function jsonProblem(value: unknown): Misfit | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : { pointer: "", want: "a finite number" };
  if (typeof value !== "object") return { pointer: "", want: `JSON, not ${typeof value}` };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const problem = jsonProblem(value[index]);
      if (problem) return below(index, problem);
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return { pointer: "", want: "a plain object" };
  for (const [key, member] of Object.entries(value)) {
    const problem = member === undefined ? undefined : jsonProblem(member);
    if (problem) return below(key, problem);
  }
  return undefined;
}
