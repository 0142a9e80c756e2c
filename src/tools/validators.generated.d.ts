import type { CompiledSchema } from "../base/json-schema-problems.ts";

/** Checks of the built-in tools' schemas, by tool. Made by scripts/generate-validators.mjs. */
export declare const validators: { readonly [tool: string]: CompiledSchema };
