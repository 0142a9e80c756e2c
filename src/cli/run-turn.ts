import { fstatSync } from "node:fs";
import { type ErrorBody, fail, isFailure } from "../base/fail.ts";
import { showLine, showText } from "../base/show.ts";
import { codingTools, readOnlyTools } from "../node.ts";
import { closeAfter } from "./close-after.ts";
import type { CommonFlags } from "./common-flags.ts";
import { createDeniedNotice } from "./denied-notice.ts";
import { grantedTools, withGrants } from "./grants.ts";
import { gatherEvents, handOn, isDone, type Receiver } from "./hand-on.ts";
import { type Interrupts, listenForInterrupts, statusOf } from "./interrupts.ts";
import { openRuntime, sayPolicy } from "./open-runtime.ts";
import { NOBODY_READS, type Output } from "./output.ts";
import { ownCommand } from "./own-command.ts";
import { readPipedText } from "./piped-text.ts";
import { placeOf } from "./place.ts";
import { placeFlags } from "./place-flags.ts";
import { promptOf } from "./prompt.ts";
import { reportFailure } from "./report-failure.ts";
import type { Terminal } from "./terminal.ts";
import { tokensText } from "./view/bytes-text.ts";
import { createLiveView, type LiveView } from "./view/live-view.ts";

export interface RunFlags {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
  readonly maxIterations?: number;
  readonly plan?: boolean;
  readonly grant?: readonly string[];
}

/** More text than any model's context holds. */
const MAX_PIPED_BYTES = 16 * 2 ** 20;

/** `collet run`: one turn, from the words to the answer on standard output. Returns the exit status. */
export async function runTurn(words: readonly string[], { terminal, flags, run }: RunCommand): Promise<number> {
  const interrupts = listenForInterrupts(terminal);
  try {
    return await turn(words, { terminal, flags, run, interrupts });
  } finally {
    interrupts.stop();
  }
}

export interface RunCommand {
  readonly terminal: Terminal;
  readonly flags: CommonFlags;
  readonly run: RunFlags;
}

async function turn(words: readonly string[], command: RunCommand & { readonly interrupts: Interrupts }): Promise<number> {
  const { terminal, flags, run, interrupts } = command;
  const { out, err } = terminal;
  const place = placeOf(terminal, flags);
  const view = createLiveView({ output: err, place, omit: ["prompt", "answer"], interrupted: () => interrupts.status() !== null });
  // events are the whole of the output where a program reads them; where all is quiet nobody reads a view
  const receivers: Receiver[] = flags.json
    ? [async (event: object) => out.write(`${JSON.stringify(event)}\n`)]
    : flags.quiet
      ? []
      : [view.event];
  const early = gatherEvents();
  const tools = withGrants(run.plan ? readOnlyTools() : codingTools(), grantedTools(run.grant ?? []));
  const more = {
    tools,
    ...(run.plan ? { plan: true as const } : {}),
    baseUrl: run.baseUrl,
    apiKeyEnv: run.apiKeyEnv,
    maxIterations: run.maxIterations,
    model: run.model ?? (terminal.env.COLLET_MODEL || undefined),
    onEvent: early.take,
    onNotice: (text: string) => void (flags.quiet || err.write(`${err.colors.dim(showLine(text))}\n`)),
  };
  const speaks = err.isTerminal && !flags.quiet;
  const options = { terminal, flags, place, defaultMode: "ask", interrupts, hold: view.hold, more } as const;
  const notice = createDeniedNotice(options);
  if (!flags.quiet) receivers.push(async (event) => void (event.type === "tool_result" && notice.heard(event.data.error)));
  // before the prompt: a rule that took it for itself is what has to be told
  const runtime = await openRuntime(options);
  if (run.plan && !flags.quiet) await err.write(err.colors.yellow("Plan mode: nothing is changed; the answer is a plan.\n"));
  const prompt = await promptFrom(words, terminal, interrupts.signal);
  noteUnread(words, command);
  await sayPolicy(options);
  return closeAfter(runtime, async () => {
    const session = await runtime.session();
    if (speaks) sayInterrupts({ view, interrupts, err });
    const nobodyReads = readersGone(command);
    const signal = nobodyReads ? AbortSignal.any([interrupts.signal, nobodyReads]) : interrupts.signal;
    const before = early.end();
    const running = session.run(prompt, { signal });
    const handed = handOn(running, { before, receivers });
    const result = await running.result;
    if (!(await isDone(handed, interrupts.signal))) for (const output of [out, err]) output.leave();
    await view.end();
    await notice.say();
    if (result.status === "done" && !flags.json) {
      if (!flags.quiet && ((out.isTerminal && err.isTerminal) || isOneFile())) await err.write("\n");
      await out.write(answer(result.text, terminal));
    }
    const tokens = tokensText(result.usage);
    if (speaks && !flags.json && tokens !== "") await err.write(`${err.colors.dim(tokens)}\n`);
    if (speaks && interrupts.status() !== null) view.note(`interrupted; the log has it: ${showCommand(session.id, command)}`);
    if (interrupts.status() === null && nobodyReads?.aborted) return endOfReaders(nobodyReads, command);
    return interrupts.status() ?? (result.error ? await tell(result.error, command) : 0);
  });
}

