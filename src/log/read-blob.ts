import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Failure, fail, isFailure } from "../base/fail.ts";
import type { BlobRef } from "./events.ts";
import { osCode, osFailure } from "./os-error.ts";

/**
 * The content of a blob of the session in `dir`, compared with its hash. Kinds: resource_missing (`reason`: gone, altered; or what the
 * system says), also for a reference that is none.
 */
export function readBlob(dir: string, ref: BlobRef): Buffer {
  const { sha256, size_bytes } = ref;
  // a reference comes out of a log, and must not lead out of the folder
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw missing(ref, "no_hash");
  const path = join(dir, "blobs", sha256);
  const bytes = readRegular(path, ref);
  if (bytes.length !== size_bytes || createHash("sha256").update(bytes).digest("hex") !== sha256) throw missing(ref, "altered");
  return bytes;
}

/** For the fold: the text of the blobs of the session in `dir`, `undefined` for those that are missing or altered, which are told. */
export function blobTexts(dir: string, onMissing: (failure: Failure) => void): (ref: BlobRef) => string | undefined {
  return (ref) => {
    try {
      return readBlob(dir, ref).toString("utf8");
    } catch (error) {
      if (!isFailure(error)) throw error;
      onMissing(error);
      return undefined;
    }
  };
}

function readRegular(path: string, ref: BlobRef): Buffer {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.size !== ref.size_bytes) throw missing(ref, "altered");
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    if (osCode(cause) === "ENOENT") throw missing(ref, "gone");
    throw osFailure("resource_missing", "read a blob", { path, cause, details: { sha256: ref.sha256 } });
  }
}

function missing({ sha256, size_bytes }: BlobRef, reason: string) {
  return fail("resource_missing", `the blob ${sha256.slice(0, 12)} cannot be used (${reason})`, { reason, sha256, size_bytes });
}
