import type { Tool } from "./contract.ts";
import { read } from "./read.ts";
import { readOnlyBash } from "./read-only-bash.ts";

/** Tools that change nothing: read, and a bash that cannot write. */
export function readOnlyTools(): readonly Tool[] {
  return [read, readOnlyBash];
}
