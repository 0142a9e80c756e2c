import type { Clock } from "../base/clock.ts";
import { commandGround } from "./command-ground.ts";
import { createLocalExec, type LocalExec } from "./local-exec.ts";
import { type LocalFilesOptions, localFiles } from "./local-files.ts";
import type { SandboxPort } from "./port.ts";

export interface LocalSandboxOptions extends LocalFilesOptions {
  /** The environment that the table of variables for commands is taken from. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

export interface LocalSandbox extends SandboxPort, Omit<LocalExec, "exec"> {}

/** Files and processes of this machine. Kinds: not_found, read_failed (the workspace is no folder that can be read). */
export async function localSandbox(options: LocalSandboxOptions): Promise<LocalSandbox> {
  const { hostEnv, clock } = options;
  const files = localFiles(options);
  const { workspace, resolve } = files;
  return {
    kind: "local",
    processes: true,
    ...files,
    ...createLocalExec({ hostEnv, workspace, clock }),
    ground: commandGround({ hostEnv, workspace, clock, resolve }),
  };
}
