import { bash } from "./bash.ts";
import type { Tool } from "./contract.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

/** The tools of a coding agent: read, write, edit, bash. */
export function codingTools(): readonly Tool[] {
  return [read, write, edit, bash];
}
