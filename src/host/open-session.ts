import { platform } from "node:os";
import { sha256OfJson } from "../base/hash.ts";
import { VERSION } from "../base/version.ts";
import { createRecorder, openTools, processPathLocks } from "../executor/index.ts";
import type { Model } from "../models/index.ts";
import { type Approvals, createPolicy, describeRules, guardedPaths, type Policy, sessionApprovals } from "../permissions/index.ts";
import { gitFoldersOf, localEvidence, localSandbox, type SandboxPort } from "../sandbox/index.ts";
import { createSession, type OwnSession, systemPrompt } from "../session/index.ts";
import { workspaceApprovals } from "./approvals.ts";
import { realPath } from "./folders.ts";
import type { Host } from "./host.ts";
import { openStore, type Store } from "./open-store.ts";
import { type RulesInForce, rulesInForce } from "./rules-in-force.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/** A session, and what is to be ended with it. */
export interface OpenSession {
  readonly session: OwnSession;
  /** Ends the session, its processes and its log, in that order and each whatever becomes of the others; throws the first failure. */
  end(): Promise<void>;
  /** As `Runtime.kill`. */
  kill(): void;
}

/** What a sandbox leaves behind that a session has to end. */
interface Processes {
  endAll(): Promise<void>;
  killNow(): void;
}

const NO_PROCESSES: Processes = { endAll: async () => {}, killNow: () => {} };

/**
 * Opens sandbox and log, and records `session_started`. What was opened is closed again when the rest fails.
 * Kinds: as `RuntimeOptions.stateDir` and the workspace can fail: unsafe_state_path, session_record_unavailable, not_found, read_failed.
 */
export async function openSession(options: RuntimeOptions, host: Host, model: Model | null): Promise<OpenSession> {
  let store: Store | null = null;
  const { sandbox, processes } = await openSandbox(options, host, () => store?.spillDir ?? null);
  try {
    const inForce = await rulesInForce(options, host, sandbox.workspace);
    const approvals = await keptApprovals(options, host, { workspace: sandbox.workspace, sessionId: () => store?.sessionId ?? "" });
    // the last to be opened: nothing is left of a session that could not begin
    store = await openStore(host, { workspace: sandbox.workspace, isKept: options.log !== false });
    const session = sessionOn({ options, host, model, sandbox, store, inForce, approvals });
    await openTools({ sandbox, tools: host.tools, redactor: host.redactor, cwd: sandbox.workspace, sessionId: store.sessionId });
    return { session, end: () => endInOrder(session.close, processes.endAll, store?.close), kill: processes.killNow };
  } catch (error) {
    await endInOrder(processes.endAll, store?.close).catch(() => {});
    throw error;
  }
}

async function endInOrder(...steps: readonly ((() => Promise<void>) | undefined)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await step?.().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function openSandbox(
  { workspace, sandbox }: RuntimeOptions,
  host: Host,
  spillDir: () => string | null,
): Promise<{ sandbox: SandboxPort; processes: Processes }> {
  if (sandbox) return { sandbox, processes: NO_PROCESSES };
  const { home, configDir, env, clock } = host;
  let realWorkspace = workspace;
  const readOnlyRoots = () => {
    const spills = spillDir();
    return spills === null ? [] : [spills];
  };
  const guarded = () => guardedPaths({ workspace: realWorkspace, home, configDir, gitDirs: gitFoldersOf(realWorkspace) });
  const { endAll, killNow, ...local } = await localSandbox({ workspace, readOnlyRoots, home, hostEnv: env, clock, guarded });
  realWorkspace = local.workspace;
  return { sandbox: local, processes: { endAll, killNow } };
}

interface SessionGround {
  readonly options: RuntimeOptions;
  readonly host: Host;
  readonly model: Model | null;
  readonly sandbox: SandboxPort;
  readonly store: Store;
  readonly inForce: RulesInForce;
  /** `null`: nothing is kept for the workspace. */
  readonly approvals: Approvals | null;
}

function sessionOn({ options, host, model, sandbox, store, inForce, approvals }: SessionGround): OwnSession {
  const { clock, redactor, tools, secrets, maxIterations } = host;
  const { workspace } = sandbox;
  const own = policyOf(inForce, host, { workspace, hasDisk: !options.sandbox, spillDir: () => store.spillDir });
  // without a log nothing is kept, and what was kept before is in force all the same
  const isKept = options.log !== false;
  const policy = isKept ? own : withApprovals(own, approvals);
  let session: OwnSession | null = null;
  const recorder = createRecorder(store, {
    redactor,
    listen(event) {
      session?.heard(event);
      options.onEvent?.(event);
    },
  });
  session = createSession({
    sandbox,
    evidence: options.sandbox ? null : localEvidence(workspace),
    tools,
    policy,
    asker: options.permissions.asker ?? null,
    approvals: sessionApprovals((isKept && approvals) || undefined),
    redactor,
    secrets,
    recorder,
    locks: processPathLocks(),
    clock,
    agent: { id: "main", name: "main", depth: 0 },
    cwd: workspace,
    model,
    system: systemPrompt({
      workspace,
      platform: platform(),
      date: new Date(clock.now()).toISOString().slice(0, 10),
      plan: options.plan ?? false,
    }),
    maxIterations,
    head: store.head,
  });
  const described = tools.list.map(({ name, description, jsonSchema }) => ({ name, description, parameters: jsonSchema }));
  recorder.record("session_started", {
    collet: VERSION,
    workspace,
    cwd: workspace,
    mode: policy.mode,
    ...(options.plan ? { plan: true } : {}),
    rules: describeRules(withApprovals(own, approvals)),
    ...(host.writePolicy ? { write_policy_sha256: host.writePolicy.hash.replace("sha256:", "") } : {}),
    tools_sha256: sha256OfJson(described),
  });
  return session;
}

export interface PolicyGround {
  /** Real path. */
  readonly workspace: string;
  /** False where the workspace lies on no disk of this machine. */
  readonly hasDisk: boolean;
  readonly spillDir: () => string | null;
}

/** What sessions that begin now are held to. */
export function policyOf({ mode, rules }: RulesInForce, host: Host, { workspace, hasDisk, spillDir }: PolicyGround): Policy {
  const { home, configDir, stateDir, redactor, writePolicy } = host;
  return createPolicy({
    redact: redactor.text,
    mode,
    rules,
    workspace,
    roots: [workspace],
    home,
    configDir,
    stateDir: stateDir === null ? null : realPath(stateDir),
    gitDirs: hasDisk ? gitFoldersOf(workspace) : [],
    spillDir,
    writePolicy,
  });
}

/** The policy with what was allowed for good before. */
export function withApprovals(policy: Policy, approvals: Approvals | null): Policy {
  return approvals === null ? policy : { ...policy, rules: [...policy.rules, ...approvals.rules()] };
}

/** Those of the workspace, where files have a say. Kinds: as `workspaceApprovals`. */
export async function keptApprovals(
  { rulesFiles, sandbox }: RuntimeOptions,
  { stateDir, clock }: Host,
  { workspace, sessionId }: { readonly workspace: string; readonly sessionId: () => string },
): Promise<Approvals | null> {
  if (!rulesFiles || sandbox || stateDir === null) return null;
  return workspaceApprovals({ stateDir, workspace: realPath(workspace) }, { clock, sessionId });
}
