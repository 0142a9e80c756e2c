/** The built-in tools and their sets. */
export { bash, codingTools, edit, read, write } from "./tools/index.ts";
