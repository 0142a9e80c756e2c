import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const BIN = fileURLToPath(new URL("../../bin/collet.js", import.meta.url));
if (!existsSync(fileURLToPath(new URL("../../dist/cli/cli.cjs", import.meta.url)))) throw new Error("dist is missing: npm run build");

/** Folders of one test: a workspace, a home, and a state folder that is yet to be made. */
export interface Place {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly state: string;
  readonly remove: () => void;
}

export function makePlace(files: Readonly<Record<string, string>> = {}): Place {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "collet-cli-")));
  const place = { root, workspace: path.join(root, "ws"), home: path.join(root, "home"), state: path.join(root, "state") };
  mkdirSync(place.home);
  mkdirSync(place.workspace);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(place.workspace, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { ...place, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export interface StartOptions {
  readonly place: Place;
  /** Default: the workspace. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What standard input holds; default: nothing, at its end. `open`: a pipe that nobody writes into or closes. */
  readonly stdin?: string | { readonly open: true };
}

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A started command: the process, and its end with all that it wrote. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Settles when standard output or error holds the text. */
  said(text: string): Promise<void>;
}

/** Nothing of the developer's own environment reaches the command but the PATH. */
export function environment({ home, state }: Place): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: home, COLLET_STATE_DIR: state };
}

export function start(args: readonly string[], { place, cwd, env, stdin = "" }: StartOptions): Started {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: cwd ?? place.workspace,
    env: { ...environment(place), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  let heard = () => {};
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    heard();
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
    heard();
  });
  // a command that reads nothing may be gone before its input is written
  child.stdin.on("error", () => {});
  if (typeof stdin === "string") child.stdin.end(stdin);
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
  return {
    child,
    ended,
    said: (text) =>
      new Promise((resolve, reject) => {
        heard = () => {
          if (stdout.includes(text) || stderr.includes(text)) resolve();
        };
        heard();
        void ended.then(() => reject(new Error(`it ended without saying ${JSON.stringify(text)}: ${stdout}${stderr}`)));
      }),
  };
}

export function collet(args: readonly string[], options: StartOptions): Promise<Ended> {
  return start(args, options).ended;
}

/** Lines of JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the command printed
export function jsonLines(text: string): any[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** No one has this number. */
const STRANGER = 54_321;

/**
 * Runs the command as a user without rights, from a copy, since the project itself may lie where only its owner gets to. Without root it
 * is the user that there is. `null`: not even the copy, or node, can be reached.
 */
export function colletAsStranger(args: readonly string[], env: Readonly<Record<string, string>>) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "collet-copy-")));
  try {
    for (const part of ["bin", "dist", "package.json"]) cpSync(path.join(BIN, "../..", part), path.join(root, part), { recursive: true });
    // whatever the umask was when the project was built
    spawnSync("chmod", ["-R", "a+rX", root]);
    const user = process.getuid?.() === 0 ? { uid: STRANGER, gid: STRANGER } : {};
    const who = { ...user, cwd: "/", env: { PATH: process.env.PATH ?? "", ...env }, encoding: "utf8" } as const;
    const run = (words: readonly string[]) => spawnSync(process.execPath, [path.join(root, "bin/collet.js"), ...words], who);
    return run(["--version"]).status === 0 ? run(args) : null;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
