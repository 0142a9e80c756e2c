/**
 * The composition root: options in, runtime out. Only here do adapters, rooms and the environment of the process meet.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { homedir, platform } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { chooseCredential } from "./auth/index.ts";
import { type Clock, systemClock } from "./base/clock.ts";
import type { Mode } from "./base/decision.ts";
import { errorBody, fail, isFailure } from "./base/fail.ts";
import { sha256OfJson } from "./base/hash.ts";
import type { Ids } from "./base/ids.ts";
import { VERSION } from "./base/version.ts";
import { createRecorder, type EventListener, type EventStore, processPathLocks } from "./executor/index.ts";
import { configDirOf, createSessionLog, createSpillFile, type SessionLog, stateDirOf, transientLog } from "./log/index.ts";
import { createModel, KEY_ENV, type Model } from "./models/index.ts";
import { createPolicy, describeRules, guardedPaths, type Permissions, parseRule, type Rule } from "./permissions/index.ts";
import { gitFoldersOf, localSandbox, type SandboxPort } from "./sandbox/index.ts";
import { createRedactor, createSecrets, environmentSource, MIN_VALUE_BYTES, staticSource } from "./secrets/index.ts";
import { createSession, type OwnSession, type Runtime, systemPrompt } from "./session/index.ts";
import { codingTools, createToolSet, type Tool, toolInternals } from "./tools/index.ts";

export { KEY_ENV, scripted } from "./models/index.ts";
export type { Answer, Asker, Permissions, Question } from "./permissions/index.ts";
export type { Run, Runtime, Session, TurnResult } from "./session/index.ts";
export { codingTools, type Tool } from "./tools/index.ts";

/** Model requests in one turn at most, when nobody says. */
const DEFAULT_MAX_ITERATIONS = 100;

export interface RuntimeOptions {
  /** Folder that the tools work in, which must be there; no file tool touches anything outside. */
  readonly workspace: string;
  readonly permissions: Permissions;
  /** Where the rules of `permissions` come from, as decisions and logs say; default `api`. */
  readonly rulesFrom?: "api" | "flag";
  /** Default: `codingTools()`. */
  readonly tools?: readonly Tool[];
  /** `provider/name` or a model value; needed by `session` only. Default there: that of the one provider whose key is set. */
  readonly model?: string | Model;
  /** Up to and including `/v1`. */
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the provider's key; default: the provider's own. */
  readonly apiKeyEnv?: string;
  /** How long the provider may be silent, in ms; default 120,000. */
  readonly idleTimeoutMs?: number;
  /** Default: `$COLLET_STATE_DIR`, else `$XDG_STATE_HOME/collet`, else `~/.local/state/collet`. */
  readonly stateDir?: string;
  /** Model requests in one turn at most; default 100. */
  readonly maxIterations?: number;
  /** Values of secrets by name, looked up before the environment. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Environment of the host; default: that of this process. Commands get a small part of it, tools none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** False: nothing is written to the state folder. Default true. */
  readonly log?: boolean;
  /** Default: the files and processes of this machine. `workspace` is then that of the sandbox. */
  readonly sandbox?: SandboxPort;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Called with every event, logged or streamed, in order. Must not throw. */
  readonly onEvent?: EventListener;
  /** Called with what a person should read before anything runs, such as which model was chosen for them. */
  readonly onNotice?: (text: string) => void;
}

/**
 * Makes a runtime. Nothing is written, started or sent before the first call or session.
 * Fails with `invalid_args` (rules, tools of one name, options), `not_found` or `read_failed` (workspace), `unsafe_state_path`.
 */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const host = hostOf(options);
  const workspace = options.sandbox ? options.sandbox.workspace : workspaceOf(options.workspace);
  const sessions = new Map<string, OwnSession>();
  const opened: Opened[] = [];
  let closed = false;

  const open = async (model: Model | null): Promise<OwnSession> => {
    if (closed) throw fail("session_record_unavailable", "the runtime is closed");
    const own = await openSession({ ...options, workspace }, host, model);
    sessions.set(own.session.id, own.session);
    opened.push(own);
    return own.session;
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
        if (!isFailure(error)) throw error;
        return { ok: false, call_id: "c0", error: host.redactor.json(errorBody(error)) };
      }
    },
    async session(sessionOptions) {
      if (sessionOptions?.resume !== undefined) {
        throw fail("invalid_args", "sessions cannot be resumed yet; start a new one", { option: "resume", reason: "not_supported_yet" });
      }
      const session = await open(await modelOf(options, host));
      return { id: session.id, run: session.run };
    },
    async close() {
      closed = true;
      await forCalls?.catch(() => {});
      await Promise.all([...sessions.values()].map((session) => session.close()));
      for (const { end } of opened.splice(0)) await end();
    },
    kill() {
      for (const { kill } of opened) kill();
    },
  };
}

