import type { Program } from "../doing.ts";

/** A family of the table of programs, by the names that they are called by. */
export type Family = Readonly<Record<string, Program>>;

/** The rows of one family, as a table of their own. */
export function rowsOf(family: Family): (name: string) => Program | null {
  return (name) => (Object.hasOwn(family, name) ? (family[name] ?? null) : null);
}
