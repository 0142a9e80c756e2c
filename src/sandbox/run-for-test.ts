import { readFileSync } from "node:fs";
import type { LocalExec } from "./local-exec.ts";
import type { ExecEnd, ExecRequest } from "./port.ts";

/** For tests only: runs a command with plain defaults and keeps its output, a character a byte. */
export function runForTest(local: LocalExec, defaults: Pick<ExecRequest, "cwd">) {
  async function run(argv: readonly [string, ...string[]], more: Partial<ExecRequest> = {}): Promise<ExecEnd & { output: string }> {
    const parts: string[] = [];
    const end = await local.exec({
      argv,
      env: {},
      timeoutMs: 20_000,
      maxOutputBytes: 1_000_000_000,
      signal: new AbortController().signal,
      onOutput: (bytes) => void parts.push(Buffer.from(bytes).toString("latin1")),
      ...defaults,
      ...more,
    });
    return { ...end, output: parts.join("") };
  }
  return { run, bash: (command: string, more?: Partial<ExecRequest>) => run(["bash", "--noprofile", "--norc", "-c", command], more) };
}

/** For tests only: a process that was ended may still wait to be collected by its parent; it is not alive. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
