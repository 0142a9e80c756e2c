import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Failure, fail, isFailure } from "../base/fail.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isObject } from "../base/json.ts";
import { childPointer } from "../base/json-pointer.ts";
import { type CompiledSchema, type Problem, problemsOf } from "../base/json-schema-problems.ts";
import { plainJson } from "../base/plain-json.ts";
import { repair } from "../base/repair.ts";
import type { Validation } from "./contract.ts";

/** What the details of an `invalid_args` list; the rest is counted. */
const MAX_PROBLEMS = 20;

/** How the arguments of one tool are checked. */
export interface ArgumentCheck {
  readonly tool: string;
  readonly schema: JsonObject;
  /** Called at each validation; may load and compile at the first. */
  readonly compiled: () => CompiledSchema | Promise<CompiledSchema>;
  /** Refinements and transforms; `null` for plain JSON Schema. */
  readonly library: StandardSchemaV1.Props | null;
}

/**
 * Checks arguments: the JSON Schema first, with one attempt at repair, then the library. Does not throw. Kinds in `failure`: `invalid_args`
 * with `details.problems` (`pointer`, `message`, `nearest?`), and `tool_failed` when the schema or the library itself is at fault.
 */
export async function validateArgs(asked: JsonObject, check: ArgumentCheck): Promise<Validation> {
  try {
    const copied = plainJson(asked);
    if (!copied.ok) return refused(check, [{ pointer: copied.pointer, message: `there is ${copied.what}, which cannot be taken` }], []);
    if (!isObject(copied.value)) return refused(check, [{ pointer: "", message: "one JSON object is wanted" }], []);
    const compiled = await ready(check);
    const checked = settled(copied.value, check, compiled);
    if (checked.problems.length > 0) return refused(check, checked.problems, checked.repairs);
    const { args, repairs } = checked;
    if (check.library === null) return { ok: true, args, value: args, repairs };
    const outcome = await ask(check.library, args, check.tool);
    if (outcome.issues) return refused(check, outcome.issues.map(problemOfIssue), repairs);
    return { ok: true, args, value: outcome.value, repairs };
  } catch (error) {
    if (isFailure(error)) return { ok: false, failure: error };
    // the validators go down by recursion only where the schema does; a schema that refers to itself without end ends here
    const failure = fail(
      "tool_failed",
      `the schema of ${check.tool} cannot be used: ${textOf(error)}`,
      { reason: "bad_schema" },
      { cause: error },
    );
    return { ok: false, failure };
  }
}

async function ready(check: ArgumentCheck): Promise<CompiledSchema> {
  return check.compiled();
}

interface Checked {
  readonly args: JsonObject;
  readonly problems: readonly Problem[];
  readonly repairs: readonly string[];
}

function settled(args: JsonObject, { schema }: ArgumentCheck, compiled: CompiledSchema): Checked {
  const problems = problemsOf(compiled, args, schema);
  if (problems.length === 0) return { args, problems, repairs: [] };
  const repaired = repair(args, problems, schema);
  if (repaired.repairs.length === 0) return { args, problems, repairs: [] };
  const copied = plainJson(repaired.args);
  if (!copied.ok || !isObject(copied.value)) return { args, problems, repairs: [] };
  return { args: copied.value, problems: problemsOf(compiled, copied.value, schema), repairs: repaired.repairs };
}

async function ask(library: StandardSchemaV1.Props, args: JsonObject, tool: string): Promise<StandardSchemaV1.Result<unknown>> {
  try {
    return await library.validate(args);
  } catch (error) {
    if (isFailure(error)) throw error;
    throw fail("tool_failed", `the schema of ${tool} threw: ${textOf(error)}`, { reason: "schema_threw" }, { cause: error });
  }
}

function problemOfIssue({ message, path }: StandardSchemaV1.Issue): Problem {
  const keys = (path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
  return { pointer: keys.reduce<string>((pointer, key) => childPointer(pointer, String(key)), ""), message };
}

function refused({ tool }: ArgumentCheck, problems: readonly Problem[], repairs: readonly string[]): Validation {
  return { ok: false, failure: invalidArgs(tool, problems, repairs) };
}

function invalidArgs(tool: string, problems: readonly Problem[], repairs: readonly string[]): Failure {
  const listed = problems.slice(0, MAX_PROBLEMS);
  const more = problems.length - listed.length;
  const lines = listed.map(({ pointer, message }) => `${pointer === "" ? "the arguments" : pointer} ${message}`);
  const message = `the arguments do not fit ${tool}: ${lines.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
  return fail("invalid_args", message, {
    tool,
    problems: listed as unknown as readonly JsonValue[],
    ...(more > 0 ? { more } : {}),
    ...(repairs.length > 0 ? { repairs } : {}),
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
