/**
 * The door for hosts on Node: a runtime that works on real folders, processes and models. The only file besides the front doors that asks
 * the process for its environment.
 */
import { asFailure, errorBody, fail } from "./base/fail.ts";
import { chooseModel, hostOf, type OpenSession, openSession, type RuntimeOptions, workspaceOf } from "./host/index.ts";
import type { Model } from "./models/index.ts";
import type { OwnSession, Runtime } from "./session/index.ts";

export type { Clock } from "./base/clock.ts";
export type { EventListener } from "./executor/index.ts";
export type { RuntimeOptions } from "./host/index.ts";
export { KEY_ENV, scripted } from "./models/index.ts";
export type { Answer, Asker, Permissions, Question } from "./permissions/index.ts";
export { narrowWritePolicy, type ReadWritePolicyOptions, readWritePolicy, type WritePolicy } from "./permissions/index.ts";
export type { Access, ExecRequest, Gate, SandboxPort } from "./sandbox/index.ts";
export type { Run, Runtime, Session, TurnResult } from "./session/index.ts";
export { codingTools, type Tool } from "./tools/index.ts";

/**
 * Makes a runtime. Nothing is written, started or sent before the first call or session.
 * Fails with `invalid_args` (rules, tools of one name, options), `not_found` or `read_failed` (workspace), `unsafe_state_path`.
 */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const host = hostOf(options, options.env ?? process.env);
  const workspace = options.sandbox ? options.sandbox.workspace : workspaceOf(options.workspace);
  const opening = new Set<Promise<unknown>>();
  const opened: OpenSession[] = [];
  let closing: Promise<void> | null = null;

  const open = async (model: Model | null): Promise<OwnSession> => {
    if (closing) throw closedFailure();
    const opens = openSession({ ...options, workspace }, host, model);
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

function closedFailure() {
  return fail("session_record_unavailable", "the runtime is closed");
}
