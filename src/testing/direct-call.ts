import { type ErrorBody, errorBody, isFailure } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import { callView, createRunCommand, placeEffects, readView } from "../executor/index.ts";
import type { SandboxPort } from "../sandbox/index.ts";
import { createRedactor, type Redactor } from "../secrets/index.ts";
import { type CallContext, type Plan, type PlanContext, type Taken, type Tool, takeResult, toolInternals } from "../tools/index.ts";

export interface DirectOptions {
  /** Default: the workspace. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  readonly assigns?: JsonObject;
  /** The tool gets them, and what it has redacted is without those of 8 bytes or more. */
  readonly secrets?: { readonly [name: string]: string };
  /** Called with the tool's progress. */
  readonly onProgress?: (message: string) => void;
}

export type DirectResult =
  | ({ readonly ok: boolean; readonly output: string; readonly [detail: string]: unknown } & { readonly error?: never })
  | { readonly ok: false; readonly error: ErrorBody };

const PERMITS = {
  reads: () => true,
  guards: () => false,
  isSecret: () => false,
  isAsked: () => false,
  secretFiles: () => [],
  secretsBy: {},
};

/**
 * Validates and plans a call of one tool, and nothing more: no permission, no log, no limits. For tests of tools. Throws the failure.
 * `sandbox` is seen through a view that only reads.
 */
export async function planOf(tool: Tool, args: JsonObject, sandbox: SandboxPort, options: DirectOptions = {}): Promise<Plan> {
  const validation = await tool[toolInternals].validate(args);
  if (!validation.ok) throw validation.failure;
  const own = contextOf(tool, sandbox, options);
  const over = new AbortController();
  const view = readView(sandbox, { cwd: own.cwd, gate: () => {}, over: over.signal, redactor: redactorOf(options), permits: PERMITS });
  try {
    const plan = await tool[toolInternals].plan(validation.value, Object.freeze({ ...own, sandbox: view }));
    return { ...plan, effects: await placeEffects(plan.effects, sandbox) };
  } finally {
    over.abort();
  }
}

/** Plans and then executes a call of one tool, as the envelope would tell it. Rejects only with what is no failure of the vocabulary. */
export async function callOf(tool: Tool, args: JsonObject, sandbox: SandboxPort, options: DirectOptions = {}): Promise<DirectResult> {
  try {
    const plan = await planOf(tool, args, sandbox, options);
    const { output, content, assigns, details, value } = await executePlan(tool, plan, sandbox, options);
    const ok = !("exit_code" in details) || details.exit_code === 0;
    const more = { ...(content.length > 0 ? { content } : {}), ...(assigns ? { assigns } : {}), ...(value === undefined ? {} : { value }) };
    return { ok, output, ...details, ...more };
  } catch (error) {
    if (isFailure(error)) return { ok: false, error: errorBody(error) };
    throw error;
  }
}

/** Executes what `planOf` returned, perhaps after the files have changed, in the sandbox that a call has in a runtime. */
export async function executePlan(tool: Tool, plan: Plan, sandbox: SandboxPort, options: DirectOptions = {}): Promise<Taken> {
  const own = contextOf(tool, sandbox, options);
  const over = new AbortController();
  const redactor = redactorOf(options);
  const exec = createRunCommand(sandbox, {
    cwd: own.cwd,
    signal: () => AbortSignal.any([own.signal, over.signal]),
    redactor,
    spill: () => null,
  });
  const context: CallContext = {
    ...own,
    sandbox: callView(sandbox, {
      cwd: own.cwd,
      effects: plan.effects,
      forbids: () => {},
      exec,
      redactor,
      permits: PERMITS,
      over: over.signal,
    }),
    secrets: Object.freeze({ ...options.secrets }),
    progress: (update) => options.onProgress?.(typeof update === "string" ? update : update.message),
  };
  try {
    return takeResult(await tool[toolInternals].execute(plan, Object.freeze(context)));
  } finally {
    over.abort();
  }
}

function contextOf(tool: Tool, sandbox: SandboxPort, options: DirectOptions): Omit<PlanContext, "sandbox"> {
  return {
    sessionId: "test",
    callId: "call_1",
    workspace: sandbox.workspace,
    cwd: options.cwd ?? sandbox.workspace,
    agent: { id: "main", name: "main", depth: 0 },
    dryRun: false,
    signal: options.signal ?? new AbortController().signal,
    assigns: options.assigns ?? {},
    options: tool[toolInternals].options,
  };
}

function redactorOf({ secrets = {} }: DirectOptions): Redactor {
  const redactor = createRedactor();
  for (const [name, value] of Object.entries(secrets)) redactor.add(name, value);
  return redactor;
}
