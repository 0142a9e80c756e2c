import { readFileSync } from "node:fs";
import { type Clock, systemClock } from "../base/clock.ts";
import type { LocalExec } from "./local-exec.ts";
import type { ExecEnd, ExecRequest } from "./port.ts";

/** For tests only: runs a command with plain defaults and keeps its output, a character a byte. */
export function runForTest(local: LocalExec, defaults: Pick<ExecRequest, "cwd">) {
  async function run(argv: readonly [string, ...string[]], more: Partial<ExecRequest> = {}): Promise<ExecEnd & { output: string }> {
    const parts: string[] = [];
    const end = await local.exec({
      argv,
      env: {},
      timeoutMs: 300_000,
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

/** A time limit that a test lets run out by hand. */
export const HELD_MS = 123_456;

/** For tests only: the system's clock, on which timers of `HELD_MS` come due when they are told to, however slow the machine. */
export function heldClock(): Clock & { release(): void } {
  const held = new Set<() => void>();
  let isReleased = false;
  return {
    ...systemClock,
    timer(ms, callback) {
      if (ms !== HELD_MS) return systemClock.timer(ms, callback);
      if (isReleased) return systemClock.timer(0, callback);
      held.add(callback);
      return () => held.delete(callback);
    },
    release() {
      isReleased = true;
      for (const callback of held) callback();
    },
  };
}

/** For tests only: a process that was ended may still wait to be collected by its parent; it is not alive. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
