import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject } from "./json.ts";

/** A schema that both validates and can say itself as JSON Schema (tried: zod 4.6.7, arktype 2.2.10). */
export interface StandardParameters<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output> & StandardJSONSchemaV1.Props<Input, Output>;
}
/** Plain JSON Schema, draft 2020-12, whose root is an object. */
export interface JsonSchema {
  readonly type: "object";
  readonly properties?: { readonly [name: string]: unknown };
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}
/** How a tool says its parameters: a schema of a library, or plain JSON Schema. */
export type Parameters = StandardParameters | JsonSchema;

/** What `execute` or `plan` receives for a schema. */
export type ArgsOf<Schema> = Schema extends StandardParameters
  ? StandardSchemaV1.InferOutput<Schema>
  : Schema extends JsonSchema
    ? FromJsonSchema<Schema>
    : never;

type Names<S> = S extends { readonly required: readonly (infer Name extends string)[] } ? Name : never;
type Flat<T> = { [Key in keyof T]: T[Key] };
/** The common part of JSON Schema; anything cleverer becomes `unknown`. */
export type FromJsonSchema<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly type: "string" }
      ? string
      : S extends { readonly type: "number" | "integer" }
        ? number
        : S extends { readonly type: "boolean" }
          ? boolean
          : S extends { readonly type: "null" }
            ? null
            : S extends { readonly type: "array"; readonly items: infer Items }
              ? readonly FromJsonSchema<Items>[]
              : S extends { readonly type: "object"; readonly properties: infer P }
                ? string extends keyof P
                  ? JsonObject
                  : Flat<
                      { readonly [K in keyof P as K extends Names<S> ? K : never]: FromJsonSchema<P[K]> } & {
                        readonly [K in keyof P as K extends Names<S> ? never : K]?: FromJsonSchema<P[K]> | undefined;
                      }
                    >
                : S extends { readonly type: "object" }
                  ? JsonObject
                  : unknown;
