import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { osCode } from "./os-error.ts";

/** A regular file as a whole, without waiting for anything; `null` when that cannot be had. */
export function bytesOf(path: string, maxBytes: number): Buffer | "none" | null {
  const bytes = orNone(() => {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.size > maxBytes) return "unknown";
      const buffer = Buffer.alloc(stat.size);
      return buffer.subarray(0, readSync(fd, buffer, 0, stat.size, 0));
    } finally {
      closeSync(fd);
    }
  });
  return bytes === null ? "none" : bytes === "unknown" ? null : bytes;
}

/** `null`: there is nothing; `unknown`: it cannot be looked at. */
export function orNone<T>(look: () => T): T | "unknown" | null {
  try {
    return look();
  } catch (error) {
    const code = osCode(error);
    if (code === "") throw error;
    return code === "ENOENT" || code === "ENOTDIR" ? null : "unknown";
  }
}
