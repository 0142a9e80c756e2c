import type { Program } from "../doing.ts";

/** A family of the table of programs, by the names that they are called by. */
export type Family = Readonly<Record<string, Program>>;
