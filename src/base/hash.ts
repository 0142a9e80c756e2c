import { createHash, type Hash } from "node:crypto";
import { canonicalJson } from "./canonical.ts";

/** SHA-256 in lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** For data that arrives in pieces: `update` as often as needed, `digest("hex")` once. */
export function sha256Stream(): Hash {
  return createHash("sha256");
}

export function sha256OfJson(value: unknown): string {
  return sha256(canonicalJson(value));
}
