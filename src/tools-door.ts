/** The built-in tools and their sets. */

export type { CommandOptions } from "./tools/index.ts";
export { bash, codingTools, command, edit, read, readOnlyTools, write } from "./tools/index.ts";
