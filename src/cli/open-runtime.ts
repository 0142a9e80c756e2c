import type { Mode } from "../base/decision.ts";
import { fail } from "../base/fail.ts";
import { createRuntime, type RuntimeOptions, readPolicy } from "../node.ts";
import type { CommonFlags } from "./common-flags.ts";
import { isInsideCall, refuseInsideCall } from "./inside-call.ts";
import type { Interrupts } from "./interrupts.ts";
import { hasKeyboard, openKeyboard } from "./keyboard.ts";
import { ownCommand } from "./own-command.ts";
import type { Place } from "./place.ts";
import { placeFlags } from "./place-flags.ts";
import { editorOf, runEditor } from "./run-editor.ts";
import { runtimeOptionsOf, withFlag } from "./runtime-options.ts";
import type { Terminal } from "./terminal.ts";
import { type AskerOptions, createTerminalAsker } from "./terminal-asker.ts";
import { policyNotice } from "./view/policy-notice.ts";
import { questionText } from "./view/question-text.ts";
import { wrapText } from "./view/wrap-text.ts";

type Runtime = Awaited<ReturnType<typeof createRuntime>>;

export interface OpenRuntimeOptions {
  readonly terminal: Terminal;
  readonly flags: CommonFlags;
  readonly place: Place;
  /** When no flag names one. */
  readonly defaultMode: Mode;
  readonly interrupts: Interrupts;
  /** Keeps other output off the screen while a question stands there. */
  readonly hold: AskerOptions["hold"];
  /** What the runtime needs beside. */
  readonly more: Omit<RuntimeOptions, "workspace" | "permissions" | "stateDir" | "env">;
}

/**
 * The runtime of a command, with the permissions that the flags say. Questions go to the terminal that standard error is, whatever
 * standard input is; without one there is nobody to ask. Nothing is said or started yet. Kinds: those of `createRuntime`.
 */
export async function openRuntime(options: OpenRuntimeOptions): Promise<Runtime> {
  const { terminal, flags, interrupts, more } = options;
  if (flags.onAsk === "ask") refuseInsideCall(terminal, "answer the questions of another call");
  const isThere = flags.onAsk !== "deny" && !isInsideCall(terminal) && terminal.err.isTerminal && hasKeyboard();
  if (flags.onAsk === "ask" && !isThere)
    throw fail("invalid_args", "--on-ask ask needs somebody to ask, and there is no terminal", {
      flag: "--on-ask",
      next_actions: ["--on-ask deny", "--allow RULE for what is to be let through"],
    });
  const common = await runtimeOptionsOf({ ...options, signal: interrupts.signal }, isThere ? askerFor(options) : null);
  const runtime = await createRuntime({ ...more, ...common }).catch((error: unknown) => {
    throw withFlag(error, flags);
  });
  interrupts.killing(() => runtime.kill());
  return runtime;
}

/**
 * On a terminal: in the mode `auto` what that means, in the first line; and what of the policy a person should know. `after_denial`: also
 * where there is none, what of it can have led to the refusal of a call.
 */
export async function sayPolicy(options: OpenRuntimeOptions, when: "first" | "after_denial" = "first"): Promise<void> {
  const { terminal, flags, place, interrupts, defaultMode } = options;
  const { err } = terminal;
  const isFirst = when === "first";
  if (isFirst && !err.isTerminal) return;
  const report = await readPolicy(await runtimeOptionsOf({ ...options, signal: interrupts.signal }, null));
  if (report.mode === "auto" && isFirst)
    await err.write(err.colors.yellow("Mode auto: commands run with your own rights and are not confined to the workspace.\n"));
  if (flags.quiet) return;
  const look = { colors: err.colors, workspace: place.workspace, home: place.home, columns: err.columns() };
  const command = ownCommand(terminal);
  // whoever types a single call has other things to look at
  await err.write(policyNotice(report, { look, command, at: placeFlags(flags), withFindings: isFirst && defaultMode === "ask" }));
}

function askerFor({ terminal, place, interrupts, hold }: OpenRuntimeOptions) {
  const screen = terminal.err;
  const editor = editorOf(terminal.env);
  return createTerminalAsker({
    screen,
    hold,
    keyboard: openKeyboard,
    render: (question) => {
      const columns = screen.columns();
      return wrapText(questionText(question, { workspace: place.workspace, home: place.home, colors: screen.colors, columns }), columns);
    },
    wrap: (text) => wrapText(text, screen.columns()),
    inEditor: editor && ((text, signal) => runEditor(text, editor, signal)),
    interrupt: () => interrupts.interrupt("SIGINT"),
  });
}
