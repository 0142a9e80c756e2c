import path from "node:path";
import { asFailure, fail } from "../base/fail.ts";
import { codingTools, type Tool } from "../node.ts";
import { withBrokenLog } from "./broken-log.ts";
import type { CommonFlags } from "./common-flags.ts";
import { createDeniedNotice } from "./denied-notice.ts";
import { envelopeLine, exitOf, failureOf } from "./envelope-line.ts";
import { exampleCall } from "./example-call.ts";
import { grantedTools, withGrants } from "./grants.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { openRuntime, sayPolicy } from "./open-runtime.ts";
import { readPipedText } from "./piped-text.ts";
import { placeOf } from "./place.ts";
import { withShellNotice } from "./spill-notice.ts";
import type { Terminal } from "./terminal.ts";
import { readUserFile } from "./user-file.ts";

export interface CallCommand {
  readonly terminal: Terminal;
  readonly flags: CommonFlags;
  /** False: nothing is written to the state folder. */
  readonly log: boolean;
  /** Programs that are granted, as after `--grant`. */
  readonly grants: readonly string[];
}

export interface OneCall extends CallCommand {
  readonly args: string | undefined;
  readonly argsFile: string | undefined;
  readonly dryRun: boolean;
}

/** Larger than any file that the tools write whole (64 MiB), escapes of JSON included. */
const MAX_ARGS_BYTES = 256 * 2 ** 20;

/** One call; its envelope goes to standard output. Returns the exit status. */
export async function callOnce(tool: string, { terminal, flags, log, grants, args, argsFile, dryRun }: OneCall): Promise<number> {
  const interrupts = listenForInterrupts(terminal);
  try {
    const place = placeOf(terminal, flags);
    const tools = withGrants(codingTools(), grantedTools(grants));
    const options = { terminal, flags, place, defaultMode: "auto", interrupts, hold: () => () => {}, more: { log, tools } } as const;
    // first: a rule that is none is told before anything is waited for
    const runtime = await openRuntime(options);
    const text =
      args ??
      (argsFile === undefined
        ? await fromStdin(tool, { terminal, tools, signal: interrupts.signal })
        : await fromFile(path.resolve(terminal.cwd(), argsFile), interrupts.signal));
    await sayPolicy(options);
    const result = await runtime.call(tool, text, { dryRun, signal: interrupts.signal });
    // closed before it is told, so that there is one answer: a log that breaks only now may have lost the result of a call that ran
    const broken = await runtime.close().then(
      () => null,
      (error: unknown) => asFailure(error),
    );
    const told = broken ? withBrokenLog(result, broken) : result;
    await terminal.out.write(envelopeLine(withShellNotice(told)));
    const notice = createDeniedNotice(options);
    notice.heard(failureOf(told));
    await notice.say();
    return interrupts.status() ?? exitOf(told);
  } finally {
    interrupts.stop();
  }
}

function fromFile(file: string, signal: AbortSignal): Promise<string> {
  return readUserFile(file, {
    maxBytes: MAX_ARGS_BYTES,
    signal,
    refuse: (why, reason) =>
      fail("invalid_args", `the file after --args-file cannot be used: ${why}`, { reason, flag: "--args-file", path: file }),
  });
}

interface StdinArgs {
  readonly terminal: Terminal;
  readonly tools: readonly Tool[];
  readonly signal: AbortSignal;
}

async function fromStdin(tool: string, { terminal, tools, signal }: StdinArgs): Promise<string> {
  const stdin = terminal.stdin();
  const text = stdin.isTTY ? "" : await readPipedText(stdin, { maxBytes: MAX_ARGS_BYTES, signal });
  if (text.trim() !== "") return text;
  const example = exampleCall(tool, { tools });
  const where = stdin.isTTY ? "" : ", and standard input is empty";
  throw fail("invalid_args", `the tool's arguments are missing${where}; they go in --args`, {
    reason: "no_arguments",
    next_actions: example === "collet tools" ? [example] : [example, `collet tools ${tool}`],
  });
}
