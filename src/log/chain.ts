import { createHash } from "node:crypto";

/** h(−1), what the chain of an empty log stands at: 32 zero bytes. */
export function chainStart(): Uint8Array {
  return new Uint8Array(32);
}

/**
 * The chain through a log: h(n) = SHA-256 of the 32 bytes of h(n−1) followed by the bytes of line n. The line feed that ends a line does
 * not count, and lines that are void (of a lower epoch after a higher one) are passed over. A `turn_ended` holds, in lower-case hex, the h
 * of the line before it.
 */
export function nextLink(previous: Uint8Array, line: Uint8Array): Uint8Array {
  return createHash("sha256").update(previous).update(line).digest();
}

export function hexOf(link: Uint8Array): string {
  return Buffer.from(link).toString("hex");
}