/**
 * What tells that nobody reads any more, so that nothing goes on unseen: events are all that a program gets; a person has both streams in
 * one pipe, as in `2>&1 | less`. Else the answer may still be wanted.
 */
function readersGone({ terminal: { out, err }, flags }: RunCommand): AbortSignal | null {
  if (flags.json) return out.gone;
  return isOneFile() ? err.gone : null;
}

/** What could not be written is a failure, and told; a reader that left is none. */
function endOfReaders({ reason }: AbortSignal, { terminal: { err } }: RunCommand): number {
  if (isFailure(reason)) throw reason;
  return err.isTerminal ? statusOf("SIGHUP") : NOBODY_READS;
}

/** True when standard output and standard error are the same pipe, file or terminal. */
function isOneFile(): boolean {
  const [first, second] = [fstatSync(1), fstatSync(2)];
  return first.dev === second.dev && first.ino === second.ino;
}

function sayInterrupts({ view, interrupts, err }: { view: LiveView; interrupts: Interrupts; err: Output }): void {
  const stopping = () => view.note("stopping … (Ctrl-C again kills)");
  if (interrupts.signal.aborted) stopping();
  else interrupts.signal.addEventListener("abort", stopping, { once: true });
  interrupts.killing(() => void err.write("\n"));
}

function showCommand(id: string, { terminal, flags }: RunCommand): string {
  return showLine(`${ownCommand(terminal)} sessions show ${id}${placeFlags(flags)}`);
}

/**
 * Says that text on standard input is not read when the words have no `-` for it. Only where it is sure to be meant: a file that holds
 * something, or a pipe that was made at a terminal. Whether a pipe holds something cannot be told without reading it.
 */
function noteUnread(words: readonly string[], { terminal: { err }, flags }: RunCommand): void {
  if (flags.quiet || words.length === 0 || words.includes("-")) return;
  const text = "standard input is not read; a - among the words stands for its text\n";
  if (isGiven(err)) void err.write(err.colors.dim(text));
}

function isGiven(err: Output): boolean {
  try {
    const stdin = fstatSync(0);
    return (stdin.isFile() && stdin.size > 0) || (stdin.isFIFO() && (err.isTerminal || stdin.size > 0));
  } catch {
    // closed
    return false;
  }
}

function promptFrom(words: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<string> {
  return promptOf({
    words,
    stdinIsTerminal: words.includes("-") || words.length === 0 ? terminal.stdin().isTTY === true : false,
    piped: () => readPipedText(terminal.stdin(), { maxBytes: MAX_PIPED_BYTES, signal }),
  });
}

/** As it is for a pipe or file; made safe for a screen. */
function answer(text: string, { out }: Terminal): string {
  const whole = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return out.isTerminal ? showText(whole) : whole;
}

function tell({ kind, message, details }: ErrorBody, { terminal, flags }: RunCommand): Promise<number> {
  return reportFailure(fail(kind, message, details), {
    output: terminal.err,
    form: flags.json ? "json" : "text",
    command: ownCommand(terminal),
  });
}