const MODES: readonly string[] = ["auto", "ask", "read_only"] satisfies readonly Mode[];

/** Absolute, and a folder that is there: a host learns of a wrong one at once. */
function workspaceOf(path: unknown): string {
  if (typeof path !== "string" || path === "") throw fail("invalid_args", "workspace is the path of a folder", { option: "workspace" });
  const absolute = resolve(path);
  const stat = statSync(absolute, { throwIfNoEntry: false });
  if (!stat) throw fail("not_found", `there is no folder ${absolute}`, { path: absolute, option: "workspace" });
  if (!stat.isDirectory())
    throw fail("read_failed", `${absolute} is no folder`, { path: absolute, option: "workspace", reason: "not_a_directory" });
  return absolute;
}

/** What all sessions of a runtime share. */
interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly redactor: ReturnType<typeof createRedactor>;
  readonly secrets: ReturnType<typeof createSecrets>;
  readonly tools: ReturnType<typeof createToolSet>;
  readonly rules: readonly Rule[];
  readonly stateDir: string | null;
  readonly configDir: string | null;
}

function hostOf(options: RuntimeOptions): Host {
  const env = options.env ?? process.env;
  const home = homeOf(env);
  const redactor = createRedactor();
  redactFromTheStart(redactor, options, env);
  const sources = [...(options.secrets ? [staticSource(options.secrets)] : []), environmentSource(env)];
  const hasState = home !== null || env.COLLET_STATE_DIR !== undefined || env.XDG_STATE_HOME !== undefined;
  const hasConfig = home !== null || env.COLLET_CONFIG_DIR !== undefined || env.XDG_CONFIG_HOME !== undefined;
  if (!MODES.includes(options.permissions?.mode)) {
    throw fail("invalid_args", `permissions.mode is one of ${MODES.join(", ")}`, { option: "permissions" });
  }
  const maxIterations = options.maxIterations ?? DEFAULT_MAX_ITERATIONS;
  if (!Number.isInteger(maxIterations) || maxIterations < 1) {
    throw fail("invalid_args", "maxIterations is a whole number from 1", { option: "maxIterations", value: maxIterations });
  }
  const clock = options.clock ?? systemClock;
  return {
    env,
    home,
    clock,
    ids: systemIds(clock),
    redactor,
    secrets: createSecrets({ sources, redactor, onUnredacted: (name) => options.onNotice?.(tooShort(name)) }),
    tools: createToolSet(options.tools ?? codingTools()),
    rules: rulesOf(options),
    stateDir: options.stateDir ?? (hasState ? stateDirOf(env, home ?? "") : null),
    configDir: realPath(hasConfig ? configDirOf(env, home ?? "") : null),
  };
}

/**
 * What a command can print before it is used: the provider keys of the environment, which commands do not get and can find in ours, the
 * secrets that the host gave, and those that the tools name.
 */
function redactFromTheStart(redactor: Host["redactor"], { secrets = {}, tools = [] }: RuntimeOptions, env: Host["env"]): void {
  for (const name of Object.values(KEY_ENV)) redactor.add(name, env[name] ?? "");
  for (const [name, value] of Object.entries(secrets)) redactor.add(name, value);
  for (const { name } of tools.flatMap((tool) => tool?.[toolInternals]?.secrets ?? []))
    redactor.add(name, secrets[name] ?? env[name] ?? "");
}

function tooShort(name: string): string {
  return `${name} is shorter than ${MIN_VALUE_BYTES} bytes: it is not redacted`;
}

/** Real, as the policy compares real paths. A user without a home folder, and without an entry in the list of users, has none. */
function homeOf(env: Host["env"]): string | null {
  try {
    const home = env.HOME ?? homedir();
    return home.startsWith("/") ? realPath(home) : null;
  } catch {
    return null;
  }
}

/** The path with the links of its existing part resolved; what does not exist yet is kept as it is. */
function realPath<Path extends string | null>(path: Path): Path | string {
  if (path === null) return path;
  const absolute = resolve(path);
  for (let existing = absolute; ; existing = dirname(existing)) {
    try {
      return join(realpathSync(existing), relative(existing, absolute));
    } catch {
      if (existing === dirname(existing)) return absolute;
    }
  }
}

function rulesOf({ permissions: { allow = [], ask = [], deny = [] }, rulesFrom = "api" }: RuntimeOptions): readonly Rule[] {
  const source = { from: rulesFrom };
  return [
    ...deny.map((text) => parseRule(text, "deny", source)),
    ...ask.map((text) => parseRule(text, "ask", source)),
    ...allow.map((text) => parseRule(text, "allow", source)),
  ];
}

