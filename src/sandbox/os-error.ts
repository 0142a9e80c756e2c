import type { Problem } from "./problem.ts";

/** The code of an error of the operating system, such as `ENOENT`; "" when it is none. */
export function osCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

const REASONS: { readonly [code: string]: Problem["reason"] } = {
  EACCES: "no_permission",
  EPERM: "no_permission",
  EROFS: "read_only",
  ENOSPC: "no_space",
  EDQUOT: "no_space",
  EFBIG: "too_large",
  ENAMETOOLONG: "name_too_long",
  ENOTDIR: "not_a_directory",
  EISDIR: "is_directory",
  // what was just looked at is gone, or a link stands in its place (O_NOFOLLOW)
  ENOENT: "changed",
  ESTALE: "changed",
  ELOOP: "changed",
  // a socket, or a device without a driver
  ENXIO: "not_regular",
};

/** The problem behind an error that a file call threw. Its message is not used: it holds paths of ours. */
export function osProblem(error: unknown): Problem {
  const code = osCode(error);
  if (code === "") throw error;
  return { reason: REASONS[code] ?? "io", code, cause: error };
}
