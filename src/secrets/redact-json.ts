import { fail } from "../base/fail.ts";

/** Deeper values are refused, before the stack is at its end: a model can write such arguments. */
const MAX_DEPTH = 1_000;

/**
 * The value with every string and key passed through `text`, and every number whose digits `text` would change as that text. What did not
 * change is the same object as before; bytes are left alone. Two keys that become one are told apart by a number behind the second.
 */
export function redactJson<T>(value: T, text: (text: string) => string): T {
  // what is redacted keeps its shape; only texts change, and a number that is a secret
  return walk(value, text, 0) as T;
}

function walk(value: unknown, text: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return digits(value, text);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (depth > MAX_DEPTH)
    throw fail("log_encode_failed", "a value is nested too deep to be redacted", { reason: "too_deep", levels: MAX_DEPTH });
  if (Array.isArray(value)) {
    const items = value.map((item) => walk(item, text, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  let isSame = true;
  const taken = new Set<string>();
  const redacted = entries.map(([key, member]): [string, unknown] => {
    const newKey = free(text(key), taken);
    const newMember = walk(member, text, depth + 1);
    if (newKey !== key || newMember !== member) isSame = false;
    return [newKey, newMember];
  });
  // defines own members, so that `__proto__` is one like any other
  return isSame ? value : Object.fromEntries(redacted);
}

function digits(value: number, text: (text: string) => string): unknown {
  const written = String(value);
  const redacted = written.length < 8 ? written : text(written);
  return redacted === written ? value : redacted;
}

function free(key: string, taken: Set<string>): string {
  let name = key;
  for (let number = 2; taken.has(name); number++) name = `${key}#${number}`;
  taken.add(name);
  return name;
}
