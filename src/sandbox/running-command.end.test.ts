import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { findIn } from "./command-path.ts";
import { createFifos, type Fifos } from "./fifo.ts";
import type { ExecRequest } from "./port.ts";
import type { ProcessTree } from "./process-tree.ts";
import { runningCommand } from "./running-command.ts";
import { startProcess } from "./start-process.ts";

let folder: string;
let fifos: Fifos;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "collet-last-")));
  fifos = createFifos({ mkfifo: () => findIn([], "mkfifo"), tmp: folder, hasProc: true });
});
afterAll(() => {
  fifos.close();
  rmSync(folder, { recursive: true });
});

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
};

/** Done, and no more there: until then it holds the pipe. */
function isGone(at: string): boolean {
  if (!existsSync(join(at, "gone"))) return false;
  const pid = readFileSync(join(at, "pid"), "utf8").trim();
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/**
 * A command whose child writes at the worst moment: after the last look at the pipe, before the look at the processes. `SAY` is what the
 * child runs when `GO` is there; it leaves `GONE` when it is done.
 */
async function run({ say, pipe, stop, ...more }: { say: string; pipe: boolean; stop?: true } & Partial<ExecRequest>) {
  const at = mkdtempSync(join(folder, "run-"));
  const script = `(until [ -e ${at}/go ]; do sleep 0.01; done; ${say}; echo $BASHPID > ${at}/pid; touch ${at}/gone) & echo early; ${stop ? "wait" : ""}`;
  const fifo = pipe ? ((await fifos.take()) ?? expect.unreachable()) : null;
  const parts: string[] = [];
  const request: ExecRequest = {
    argv: ["bash", "-c", script],
    cwd: folder,
    env: {},
    timeoutMs: 60_000,
    maxOutputBytes: 1e9,
    signal: new AbortController().signal,
    onOutput: (bytes) => void parts.push(Buffer.from(bytes).toString()),
    ...more,
  };
  const started = await startProcess({
    argv: request.argv,
    file: "/bin/bash",
    cwd: folder,
    env: { PATH: "/usr/bin:/bin" },
    fifo,
    inherited: [],
  });
  const tree: ProcessTree = {
    async end() {
      writeFileSync(join(at, "go"), "");
      // without a turn of our own event loop what the child writes stays in the pipe, as on a machine that is busy with others
      for (const deadline = Date.now() + 20_000; !isGone(at) && Date.now() < deadline; ) sleep(5);
      if (stop) await started.exited;
      return 0;
    },
    watch: () => () => {},
    killNow() {},
  };
  const command = runningCommand(started, { request, tree, clock: systemClock });
  if (stop) {
    await until(() => parts.length > 0);
    command.stop("timeout");
  }
  const end = await command.ended;
  fifo?.discard();
  return { ...end, output: parts.join("") };
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe.each([
  ["one pipe", true],
  ["two sockets", false],
])("output over %s", (_, pipe) => {
  test("is whole though its writer came after the last look and is gone", async () => {
    const end = await run({ say: "echo late; echo more >&2", pipe });
    expect(end).toMatchObject({ ended_by: "exit", exit_code: 0, left_running_ended: 0, isPipeEmpty: true });
    expect(end.output.split("\n").sort()).toEqual(["", "early", "late", "more"]);
  });

  test("is whole also when the command was stopped, and when it fills the pipe", async () => {
    const end = await run({ say: "printf '%60000s'", pipe, stop: true });
    expect(end).toMatchObject({ ended_by: "timeout", isPipeEmpty: true });
    expect(end.output).toBe(`early\n${" ".repeat(60_000)}`);
  });

  test("is waited for while somebody is at work on it", async () => {
    const taken: string[] = [];
    const onOutput = async (bytes: Uint8Array) => {
      const text = Buffer.from(bytes).toString();
      await new Promise((resolve) => setTimeout(resolve, 30));
      taken.push(text);
    };
    await run({ say: "printf '%40000s'; printf '%20000s'", pipe, onOutput });
    expect(taken.join("")).toBe(`early\n${" ".repeat(60_000)}`);
  });

  test("ends when the pipe is empty, though somebody unknown holds it, and when he floods it", async () => {
    const held = await run({ say: "echo late; sleep 30 & echo $! > held", pipe });
    expect(held).toMatchObject({ output: "early\nlate\n", isPipeEmpty: false });
    let bytes = 0;
    const flooded = await run({
      say: "yes & echo $! > flood; sleep 0.2",
      pipe,
      onOutput(part) {
        bytes += part.length;
      },
    });
    expect(flooded).toMatchObject({ ended_by: "exit", isPipeEmpty: false });
    expect(bytes).toBeLessThan(64 * 2 ** 20);
    for (const name of ["held", "flood"]) process.kill(Number(readFileSync(join(folder, name), "utf8")), "SIGKILL");
  });
});
