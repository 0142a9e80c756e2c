import type { Effect } from "../base/effect.ts";
import { effectsMisfit } from "../base/effect-check.ts";
import { fail, isFailure } from "../base/fail.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isStandardSchema, schemaOf } from "../base/json-schema.ts";
import { compileSchema } from "../base/json-schema-compile.ts";
import type { CompiledSchema } from "../base/json-schema-problems.ts";
import { isKind } from "../base/kinds.ts";
import { plainJson } from "../base/plain-json.ts";
import type { ArgsOf, Parameters } from "../base/schema.ts";
import { isSecretRef } from "../base/secret.ts";
import { attachedCheck } from "./attached-check.ts";
import type { CallContext, PlainTool, Plan, PlanContext, PlannedTool, Tool, ToolInternals } from "./contract.ts";
import { toolInternals } from "./contract.ts";
import { validateArgs } from "./validate.ts";

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
const RECOVERIES = new Set<unknown>([undefined, "repeat", "reconcile", "unknown"]);
/** The longest that a timer can wait. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Defines a tool: plain (`effects?` and `execute(args, context)`), planned (`plan(args, context)` and `execute(plan, context)`), or, given a
 * function from options to either, a function that makes as many tools as there are options.
 *
 * Throws at once on a definition that cannot work: a TypeError, or `invalid_args` with `reason: "bad_schema"` and the `pointer` when the
 * parameters cannot be said as JSON Schema, are none, or are not one plain object at the root.
 */
export function defineTool<const Schema extends Parameters, P extends Plan, Options>(
  factory: (options: Options) => PlannedTool<Schema, P>,
): (options: Options) => Tool<ArgsOf<Schema>>;
export function defineTool<const Schema extends Parameters, Options>(
  factory: (options: Options) => PlainTool<Schema>,
): (options: Options) => Tool<ArgsOf<Schema>>;
// a tool itself last, the plain one very last: the compiler tells the mistakes of a definition by the last form
export function defineTool<const Schema extends Parameters, P extends Plan>(definition: PlannedTool<Schema, P>): Tool<ArgsOf<Schema>>;
export function defineTool<const Schema extends Parameters>(definition: PlainTool<Schema>): Tool<ArgsOf<Schema>>;
export function defineTool(definition: AnyTool | ((options: unknown) => AnyTool)): Tool | ((options: unknown) => Tool) {
  if (typeof definition === "function") return (options) => toolOf(definition(options), options);
  return toolOf(definition, null);
}

type AnyTool = PlainTool<Parameters> | PlannedTool<Parameters, Plan>;

function toolOf(definition: AnyTool, options: unknown): Tool {
  checkDefinition(definition);
  const { name, description, parameters, kinds = [], recovery, timeoutMs, secrets = [] } = definition;
  const jsonSchema = schemaNamed(name, parameters);
  const examples = frozenJson(definition.examples ?? [], `${name}: examples`) as readonly JsonObject[];
  const { plan, execute } = definition.plan ? planned(definition, name) : plain(definition, name);
  const library = isStandardSchema(parameters) ? parameters["~standard"] : null;
  const compiled = checkOf(parameters, jsonSchema);
  const internals: ToolInternals = {
    recovery,
    timeoutMs,
    secrets: Object.freeze([...secrets]),
    options,
    validate: (args) => validateArgs(args, { tool: name, schema: jsonSchema, compiled, library }),
    plan,
    execute,
  };
  return Object.freeze({
    name,
    description,
    jsonSchema,
    kinds: Object.freeze([...kinds]),
    effectKinds: effectKindsOf(definition),
    examples,
    [toolInternals]: Object.freeze(internals),
  });
}

function effectKindsOf({ effectKinds, effects, plan }: AnyTool): Tool["effectKinds"] {
  if (effectKinds) return Object.freeze([...effectKinds]);
  if (plan || typeof effects === "function") return null;
  return Object.freeze([...new Set((effects ?? [UNDECLARED]).map((effect) => effect.kind))]);
}

/** The generated check of a built-in, or one that is compiled at the first call and kept. */
function checkOf(parameters: Parameters, schema: JsonObject): () => CompiledSchema | Promise<CompiledSchema> {
  const attached = attachedCheck(parameters);
  if (attached) return () => attached;
  let compiling: Promise<CompiledSchema> | null = null;
  return () => {
    compiling ??= compileSchema(schema);
    return compiling;
  };
}

