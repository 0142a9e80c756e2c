import { spawn } from "node:child_process";
import { closeSync, constants, fstatSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EditedText } from "./edit-args.ts";

export interface EditorOptions {
  /** As `VISUAL` and `EDITOR` say it: words for a shell. */
  readonly command: string;
  /** The user's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What an editor leaves behind may be so long. */
const MAX_BYTES = 1024 * 1024;
/** How long an editor has to end when it is stopped. */
const GRACE_MS = 2_000;

/** `$VISUAL`, else `$EDITOR`, as programs of a terminal do; `null` when neither is set. */
export function editorOf(env: EditorOptions["env"]): EditorOptions | null {
  const command = env.VISUAL?.trim() || env.EDITOR?.trim();
  return command ? { command, env } : null;
}

/**
 * Has text edited on the terminal, in a file that only the user can read (0600), in a folder of its own that is gone afterwards. Ends the
 * editor when `signal` aborts. Does not throw: what went wrong is told in words.
 */
export async function runEditor(text: string, { command, env }: EditorOptions, signal: AbortSignal): Promise<EditedText> {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(tmpdir(), "collet-args-"));
    const path = join(folder, "arguments.json");
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
    const status = await run(command, path, { env, signal });
    if (status !== 0) return { ok: false, problem: `The editor (${command}) ended with ${status}: nothing is changed.` };
    return readBack(path);
  } catch (error) {
    return { ok: false, problem: `The editor (${command}) cannot be used: ${error instanceof Error ? error.message : "it failed"}` };
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

/** Its exit status, or the name of the signal that ended it. */
function run(command: string, path: string, { env, signal }: { env: EditorOptions["env"]; signal: AbortSignal }): Promise<number | string> {
  // the shell gives way to the editor, so that what is ended is the editor; words that set variables come before no `exec`
  const isPlain = /^[^\s=]+(?:\s|$)/.test(command);
  const script = `${isPlain ? "exec " : ""}${command} "$1"`;
  const terminal = openSync("/dev/tty", constants.O_RDWR | constants.O_NOCTTY);
  return new Promise<number | string>((resolve, reject) => {
    const child = spawn("sh", ["-c", script, "sh", path], { stdio: [terminal, terminal, terminal], env: { ...env } });
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      child.kill("SIGTERM");
      timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
    child.on("error", (error) => {
      done();
      reject(error);
    });
    child.on("exit", (code, name) => {
      done();
      resolve(code ?? name ?? "no status");
    });
  }).finally(() => closeSync(terminal));
}

/** The file as the editor left it, which may be another one of that name. */
function readBack(path: string): EditedText {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return { ok: false, problem: "The editor left no regular file: nothing is changed." };
    if (stat.size > MAX_BYTES) return { ok: false, problem: "The editor left more than 1 MiB: nothing is changed." };
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file)) };
  } finally {
    closeSync(file);
  }
}
