import { tmpdir } from "node:os";
import path from "node:path";
import { isFailure } from "../base/fail.ts";
import type { Kind } from "../base/kinds.ts";
import { showLine } from "../base/show.ts";
import { createFold, findSession, LOG_NAME, stateDirOf } from "../log/index.ts";
import { createRuntime, scripted } from "../node.ts";
import type { CommonFlags } from "./common-flags.ts";
import { demoFaults } from "./demo/check.ts";
import { type DemoFolder, makeDemoFolder } from "./demo/project.ts";
import { DEMO_PROMPT, DEMO_RULES, DEMO_STEPS } from "./demo/script.ts";
import { introText, outroText } from "./demo/texts.ts";
import { createEventSink, type EventSink } from "./event-sink.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { ownCommand } from "./own-command.ts";
import { homeOf } from "./place.ts";
import type { Terminal } from "./terminal.ts";
import { createLiveView } from "./view/live-view.ts";

export interface DemoCommand {
  readonly terminal: Terminal;
  readonly flags: CommonFlags;
}

const EXIT_STEP_DIFFERS = 1;
/** What says that the state folder cannot be used; then the demo's own takes its place. */
const NO_STATE: readonly Kind[] = ["session_start_failed", "unsafe_state_path", "log_write_failed"];

/** `collet demo`. Returns 0 when every step really happened as the script says, else 1. */
export async function runDemo({ terminal, flags }: DemoCommand): Promise<number> {
  const { out, err } = terminal;
  const interrupts = listenForInterrupts(terminal.process);
  const folder = makeDemoFolder(tmpdir());
  const isShown = !flags.json && !flags.quiet;
  if (isShown) await out.write(introText(folder, out.colors));

  const view = createLiveView({ output: out, workspace: folder.project, of: "all" });
  const fold = createFold();
  // where no process can be started, such as without bash, nothing that follows would tell more
  const hopeless = new AbortController();
  const sink = createEventSink([
    async (event) => {
      fold.push(event);
      if (event.type === "tool_result" && event.data.error?.kind === "command_failed") hopeless.abort(event.data.error.message);
    },
    ...(flags.json ? [async (event: object) => out.write(`${JSON.stringify(event)}\n`)] : []),
    ...(isShown ? [view.event] : []),
  ]);
  const { session, runtime, stateDir } = await openSession({ terminal, flags, folder, sink });
  interrupts.killing(() => runtime.kill());
  try {
    await session.run(DEMO_PROMPT, { signal: AbortSignal.any([interrupts.signal, hopeless.signal]) }).result;
    await sink.idle();
  } finally {
    await runtime.close();
    interrupts.stop();
  }
  const interrupted = interrupts.status();
  if (interrupted !== null) return interrupted;
  const faults = hopeless.signal.aborted ? [String(hopeless.signal.reason)] : demoFaults(fold.view(), folder);
  for (const fault of faults) await err.write(`${err.colors.red("collet:")} the demo went wrong: ${fault}\n`);
  if (faults.length > 0) return EXIT_STEP_DIFFERS;
  if (isShown) {
    const { dir } = await findSession(stateDir, session.id);
    const isDefault = flags.stateDir === undefined && stateDir !== folder.state;
    const outro = { folder, log: path.join(dir, LOG_NAME), command: ownCommand(terminal), stateDir: isDefault ? null : stateDir };
    await out.write(outroText(outro, out.colors));
  }
  return 0;
}

interface Opening extends DemoCommand {
  readonly folder: DemoFolder;
  readonly sink: EventSink;
}

async function openSession(opening: Opening) {
  const { terminal, flags, folder } = opening;
  if (flags.stateDir !== undefined) return openIn(path.resolve(terminal.cwd(), flags.stateDir), opening);
  try {
    return await openIn(stateDirOf(terminal.env, homeOf() ?? ""), opening);
  } catch (error) {
    if (!isFailure(error) || !NO_STATE.includes(error.kind)) throw error;
    if (!flags.quiet) {
      await terminal.err.write(
        `The state folder cannot be used (${showLine(error.message)}); the session is kept in ${showLine(folder.state)}\n`,
      );
    }
    return openIn(folder.state, opening);
  }
}

async function openIn(stateDir: string, { terminal, folder, sink }: Opening) {
  const runtime = await createRuntime({
    workspace: folder.project,
    stateDir,
    env: terminal.env,
    rulesFrom: "flag",
    permissions: { mode: "ask", asker: null, allow: DEMO_RULES.map(({ rule }) => rule) },
    model: scripted(DEMO_STEPS.map(({ text, calls }) => ({ text, calls: calls.map(({ name, args }) => ({ name, args })) }))),
    onEvent: sink.take,
  });
  try {
    return { runtime, session: await runtime.session(), stateDir };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}
