import type { JsonObject, JsonValue } from "./json.ts";

/** JSON Pointer (RFC 6901): `""` is the whole value, `/a/0` the first item of member `a`. */

/** `pointer` one step further down. */
export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The keys of a pointer, from the root down. */
export function pointerKeys(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a pointer; `undefined` when there is none. Inherited members do not count. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const key of pointerKeys(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    // own member of a plain JSON list or object
    value = (value as JsonObject)[key];
  }
  return value;
}
