/**
 * The door for hosts on Node: a runtime that works on real folders, processes and models. The only file besides the front doors that asks
 * the process for its environment.
 */
import { asFailure, errorBody, fail } from "./base/fail.ts";
import {
  checkPolicy,
  chooseModel,
  forgetApprovals,
  hostOf,
  type OpenSession,
  openSession,
  type PolicyReport,
  type PolicyTestReport,
  readPolicy as policyOfHost,
  type RuntimeOptions,
  readWorkspaceTrust,
  realPath,
  runPolicyTest,
  type StoredApproval,
  type WorkspaceTrust,
  workspaceOf,
} from "./host/index.ts";
import type { Model } from "./models/index.ts";
import type { OwnSession, Runtime } from "./session/index.ts";

export type { Clock } from "./base/clock.ts";
export type { EffectRuling, EventListener, Explanation } from "./executor/index.ts";
export type {
  PolicyReport,
  PolicyTestReport,
  ReportedRule,
  RulesFileState,
  RuntimeOptions,
  StoredApproval,
  TestedCase,
  TrustFile,
  WorkspaceTrust,
} from "./host/index.ts";
export { KEY_ENV, scripted } from "./models/index.ts";
export type { Answer, Asker, Finding, GateRule, Permissions, PolicyGate, Question } from "./permissions/index.ts";
export { narrowWritePolicy, type ReadWritePolicyOptions, readWritePolicy, type WritePolicy } from "./permissions/index.ts";
export type { Access, CommandGround, ExecRequest, Gate, SandboxPort, WantedFiles } from "./sandbox/index.ts";
export type { Run, Runtime, Session, TurnResult } from "./session/index.ts";
export { type CommandOptions, codingTools, command, readOnlyTools, type Tool } from "./tools/index.ts";

/**
 * Makes a runtime. Nothing is written, started or sent before the first call or session.
 * Fails with `invalid_args` (rules, tools of one name, options), `not_found` or `read_failed` (workspace), `unsafe_state_path`, and
 * `invalid_config` where files have a say (`rulesFiles`) and one of them cannot be used. They are read again for each session; a file that is broken
 * by then is `invalid_config` there, and for each call until it is mended.
 */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const host = hostOf(options, options.env ?? process.env);
  const workspace = options.sandbox ? options.sandbox.workspace : workspaceOf(options.workspace);
  // what is broken is told before anything runs
  if (options.rulesFiles) await checkPolicy({ ...options, workspace }, host);
  const opening = new Set<Promise<unknown>>();
  const opened: OpenSession[] = [];
  let closing: Promise<void> | null = null;

  const open = async (model: Model | null, more: Pick<RuntimeOptions, "log" | "onEvent"> = {}): Promise<OwnSession> => {
    if (closing) throw closedFailure();
    const opens = openSession({ ...options, workspace, ...more }, host, model);
    opening.add(opens);
    try {
      const own = await opens;
      opened.push(own);
      if (!closing) return own.session;
    } finally {
      opening.delete(opens);
    }
    throw closedFailure();
  };
  const end = async () => {
    await Promise.allSettled(opening);
    const ends = await Promise.allSettled(opened.map((session) => session.end()));
    const failed = ends.find((ended) => ended.status === "rejected");
    if (failed) throw failed.reason;
  };
  let forCalls: Promise<OwnSession> | null = null;
  let forExplaining: Promise<OwnSession> | null = null;

  return {
    async call(tool, args, callOptions) {
      try {
        forCalls ??= open(null);
        const session = await forCalls;
        return await session.call(tool, args, callOptions);
      } catch (error) {
        forCalls = (await forCalls?.catch(() => null)) ? forCalls : null;
        return { ok: false, call_id: null, error: host.redactor.json(errorBody(asFailure(error))) };
      }
    },
    async explain(tool, args, explainOptions) {
      // a session of its own, which leaves no trace
      forExplaining ??= open(null, { log: false, onEvent: undefined });
      try {
        return await (await forExplaining).explain(tool, args, explainOptions);
      } catch (error) {
        forExplaining = null;
        throw error;
      }
    },
    async session(sessionOptions) {
      if (sessionOptions?.resume !== undefined) {
        throw fail("invalid_args", "sessions cannot be resumed yet; start a new one", { option: "resume", reason: "not_supported_yet" });
      }
      const session = await open(await chooseModel(options, host));
      return { id: session.id, run: session.run };
    },
    close() {
      closing ??= end();
      return closing;
    },
    kill() {
      for (const { kill } of opened) kill();
    },
  };
}

/**
 * The policy that sessions of these options would be held to now: mode, rules with their sources, files, and what the linter says. Nothing is
 * opened. Kinds as `createRuntime`.
 */
export async function readPolicy(options: RuntimeOptions): Promise<PolicyReport> {
  const host = hostOf(options, options.env ?? process.env);
  const workspace = options.sandbox ? options.sandbox.workspace : workspaceOf(options.workspace);
  return host.redactor.json(await policyOfHost({ ...options, workspace }, host));
}

/**
 * Tests a policy by cases, from the text of a file: `{ "version": 1, "mode"?, "allow"?, "ask"?, "deny"?, "cases": [{ "command", "expect" } or
 * { "tool", "args", "expect" }, …] }`. A file without a mode and rules of its own tests the policy of these options. Nothing is run, asked or
 * kept. Kinds: as `readPolicy`, and `invalid_config` for a file that cannot be used.
 */
export async function testPolicy(
  options: RuntimeOptions,
  file: { readonly path: string; readonly text: string },
): Promise<PolicyTestReport> {
  const host = hostOf(options, options.env ?? process.env);
  return runPolicyTest({ ...options, workspace: workspaceOf(options.workspace), onEvent: undefined }, host, file);
}

/** A workspace, and where its state is kept; `stateDir` and `env` default as those of `RuntimeOptions`. */
export type WorkspaceOptions = Pick<RuntimeOptions, "workspace" | "stateDir" | "env">;

/**
 * The files of a workspace that need a person's trust, as they are now, and the way to give or take it. For front doors: whoever calls `trust` says
 * that a person has seen the texts. Kinds: `invalid_config`, and those of the state folder.
 */
export async function workspaceTrust(options: WorkspaceOptions): Promise<WorkspaceTrust> {
  const { place, clock } = placeOf(options);
  return readWorkspaceTrust(place, clock);
}

/**
 * Takes back what was allowed for good in a workspace: one rule, or all. Gives what was taken back. Sessions that run keep what they read when
 * they began. Kinds: `invalid_config`, and those of the state folder.
 */
export async function forgetApproved(options: WorkspaceOptions, rule: string | null): Promise<readonly StoredApproval[]> {
  return forgetApprovals(placeOf(options).place, rule);
}

function placeOf(options: WorkspaceOptions) {
  const { stateDir, clock } = hostOf({ ...options, permissions: { mode: "read_only" } }, options.env ?? process.env);
  if (stateDir === null)
    throw fail("unsafe_state_path", "there is no home folder for the state; set COLLET_STATE_DIR", { reason: "no_home" });
  return { place: { stateDir, workspace: realPath(workspaceOf(options.workspace)) }, clock };
}

function closedFailure() {
  return fail("session_record_unavailable", "the runtime is closed");
}
