/** One way to reach each kind through a door. Kinds that are missing here stand on the list in kinds.test.ts, which may only shrink. */
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { defineTool, type Kind, type Model, secret } from "../../src/index.ts";
import { memorySandbox } from "../../src/testing/index.ts";
import { ofAnswer, ofCall, ofCommand, ofLateReader, ofTurn, type Place, placeWith, scripted } from "./doors.ts";

/** Reasons in lists within lists, deeper than is recorded. */
const deepThinker: Model = {
  name: "test/deep",
  async *stream() {
    yield { type: "reasoning", item: JSON.parse("[".repeat(3000) + "]".repeat(3000)) };
    yield { type: "finish", reason: "stop" };
  },
};

/** More pieces than are kept for a reader that does not come. */
const babbler: Model = {
  name: "test/babbler",
  async *stream() {
    for (let i = 0; i < 3000; i++) yield { type: "text_delta", text: "x" };
    yield { type: "finish", reason: "stop" };
  },
};

type Reach = () => Promise<string | undefined>;

const status = (code: number, more: { error?: string; message?: string; times?: number } = {}) => [
  { text: "x", fault: { kind: "status" as const, status: code, times: 9, ...more } },
];
const one = (text: string) => ({ "a.txt": text });
const edit = (old_string: string, new_string: string) => ({ path: "a.txt", old_string, new_string });

export const REACHED: Partial<Record<Kind, Reach>> = {
  invalid_args: () => ofCommand(["call", "read", "--args", '{"path":7}']),
  unknown_tool: () => ofCommand(["call", "raed", "--args", "{}"]),
  outside_workspace: () => ofCommand(["call", "read", "--args", '{"path":"../x"}']),
  protected_path: () => ofCommand(["call", "write", "--args", '{"path":".git/hooks/pre-push","content":""}']),
  not_found: () => ofCommand(["call", "read", "--args", '{"path":"none"}']),
  no_match: () => ofCall("edit", edit("z", "y"), { place: placeWith(one("x")) }),
  not_unique: () => ofCall("edit", edit("x", "y"), { place: placeWith(one("x x")) }),
  no_change: () => ofCall("edit", edit("x", "x"), { place: placeWith(one("x")) }),
  read_failed: () => ofCall("read", { path: "." }),
  // a disk that takes no more: files may have 4 KiB
  write_failed: () =>
    ofCommand(["call", "write", "--no-log", "--args", JSON.stringify({ path: "a", content: "x".repeat(9000) })], {
      shell: 'ulimit -f 4; exec "$@"',
    }),
  command_failed: () => ofCall("starter", {}, { tools: [starting("no-such-program")] }),
  timeout: () => ofCommand(["call", "bash", "--args", '{"command":"sleep 9","timeout":0.1}']),
  permission_denied: () => ofCommand(["call", "bash", "--read-only", "--args", '{"command":"touch x"}']),
  write_policy_denied: () => ofCall("write", { path: "a.txt", content: "" }, { writePolicy: { version: 1, allow_writes: ["src/**"] } }),
  bash_disabled: () => ofCall("bash", { command: "true" }, { sandbox: memorySandbox() }),
  async changed_since_plan() {
    const place = placeWith(one("x"));
    let now = "x";
    const asker = async () => {
      now = `-${now}`;
      writeFileSync(join(place.workspace, "a.txt"), now);
      return { answer: "allow" } as const;
    };
    return ofCall("edit", edit("x", "y"), { place, permissions: { mode: "ask", asker } });
  },
  tool_failed: () => ofCall("broken", {}, { tools: [throwing(() => new Error("broken"))] }),
  cancelled: () => ofTurn({ model: scripted([{ text: "x" }]) }, AbortSignal.abort()),
  iteration_cap: () => ofTurn({ model: scripted([{ calls: [{ name: "read", args: { path: "a" } }] }]), maxIterations: 1 }),
  backpressure: () => ofLateReader({ model: babbler }),
  budget_exceeded: () => ofAnswer([{ text: "a long answer that is cut", fault: { kind: "truncated" } }]),
  tool_result_record_failed: () =>
    // the log may have 4 KiB: the result of the call is what does not fit
    ofCommand(["call", "bash", "--args", '{"command":"head -c 7000 /dev/zero | tr \\"\\\\0\\" x"}'], { shell: 'ulimit -f 4; exec "$@"' }),
  async session_record_unavailable() {
    const { createRuntime } = await import("../../src/node.ts");
    const place = placeWith();
    const runtime = await createRuntime({
      workspace: place.workspace,
      stateDir: place.stateDir,
      env: place.env,
      permissions: { mode: "auto" },
    });
    await runtime.close();
    const envelope = await runtime.call("read", { path: "a" });
    return envelope.ok ? undefined : envelope.error?.kind;
  },
  session_start_failed: () => ofCall("read", { path: "a" }, { stateDir: "/proc/self/collet-state" }),
  async unsafe_state_path() {
    const place = placeWith();
    mkdirSync(join(place.root, "elsewhere"));
    mkdirSync(place.stateDir, { mode: 0o700 });
    symlinkSync(join(place.root, "elsewhere"), join(place.stateDir, "workspaces"));
    return ofCall("read", { path: "a" }, { place });
  },
  corrupt_log_line: () => shown("first line\n{}\n"),
  ephemeral_not_loggable: async () => {
    const place = placeWith(one("x"));
    const event = {
      v: 1,
      seq: 0,
      epoch: 1,
      id: "e",
      session_id: "s",
      ts: "2026-01-01T00:00:00.000Z",
      type: "text_delta",
      data: { text: "x" },
    };
    return shown(`${JSON.stringify(event)}\n`, place);
  },
  log_read_failed: async () => shown(null),
  log_encode_failed: () => ofTurn({ model: deepThinker }),
  log_write_failed: () =>
    ofCommand(["call", "read", "--args", JSON.stringify({ path: "x".repeat(3000) })], { shell: 'ulimit -f 2; exec "$@"' }),
  async resource_missing() {
    const place = placeWith();
    await ofCommand(["call", "bash", "--args", '{"command":"seq 1 3000"}'], { place });
    rmSync(join(sessionFolder(place), "blobs"), { recursive: true });
    return ofCommand(["sessions", "show", "last"], { place });
  },
  provider_http_error: () => ofAnswer(status(501)),
  model_not_supported: () => ofCommand(["run", "--model", "nobody/x", "hi"]),
  usage_limit_reached: () => ofAnswer(status(429, { error: "insufficient_quota", message: "You exceeded your current quota" })),
  rate_limited: () => ofAnswer(status(429)),
  stream_idle_timeout: () => ofAnswer([{ text: "a text that stops", fault: { kind: "stall" } }], { idleTimeoutMs: 200 }),
  provider_refusal: () => ofAnswer([{ text: "I cannot.", fault: { kind: "refusal" } }]),
  context_overflow: () => ofAnswer(status(400, { error: "context_length_exceeded", message: "maximum context length" })),
  network: () => ofAnswer([{ text: "a text that is cut", fault: { kind: "eof" } }]),
  invalid_response: () => ofAnswer([{ text: "a text with a broken frame", fault: { kind: "badsse", times: 9 } }]),
  not_authenticated: () => ofCommand(["run", "hi"]),
  insecure_auth_transport: () =>
    ofCommand(["run", "--model", "openai/x", "--base-url", "http://192.0.2.1/v1", "hi"], { env: { OPENAI_API_KEY: "sk-0123456789" } }),
  no_prompt: () => ofCommand(["run", "--model", "anthropic/x"]),
  stdin_error: () => ofCommand(["run", "--model", "anthropic/x", "-"], { shell: 'exec "$@" < /' }),
  invalid_config: () => ofCall("broken", {}, { tools: [throwing(() => "", [secret("NOT_SET_ANYWHERE")])] }),
  internal() {
    // an adapter that breaks its contract when the before-image is taken: no tool is called there, so it is a fault in Collet
    const memory = memorySandbox({ "a.txt": "x" });
    let reads = 0;
    const read: typeof memory.read = (path, access) =>
      reads++ === 0 ? memory.read(path, access) : Promise.reject(new RangeError("broken"));
    return ofCall("write", { path: "/a.txt", content: "y" }, { sandbox: { ...memory, read } });
  },
};

