/**
 * How a test reaches a kind: a function that drives `collet …` or `createRuntime` and gives back the kind that it read from an envelope, an
 * event or the last line on standard error.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { isFailure, type JsonObject } from "../../src/index.ts";
import { createRuntime, type RuntimeOptions, scripted } from "../../src/node.ts";
import { createModelServer, type ModelServerStep } from "../../src/testing/index.ts";

const bin = fileURLToPath(new URL("../../bin/collet.js", import.meta.url));

export interface Place {
  readonly root: string;
  readonly workspace: string;
  readonly stateDir: string;
  readonly env: Record<string, string>;
}

export function placeWith(files: Readonly<Record<string, string>> = {}): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "collet-kinds-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, "ws");
  mkdirSync(workspace);
  mkdirSync(join(root, "home"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  const stateDir = join(root, "state");
  return { root, workspace, stateDir, env: { PATH: process.env.PATH ?? "", HOME: join(root, "home"), COLLET_STATE_DIR: stateDir } };
}

type Options = Partial<RuntimeOptions>;

/** The kind of one call through `createRuntime`. */
export async function ofCall(
  tool: string,
  args: JsonObject | string,
  { place = placeWith(), ...options }: Options & { place?: Place } = {},
): Promise<string | undefined> {
  const runtime = await createRuntime({
    workspace: place.workspace,
    stateDir: place.stateDir,
    env: place.env,
    permissions: { mode: "auto" },
    ...options,
  });
  onTestFinished(() => runtime.close());
  const envelope = await runtime.call(tool, args);
  return envelope.ok ? undefined : envelope.error?.kind;
}

/** The kind on which a turn ends. */
export async function ofTurn(options: Options & { place?: Place }, signal?: AbortSignal, prompt = "Do it."): Promise<string | undefined> {
  const { place = placeWith(), ...rest } = options;
  const runtime = await createRuntime({
    workspace: place.workspace,
    stateDir: place.stateDir,
    env: place.env,
    permissions: { mode: "auto" },
    ...rest,
  });
  onTestFinished(() => runtime.close());
  const session = await runtime.session();
  return (await session.run(prompt, signal ? { signal } : {}).result).error?.kind;
}

/** The kind on which the events of a turn end for one who reads them only when it is over. */
export async function ofLateReader(options: Options): Promise<string | undefined> {
  const place = placeWith();
  const { workspace, stateDir, env } = place;
  const runtime = await createRuntime({ workspace, stateDir, env, permissions: { mode: "auto" }, ...options });
  onTestFinished(() => runtime.close());
  const run = (await runtime.session()).run("Do it.");
  await run.result;
  try {
    for await (const event of run) void event;
  } catch (error) {
    if (isFailure(error)) return error.kind;
    throw error;
  }
  return undefined;
}

/** The kind on which a turn with one answer of the scripted server ends. Retries wait for no time. */
export async function ofAnswer(steps: readonly ModelServerStep[], options: Options = {}): Promise<string | undefined> {
  const server = await createModelServer({ steps });
  onTestFinished(() => server.close());
  return ofTurn({ model: "openai-compatible/m", baseUrl: server.baseUrl, ...options });
}

/** The kind that the command line tells: in its envelope, its events or its words on standard error. */
export async function ofCommand(
  args: readonly string[],
  options: { place?: Place; stdin?: string; shell?: string; env?: Record<string, string> } = {},
): Promise<string | undefined> {
  const { place = placeWith(), stdin = "", shell, env = {} } = options;
  const [program, words] = shell ? ["bash", ["-c", shell, "bash", process.execPath, bin, ...args]] : [process.execPath, [bin, ...args]];
  const child = spawn(program, words, { cwd: place.workspace, env: { ...place.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  child.stderr.on("data", (chunk) => (said += chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  await new Promise((resolve) => child.on("close", resolve));
  return /"kind":"(\w+)"/.exec(said)?.[1] ?? /\(([a-z_]+)\)$/m.exec(said)?.[1];
}

export { scripted };
