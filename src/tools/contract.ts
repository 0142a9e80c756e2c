import type { Recovery } from "../base/decision.ts";
import type { Effect } from "../base/effect.ts";
import type { Failure } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import type { Kind } from "../base/kinds.ts";
import type { ArgsOf, Parameters } from "../base/schema.ts";
import type { SecretRef } from "../base/secret.ts";
import type { ReadSandbox, Sandbox } from "../sandbox/port.ts";

/** What a tool may know. Frozen; holds no provider key. */
export interface PlanContext {
  readonly sessionId: string;
  readonly callId: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Real path that relative arguments are taken from; inside the workspace. */
  readonly cwd: string;
  readonly agent: { readonly id: string; readonly name: string; readonly depth: number };
  /** True when the call stops after its plan, or runs on an overlay that is thrown away. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly assigns: JsonObject;
  /** The options of a parameterised tool; `null` for a plain one. */
  readonly options: unknown;
  /** Confined, and gated by read rules at each read: a forbidden read ends the plan. */
  readonly sandbox: ReadSandbox;
}

/** What a tool may know when a session opens. Nothing is gated: what it reads must reach no model. */
export type OpenContext = Pick<PlanContext, "sandbox" | "workspace" | "sessionId">;

/** What `execute` is given beside its plan or arguments. */
export interface CallContext extends Omit<PlanContext, "sandbox"> {
  /** Lets through the effects of the plan, and refuses any other file effect; redacts process output. */
  readonly sandbox: Sandbox;
  /** Values of the secrets that the tool's definition names, and of no other. */
  readonly secrets: { readonly [name: string]: string };
  progress(update: string | { readonly message: string; readonly fraction?: number }): void;
}

/** MCP's text and image parts. */
export type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: Uint8Array; readonly mime_type: string };

/**
 * A string is the model's text as it is; a `result()` is taken apart; any other JSON is shown to the model as JSON.
 * Typed `unknown`, since an interface is not assignable to a JSON type; what is not JSON is `tool_failed` with its pointer.
 */
export type Returned = unknown;

/**
 * What `plan` returns: the effects, which are hashed and decided over, and whatever else `execute` needs. An effect with a member that it
 * does not have, or one that is of another form, is `tool_failed` (`bad_effects`, with the pointer).
 */
export interface Plan {
  readonly effects: readonly Effect[];
}

/** The kinds of effects, by name. */
export type EffectKind = Effect["kind"];

interface Described<Schema extends Parameters> {
  /** `^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`, unique in a set. */
  readonly name: string;
  readonly description: string;
  readonly parameters: Schema;
  /** Kinds this tool raises by itself, for docs and `collet tools NAME`. */
  readonly kinds?: readonly Kind[];
  /** Every kind of effect that its plans may hold, for docs and `collet tools NAME`. Default: what fixed `effects` say, else not said. */
  readonly effectKinds?: readonly EffectKind[];
  /** Valid arguments, at least one; run by the contract suite. */
  readonly examples?: readonly JsonObject[];
  /** How an interrupted call is settled; default: `repeat` when every effect is a read, `reconcile` when all are exact file effects, else `unknown`. */
  readonly recovery?: Recovery;
  /** Wall-clock limit of a call in ms; default 615,000. At the limit `signal` aborts; the call is `timeout` as soon as it ends, or 5 s later. */
  readonly timeoutMs?: number;
  /** Secrets whose values `execute` finds in `context.secrets`. */
  readonly secrets?: readonly SecretRef[];
}

/** Effects absent: `unknown`. Effects `[]`: a pure function, allowed in every mode. */
export interface PlainTool<Schema extends Parameters> extends Described<Schema> {
  readonly plan?: never;
  readonly effects?: readonly Effect[] | ((args: ArgsOf<Schema>, context: PlanContext) => readonly Effect[]);
  execute(args: ArgsOf<Schema>, context: CallContext): Returned;
}

/** A tool that first says what it will do, from its arguments and what it reads, and then does that. */
export interface PlannedTool<Schema extends Parameters, P extends Plan> extends Described<Schema> {
  readonly effects?: never;
  /** Reads only. Deterministic: the same args and files give the same effects. */
  plan(args: ArgsOf<Schema>, context: PlanContext): P | Promise<P>;
  execute(plan: P, context: CallContext): Returned;
}

/** Arguments after repair and validation, or why they do not fit. */
export type Validation =
  | {
      readonly ok: true;
      /** As repaired, before the library's defaults and transforms: what is hashed, shown and logged. */
      readonly args: JsonObject;
      /** What `plan` receives: the library's output. */
      readonly value: unknown;
      /** What was repaired, one sentence each; empty when nothing was. */
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly failure: Failure };

/**
 * The executor's side of a tool; nobody else calls it.
 *
 * @internal
 */
export interface ToolInternals {
  readonly recovery: Recovery | undefined;
  readonly timeoutMs: number | undefined;
  readonly secrets: readonly SecretRef[];
  readonly options: unknown;
  /** Called when a session opens, before its first call: what must not depend on what calls do is looked at here. Must not throw. */
  readonly open?: (context: OpenContext) => Promise<void>;
  validate(args: JsonObject): Promise<Validation>;
  plan(value: unknown, context: PlanContext): Promise<Plan>;
  execute(plan: Plan, context: CallContext): Promise<Returned>;
}

export const toolInternals: unique symbol = Symbol("collet.tool");

/** A tool as rooms pass it on; the schema's and the plan's types are closed in. */
export interface Tool<Args = unknown> {
  readonly name: string;
  readonly description: string;
  readonly jsonSchema: JsonObject;
  readonly kinds: readonly Kind[];
  /** `null`: the definition does not say. */
  readonly effectKinds: readonly EffectKind[] | null;
  readonly examples: readonly JsonObject[];
  readonly [toolInternals]: ToolInternals;
  /** Type-level only: the validated arguments. */
  readonly "~args"?: Args;
}
