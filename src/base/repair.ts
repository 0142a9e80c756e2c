import { fail } from "./fail.ts";
import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import { pointerKeys, valueAt } from "./json-pointer.ts";
import { knownMembers, schemasAt, typesOf } from "./json-schema-at.ts";
import type { Problem } from "./json-schema-problems.ts";
import { plainJson } from "./plain-json.ts";

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Arguments whose meaning is certain although they do not fit, put right at the places of the problems and nowhere else, each once: text
 * that holds a JSON object, list, number or boolean where that is wanted; one object where a list of objects is wanted; `null` for an
 * optional member. `repairs` says each in a sentence; empty when there was nothing to do.
 */
export function repair(
  args: JsonObject,
  problems: readonly Problem[],
  schema: JsonObject,
): { readonly args: JsonObject; readonly repairs: readonly string[] } {
  let repaired: JsonValue = args;
  const repairs: string[] = [];
  for (const pointer of new Set(problems.map((problem) => problem.pointer))) {
    if (pointer === "") continue;
    const value = valueAt(args, pointer);
    if (value === undefined) continue;
    const fix = fixFor(value, pointer, schema);
    if (!fix) continue;
    repaired = replaceAt(repaired, pointerKeys(pointer), fix.value);
    repairs.push(`${pointer}: ${fix.said}`);
  }
  // the root was an object and only members of it were replaced
  return { args: repaired as JsonObject, repairs };
}

interface Fix {
  /** `undefined`: leave the member out. */
  readonly value: JsonValue | undefined;
  readonly said: string;
}

function fixFor(value: JsonValue, pointer: string, schema: JsonObject): Fix | null {
  const schemas = schemasAt(schema, pointer);
  const types = typesOf(schemas);
  if (value === null) {
    return !types.includes("null") && isOptional(pointer, schema) ? { value: undefined, said: "null was taken as left out" } : null;
  }
  if (typeof value === "string" && !types.includes("string")) {
    const parsed = valueInText(value, types);
    return parsed === undefined ? null : { value: parsed, said: `the text was taken as ${nameOf(parsed)}` };
  }
  if (isObject(value) && types.includes("array") && !types.includes("object")) {
    const items = schemasAt(schema, `${pointer}/0`);
    return typesOf(items).includes("object") ? { value: [value], said: "the object was taken as a list of one" } : null;
  }
  return null;
}

function isOptional(pointer: string, schema: JsonObject): boolean {
  const keys = pointerKeys(pointer);
  const name = keys.at(-1) ?? "";
  const parents = schemasAt(schema, pointer.slice(0, pointer.lastIndexOf("/")));
  const isRequired = parents.some((parent) => Array.isArray(parent.required) && parent.required.includes(name));
  return !isRequired && knownMembers(parents).includes(name);
}

function valueInText(text: string, types: readonly string[]): JsonValue | undefined {
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  if ((types.includes("number") || types.includes("integer")) && JSON_NUMBER.test(text)) {
    const number = Number(text);
    // what does not come out as the very number that was written is not certain
    if (Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number) && types.includes("number")) return number;
  }
  const opens = text.trimStart()[0];
  if (!((opens === "{" && types.includes("object")) || (opens === "[" && types.includes("array")))) return undefined;
  try {
    const parsed = plainJson(JSON.parse(text));
    return parsed.ok ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(value: JsonValue): string {
  if (Array.isArray(value)) return `the list of ${value.length} that it holds`;
  return isObject(value) ? "the object that it holds" : JSON.stringify(value);
}

function replaceAt(root: JsonValue, keys: readonly string[], value: JsonValue | undefined): JsonValue {
  const [key, ...rest] = keys;
  if (key === undefined || typeof root !== "object" || root === null) return value ?? null;
  if (Array.isArray(root)) {
    const at = Number(key);
    const item: JsonValue | undefined = root[at];
    return root.map((old: JsonValue, index) => (index === at ? replaceAt(item ?? null, rest, value) : old));
  }
  const entries = Object.entries(root).flatMap(([name, old]): [string, JsonValue | undefined][] => {
    if (name !== key) return [[name, old]];
    if (rest.length === 0) return value === undefined ? [] : [[name, value]];
    return [[name, replaceAt(old ?? null, rest, value)]];
  });
  return Object.fromEntries(entries);
}

/**
 * The arguments in the text that a model or person wrote: one whole JSON object, nothing before or after it. Throws `invalid_args` with
 * `reason` `empty`, `not_json`, `cut_off` (the text ends too early), `not_an_object` or `too_deep`. Of a key given twice the last counts.
 */
export function parseArgsText(text: string): JsonObject {
  if (text.trim() === "") throw badText("the arguments are empty; a JSON object is wanted, `{}` for none", "empty");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    // without the piece of the text that some messages end with: it is cut from the middle, and may be of a secret
    const message = cause instanceof Error ? cause.message.replace(/, (?:\.{3})?".*" ?(?:\.{3})?(?: is not valid JSON)?$/s, "") : "";
    const isCut =
      /end of JSON|Unterminated|after property value|after array element/.test(message) && !/[}\]]/.test(text.trimEnd().at(-1) ?? "");
    const said = isCut ? "the arguments end too early; send the whole call again" : "the arguments are no JSON";
    throw badText(`${said}: ${message}`, isCut ? "cut_off" : "not_json");
  }
  const copied = plainJson(parsed);
  if (!copied.ok) throw badText(`the arguments are ${copied.what}`, "too_deep");
  if (!isObject(copied.value)) throw badText("the arguments must be one JSON object", "not_an_object");
  return copied.value;
}

function badText(message: string, reason: string): Error {
  return fail("invalid_args", message, { reason });
}
