import { tmpdir } from "node:os";
import path from "node:path";
import { isFailure } from "../base/fail.ts";
import type { Kind } from "../base/kinds.ts";
import { showLine } from "../base/show.ts";
import { createFold, LOG_NAME, type SessionView, stateDirOf } from "../log/index.ts";
import { createRuntime, scripted } from "../node.ts";
import type { CommonFlags } from "./common-flags.ts";
import { demoFaults } from "./demo/check.ts";
import { type DemoFolder, makeDemoFolder } from "./demo/project.ts";
import { DEMO_PROMPT, DEMO_RULES, DEMO_STEPS } from "./demo/script.ts";
import { interruptedText, introText, outroText } from "./demo/texts.ts";
import { gatherEvents, handOn, isDone, type Receiver } from "./hand-on.ts";
import { type Interrupts, listenForInterrupts } from "./interrupts.ts";
import { sessionDirOf } from "./live-blobs.ts";
import { ownCommand } from "./own-command.ts";
import { homeOf } from "./place.ts";
import type { Terminal } from "./terminal.ts";
import { createLiveView } from "./view/live-view.ts";
import { wrapWords } from "./view/wrap-words.ts";

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
  const interrupts = listenForInterrupts(terminal);
  const folder = makeDemoFolder(tmpdir());
  const isShown = !flags.json && !flags.quiet;
  if (isShown) await out.write(wrapWords(introText(folder, out.colors), out.proseColumns()));
  const { session, log, stateDir, hopeless } = await play({ terminal, flags, folder, isShown, interrupts });
  const interrupted = interrupts.status();
  if (interrupted !== null) {
    if (isShown) await out.write(interruptedText(folder, log));
    return interrupted;
  }
  const faults = hopeless === null ? demoFaults(session, folder) : [`it cannot run commands: ${hopeless}`];
  for (const fault of faults) await err.write(`${err.colors.red("collet:")} the demo went wrong: ${showLine(fault)}\n`);
  if (faults.length > 0) return EXIT_STEP_DIFFERS;
  if (isShown)
    await out.write(
      outroText({ folder, log, command: ownCommand(terminal), stateDir }, { colors: out.colors, columns: out.proseColumns() }),
    );
  return 0;
}

interface Playing extends DemoCommand {
  readonly folder: DemoFolder;
  /** For a person; else nothing but events, or nothing at all. */
  readonly isShown: boolean;
  readonly interrupts: Interrupts;
}

interface Played {
  readonly session: SessionView;
  readonly log: string;
  /** `null`: the one that every command takes by itself. */
  readonly stateDir: string | null;
  /** Why nothing could be run; `null` when it could. */
  readonly hopeless: string | null;
}

async function play(playing: Playing): Promise<Played> {
  const { terminal, flags, folder, isShown } = playing;
  const { stateDir: chosen } = flags;
  if (chosen !== undefined) {
    const stateDir = path.resolve(terminal.cwd(), chosen);
    return { ...(await playIn(stateDir, playing)), stateDir };
  }
  try {
    return { ...(await playIn(stateDirOf(terminal.env, homeOf() ?? ""), playing)), stateDir: null };
  } catch (error) {
    if (!isFailure(error) || !NO_STATE.includes(error.kind)) throw error;
    const said = `The state folder cannot be used (${showLine(error.message)}); the session is kept in ${showLine(folder.state)}\n`;
    if (isShown || flags.json) await terminal.err.write(said);
    return { ...(await playIn(folder.state, playing)), stateDir: folder.state };
  }
}

async function playIn(stateDir: string, { terminal, flags, folder, isShown, interrupts }: Playing): Promise<Omit<Played, "stateDir">> {
  const { out } = terminal;
  const place = { workspace: folder.project, stateDir, home: null };
  const view = createLiveView({ output: out, place, omit: ["head"], interrupted: () => interrupts.status() !== null });
  const fold = createFold();
  // where no process can be started, such as without bash, nothing that follows would tell more
  const hopeless = new AbortController();
  const early = gatherEvents();
  const receivers: readonly Receiver[] = [
    async (event) => {
      fold.push(event);
      if (event.type === "tool_result" && event.data.error?.kind === "command_failed") hopeless.abort(event.data.error.message);
    },
    ...(flags.json ? [async (event: object) => out.write(`${JSON.stringify(event)}\n`)] : []),
    ...(isShown ? [view.event] : []),
  ];
  const runtime = await createRuntime({
    workspace: folder.project,
    stateDir,
    env: terminal.env,
    rulesFrom: "flag",
    permissions: { mode: "ask", asker: null, allow: DEMO_RULES.map(({ rule }) => rule) },
    model: scripted(DEMO_STEPS.map(({ text, calls }) => ({ text, calls: calls.map(({ name, args }) => ({ name, args })) }))),
    onEvent: early.take,
  });
  interrupts.killing(() => runtime.kill());
  try {
    const session = await runtime.session();
    const before = early.end();
    const run = session.run(DEMO_PROMPT, { signal: AbortSignal.any([interrupts.signal, hopeless.signal]) });
    const handed = handOn(run, { before, receivers });
    await run.result;
    if (!(await isDone(handed, interrupts.signal))) out.leave();
    await view.end();
    const log = path.join(sessionDirOf(place, session.id), LOG_NAME);
    return { session: fold.view(), log, hopeless: hopeless.signal.aborted ? String(hopeless.signal.reason) : null };
  } finally {
    await runtime.close();
  }
}
