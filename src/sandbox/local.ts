import type { Clock } from "../base/clock.ts";
import { createLocalExec } from "./local-exec.ts";
import { type LocalFilesOptions, localFiles } from "./local-files.ts";
import type { SandboxPort } from "./port.ts";

export interface LocalSandboxOptions extends LocalFilesOptions {
  /** The environment that the table of variables for commands is taken from. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** Files and processes of this machine. Kinds: not_found, read_failed (the workspace is no folder that can be read). */
export async function localSandbox(options: LocalSandboxOptions): Promise<SandboxPort> {
  const { hostEnv, clock } = options;
  const files = localFiles(options);
  return { kind: "local", processes: true, ...files, exec: createLocalExec({ hostEnv, workspace: files.workspace, clock }) };
}
