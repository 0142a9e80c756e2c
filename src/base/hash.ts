import { createHash, type Hash } from "node:crypto";
import { writeCanonicalJson } from "./canonical.ts";

/** SHA-256 in lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** What git calls a file with this content, in lower-case hex. */
export function gitBlobId(content: Uint8Array, algorithm: "sha1" | "sha256"): string {
  return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest("hex");
}

/** For data that arrives in pieces: `update` as often as needed, `digest("hex")` once. */
export function sha256Stream(): Hash {
  return createHash("sha256");
}

/** Hash of the canonical JSON. Kind: log_encode_failed. */
export function sha256OfJson(value: unknown): string {
  const hash = createHash("sha256");
  let waiting = "";
  writeCanonicalJson(value, (piece) => {
    waiting += piece;
    if (waiting.length < 64 * 1024) return;
    hash.update(waiting);
    waiting = "";
  });
  return hash.update(waiting).digest("hex");
}
