import { createCollector } from "../base/collector.ts";
import type { CommandRun, Sandbox, SandboxPort } from "../sandbox/port.ts";
import type { Redactor } from "../secrets/index.ts";
import { folderToRunIn } from "../tools/index.ts";
import type { Spill } from "./recorder.ts";

/** What the model sees of a command's output: head and tail. Verdicts stand at the end, so the tail is the larger part. */
const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 32 * 1024;
/** Where a tool gives no limit; its own call has one in any case. */
const MAX_TIMEOUT_MS = 600_000;
/** Output beyond this ends the command. */
const MAX_OUTPUT_BYTES = 4 * 1024 ** 3;

export interface RunCommandOptions {
  readonly cwd: string;
  /** Asked for each command. */
  readonly signal: () => AbortSignal;
  readonly redactor: Redactor;
  /** Makes a place for output that is cut. */
  readonly spill: () => Spill | null;
}

/** The `exec` of a call: output goes through the redactor and then the collector, so memory is flat and the spill is clean. */
export function createRunCommand(port: SandboxPort, options: RunCommandOptions): Sandbox["exec"] {
  const { signal, redactor } = options;
  const ungated = { stat: (path: string) => port.stat(path, { cwd: port.workspace, gate: () => {} }) };
  return async (request): Promise<CommandRun> => {
    const cwd = await folderToRunIn(ungated, request.cwd ?? options.cwd);
    const stream = redactor.bytes();
    const spill = options.spill();
    const collector = createCollector({ headBytes: HEAD_BYTES, tailBytes: TAIL_BYTES, spill: spill?.sink ?? null });
    try {
      const end = await port.exec({
        argv: request.argv,
        ...(request.file === undefined ? {} : { file: request.file }),
        ...(request.confine === undefined ? {} : { confine: request.confine }),
        cwd,
        env: request.env ?? {},
        timeoutMs: request.timeoutMs > 0 ? request.timeoutMs : MAX_TIMEOUT_MS,
        maxOutputBytes: MAX_OUTPUT_BYTES,
        signal: signal(),
        onOutput: (bytes) => collector.push(stream.push(bytes)),
      });
      collector.push(stream.end());
      const path = spill?.close() ?? null;
      const collected = collector.end({ spillPath: path });
      return {
        ...end,
        output: collected.text,
        output_bytes: collected.bytes,
        output_lines: collected.lines,
        spill: collected.cut ? path : null,
      };
    } finally {
      spill?.close();
    }
  };
}
