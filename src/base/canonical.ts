import { fail } from "./fail.ts";

/**
 * JSON in one form only (RFC 8785: keys sorted by UTF-16 code units, no white space, `undefined` members left out), so that equal values
 * have equal hashes. Fails with `log_encode_failed` on what JSON cannot say.
 */
export function canonicalJson(value: unknown): string {
  return encode(value, "");
}

function encode(value: unknown, pointer: string): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item, index) => encode(item, `${pointer}/${index}`)).join(",")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${encode(member, `${pointer}/${key}`)}`);
    return `{${members.join(",")}}`;
  }
  throw fail("log_encode_failed", `not JSON at "${pointer}": ${typeof value}`, { pointer, type: typeof value });
}