async function modelOf(options: RuntimeOptions, { env, clock, redactor }: Host): Promise<Model> {
  if (typeof options.model === "object") return options.model;
  const { model, apiKey, notice } = chooseCredential({ model: options.model, apiKeyEnv: options.apiKeyEnv, env });
  if (notice !== null) options.onNotice?.(notice);
  // before the first request: from here on nothing that is shown, logged or sent to a model can hold the key
  if (apiKey && !redactor.add(apiKey.name, apiKey.value)) options.onNotice?.(tooShort(apiKey.name));
  return createModel({ id: model, baseUrl: options.baseUrl, apiKey, clock, idleTimeoutMs: options.idleTimeoutMs });
}

/** A session and what is to be ended with it. */
interface Opened {
  readonly session: OwnSession;
  readonly end: () => Promise<void>;
  readonly kill: () => void;
}

async function openSession(options: RuntimeOptions, host: Host, model: Model | null): Promise<Opened> {
  const { clock, redactor, tools, rules, home, stateDir, configDir } = host;
  const { mode, asker = null } = options.permissions;
  let spillDir: string | null = null;
  let realWorkspace = options.workspace;
  const { sandbox, ...processes } = options.sandbox
    ? { sandbox: options.sandbox, endAll: async () => {}, killNow: () => {} }
    : await openLocal({
        workspace: options.workspace,
        readOnlyRoots: () => (spillDir === null ? [] : [spillDir]),
        home,
        hostEnv: host.env,
        clock,
        guarded: () => guardedPaths({ workspace: realWorkspace, home, configDir, gitDirs: gitFoldersOf(realWorkspace) }),
      });
  realWorkspace = sandbox.workspace;
  const log = options.log === false ? null : await openLog(host, sandbox.workspace);
  spillDir = log?.spillDir ?? null;
  const store = log ? logStore(log) : transientStore(host);
  const policy = createPolicy({
    mode,
    rules,
    workspace: sandbox.workspace,
    roots: [sandbox.workspace],
    home,
    configDir,
    stateDir: realPath(stateDir),
    gitDirs: options.sandbox ? [] : gitFoldersOf(sandbox.workspace),
    spillDir: () => spillDir,
  });
  let session: OwnSession | null = null;
  const recorder = createRecorder(store, {
    redactor,
    listen(event) {
      session?.heard(event);
      options.onEvent?.(event);
    },
  });
  const { workspace } = sandbox;
  session = createSession({
    sandbox,
    tools,
    policy,
    asker,
    redactor,
    secrets: host.secrets,
    recorder,
    locks: processPathLocks(),
    clock,
    agent: { id: "main", name: "main", depth: 0 },
    cwd: workspace,
    model,
    system: systemPrompt({ workspace, platform: platform(), date: new Date(clock.now()).toISOString().slice(0, 10) }),
    maxIterations: options.maxIterations ?? DEFAULT_MAX_ITERATIONS,
    head: store.head,
  });
  const described = tools.list.map(({ name, description, jsonSchema }) => ({ name, description, parameters: jsonSchema }));
  recorder.record("session_started", {
    collet: VERSION,
    workspace,
    cwd: workspace,
    mode,
    rules: describeRules(policy),
    tools_sha256: sha256OfJson(described),
  });
  return {
    session,
    async end() {
      await processes.endAll();
      await store.close();
    },
    kill: processes.killNow,
  };
}

async function openLocal(options: Parameters<typeof localSandbox>[0]) {
  const { endAll, killNow, ...sandbox } = await localSandbox(options);
  return { sandbox, endAll, killNow };
}

async function openLog({ stateDir, ids, clock }: Host, workspace: string): Promise<SessionLog> {
  if (stateDir === null) {
    throw fail("unsafe_state_path", "there is no home folder for the state; set COLLET_STATE_DIR", { reason: "no_home" });
  }
  return createSessionLog({ stateDir, workspace, sessionId: ids.session(), ids, clock });
}

type Store = EventStore & { head(): string; close(): Promise<void> };

function logStore(log: SessionLog): Store {
  const spills = new Map<string, number>();
  return {
    sessionId: log.sessionId,
    append: (type, data) => log.append(type, data),
    ephemeral: (type, data) => log.ephemeral(type, data),
    sync: () => log.sync(),
    putBlob: (bytes, mimeType) => log.blobs.put(bytes, mimeType),
    spill(name) {
      // a call may run several commands; a spill is never reused
      const count = (spills.get(name) ?? 0) + 1;
      spills.set(name, count);
      const { sink, close } = createSpillFile(log.spillDir, count === 1 ? name : `${name}-${count}`);
      return { sink, close: () => close().path };
    },
    head: () => log.head(),
    close: () => log.close(),
  };
}

function transientStore({ ids, clock }: Host): Store {
  const log = transientLog({ sessionId: ids.session(), epoch: 1, ids, clock });
  return { ...log, spill: () => null };
}

function systemIds(clock: Clock): Ids {
  return {
    session() {
      const [day = "", time = ""] = new Date(clock.now()).toISOString().split("T");
      return `${day.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${randomBytes(4).toString("hex")}`;
    },
    event: () => randomUUID(),
  };
}