type Steps = Pick<ToolInternals, "plan" | "execute">;

/** What the executor gets: its own frozen copy of the effects, and the tool's plan as the tool made it. */
interface HeldPlan extends Plan {
  readonly own: unknown;
}

function planned(definition: PlannedTool<Parameters, Plan>, name: string): Steps {
  return {
    async plan(value, context) {
      // the types of schema and plan were closed in by the overloads
      const own: unknown = await definition.plan(value as never, context);
      if (isFailure(own)) throw own;
      return held(own, (own as Partial<Plan> | null)?.effects, name);
    },
    async execute(plan, context) {
      return definition.execute((plan as HeldPlan).own as never, context);
    },
  };
}

function plain(definition: PlainTool<Parameters>, name: string): Steps {
  const { effects } = definition;
  const fixed = typeof effects === "function" ? null : effectsOf(effects ?? [UNDECLARED], name);
  return {
    async plan(value, context: PlanContext) {
      if (fixed) return { effects: fixed, own: value } as Plan;
      return held(value, typeof effects === "function" ? await effects(value as never, context) : [], name);
    },
    async execute(plan, context: CallContext) {
      return definition.execute((plan as HeldPlan).own as never, context);
    },
  };
}

const UNDECLARED: Effect = Object.freeze({ kind: "unknown", sure: "open", reason: "the tool declares no effects" });

function held(own: unknown, effects: unknown, name: string): HeldPlan {
  return { own, effects: effectsOf(effects, name) };
}

function effectsOf(effects: unknown, name: string): readonly Effect[] {
  const copied = plainJson(effects);
  const misfit = copied.ok ? effectsMisfit(copied.value) : { pointer: copied.pointer, want: `JSON, not ${copied.what}` };
  if (misfit) {
    const { pointer, want } = misfit;
    throw fail("tool_failed", `${name}: the effects cannot be used: at "${pointer}", ${want} is wanted`, {
      reason: "bad_effects",
      pointer,
    });
  }
  // plain JSON of the author's type: it was checked
  return (copied as { value: unknown }).value as readonly Effect[];
}

function schemaNamed(name: string, parameters: Parameters): JsonObject {
  try {
    return schemaOf(parameters);
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw fail(error.kind, `defineTool(): ${name}: ${error.message}`, { tool: name, ...error.details }, { cause: error });
  }
}

function checkDefinition(definition: AnyTool): void {
  if (typeof definition !== "object" || definition === null) throw new TypeError("defineTool(): a definition is wanted");
  const { name, description, parameters, kinds, examples, recovery, timeoutMs, secrets, effects } = definition;
  const wrong = (message: string) => new TypeError(`defineTool(): ${typeof name === "string" ? `${name}: ` : ""}${message}`);
  if (typeof name !== "string" || !NAME.test(name)) throw wrong(`a name must fit ${NAME.source}`);
  if (typeof description !== "string") throw wrong("the description must be text");
  if ((typeof parameters !== "object" && typeof parameters !== "function") || parameters === null) throw wrong("parameters are wanted");
  if (typeof definition.execute !== "function") throw wrong("execute must be a function");
  if (definition.plan !== undefined && typeof definition.plan !== "function") throw wrong("plan must be a function");
  if (definition.plan !== undefined && effects !== undefined) throw wrong("give effects or plan, not both");
  if (effects !== undefined && typeof effects !== "function" && !Array.isArray(effects))
    throw wrong("effects must be a list or a function");
  if (kinds !== undefined && !(Array.isArray(kinds) && kinds.every((kind) => isKind(String(kind))))) throw wrong("kinds must be of KINDS");
  if (examples !== undefined && !Array.isArray(examples)) throw wrong("examples must be a list of arguments");
  if (!RECOVERIES.has(recovery)) throw wrong("recovery must be repeat, reconcile or unknown");
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) throw wrong("timeoutMs must be above 0 and below 2^31");
  if (secrets !== undefined && !(Array.isArray(secrets) && secrets.every(isSecretRef))) throw wrong("secrets must be made by secret()");
}

function frozenJson(value: unknown, what: string): JsonValue {
  const copied = plainJson(value);
  if (!copied.ok) throw new TypeError(`defineTool(): ${what}: there is ${copied.what} at "${copied.pointer}", which is no JSON`);
  return copied.value;
}