function starting(program: string) {
  return defineTool({
    name: "starter",
    description: "",
    parameters: z.strictObject({}),
    execute: (_args, { sandbox }) => sandbox.exec({ argv: [program], timeoutMs: 1000 }),
  });
}

function throwing(make: () => unknown, secrets: readonly ReturnType<typeof secret>[] = []) {
  return defineTool({
    name: "broken",
    description: "",
    parameters: z.strictObject({}),
    effects: [],
    secrets,
    execute() {
      throw make();
    },
  });
}

/** What `sessions show` says of a session whose log is replaced by this text; `null`: by a folder. */
async function shown(log: string | null, place: Place = placeWith()): Promise<string | undefined> {
  await ofCommand(["call", "read", "--args", '{"path":"none"}'], { place });
  const folder = sessionFolder(place);
  rmSync(join(folder, "log.ndjson"));
  if (log === null) mkdirSync(join(folder, "log.ndjson"));
  else writeFileSync(join(folder, "log.ndjson"), log);
  return ofCommand(["sessions", "show", folder.split("/").at(-1) ?? "", "--json"], { place });
}

function sessionFolder({ stateDir }: Place): string {
  const workspaces = join(stateDir, "workspaces");
  const sessions = join(workspaces, readdirSync(workspaces)[0] ?? "", "sessions");
  return join(sessions, readdirSync(sessions)[0] ?? "");
}
