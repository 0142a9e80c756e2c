import { createCollector } from "../base/collector.ts";
import { type ErrorBody, errorBody, fail, isFailure } from "../base/fail.ts";
import type { JsonObject } from "../base/json.ts";
import { secretMark } from "../base/secret.ts";
import { MAX_WHOLE_FILE_BYTES, type ReadSandbox, type Sandbox, type SandboxPort } from "../sandbox/index.ts";
import { type CallContext, type Plan, type PlanContext, type Taken, type Tool, takeResult, toolInternals } from "../tools/index.ts";

export interface DirectOptions {
  /** Default: the workspace. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  readonly assigns?: JsonObject;
  /** Values that are not empty. The tool gets them, and what it has redacted is without them. */
  readonly secrets?: { readonly [name: string]: string };
  /** Called with the tool's progress. */
  readonly onProgress?: (message: string) => void;
}

export type DirectResult =
  | ({ readonly ok: boolean; readonly output: string; readonly [detail: string]: unknown } & { readonly error?: never })
  | { readonly ok: false; readonly error: ErrorBody };

/**
 * Validates and plans a call of one tool, and nothing more: no permission, no log, no limits. For tests of tools. Throws the failure.
 * `sandbox` is seen through a view that only reads.
 */
export async function planOf(tool: Tool, args: JsonObject, sandbox: SandboxPort, options: DirectOptions = {}): Promise<Plan> {
  const validation = await tool[toolInternals].validate(args);
  if (!validation.ok) throw validation.failure;
  const context: PlanContext = { ...contextOf(tool, sandbox, options), sandbox: reading(sandbox, options) };
  return tool[toolInternals].plan(validation.value, Object.freeze(context));
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

/** Executes what `planOf` returned, perhaps after the files have changed. */
export async function executePlan(tool: Tool, plan: Plan, sandbox: SandboxPort, options: DirectOptions = {}): Promise<Taken> {
  const context: CallContext = {
    ...contextOf(tool, sandbox, options),
    sandbox: acting(sandbox, plan, options),
    secrets: Object.freeze({ ...options.secrets }),
    progress: (update) => options.onProgress?.(typeof update === "string" ? update : update.message),
  };
  return takeResult(await tool[toolInternals].execute(plan, Object.freeze(context)));
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

function reading(port: SandboxPort, options: DirectOptions): ReadSandbox {
  const cwd = options.cwd ?? port.workspace;
  const access = { cwd, gate: () => {} };
  const read = (path: string) => port.read(path, { ...access, maxBytes: MAX_WHOLE_FILE_BYTES });
  return {
    kind: port.kind,
    newFileMode: port.newFileMode,
    redact: (text) =>
      Object.entries(options.secrets ?? {}).reduce((shown, [name, value]) => shown.replaceAll(value, secretMark(name)), text),
    processes: port.processes,
    stat: (path) => port.stat(path, access),
    read,
    async readText(path) {
      const file = await read(path);
      try {
        return { ...file, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file.bytes) };
      } catch (cause) {
        throw fail("read_failed", `${path} is not UTF-8 text`, { path, reason: "not_utf8" }, { cause });
      }
    },
    stream: (path) => port.stream(path, access),
    version: (path) => port.version(path, access),
    list: (path) => port.list(path, access),
    resolve: (path, at) => port.resolve(path, { cwd: at?.cwd ?? cwd }),
  };
}

function acting(port: SandboxPort, plan: Plan, options: DirectOptions): Sandbox {
  const cwd = options.cwd ?? port.workspace;
  const planned = (kind: string) => (location: { readonly path: string }) => {
    if (plan.effects.some((effect) => effect.kind === kind && "path" in effect && effect.path === location.path)) return;
    throw fail("tool_failed", `the plan has no ${kind} of ${location.path}`, { reason: "not_in_plan", path: location.path });
  };
  return {
    ...reading(port, options),
    stream: (path) => port.stream(path, { cwd, gate: planned("file.read") }),
    async write(path, bytes, { before, mode }) {
      const access = { cwd, gate: planned("file.write"), before, mode: mode ?? port.newFileMode };
      return (await port.write(path, bytes, access)).version;
    },
    async remove(path, { before }) {
      await port.remove(path, { cwd, gate: planned("file.delete"), before });
    },
    async exec(request) {
      const collector = createCollector({ headBytes: 16_384, tailBytes: 32_768, spill: null });
      const end = await port.exec({
        cwd,
        env: {},
        ...request,
        maxOutputBytes: 2 ** 32,
        signal: options.signal ?? new AbortController().signal,
        onOutput: (bytes) => collector.push(bytes),
      });
      const { text, bytes, lines } = collector.end();
      return { ...end, output: text, output_bytes: bytes, output_lines: lines, spill: null };
    },
  };
}
