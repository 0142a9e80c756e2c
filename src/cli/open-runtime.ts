import type { Mode } from "../base/decision.ts";
import { createRuntime, type Permissions, type RuntimeOptions } from "../node.ts";
import type { CommonFlags } from "./common-flags.ts";
import type { Interrupts } from "./interrupts.ts";
import { hasKeyboard, openKeyboard } from "./keyboard.ts";
import type { Place } from "./place.ts";
import type { Terminal } from "./terminal.ts";
import { type AskerOptions, createTerminalAsker } from "./terminal-asker.ts";
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
 * standard input is; without one there is nobody to ask. In the mode `auto` the first line on a terminal says what that means.
 */
export async function openRuntime(options: OpenRuntimeOptions): Promise<Runtime> {
  const { terminal, flags, place, interrupts, more } = options;
  const mode = flags.mode ?? options.defaultMode;
  if (mode === "auto" && terminal.err.isTerminal) {
    await terminal.err.write(
      terminal.err.colors.yellow("Mode auto: commands run with your own rights and are not confined to the workspace.\n"),
    );
  }
  const asker = terminal.err.isTerminal && hasKeyboard() ? askerFor(options) : null;
  const permissions: Permissions = { mode, asker, allow: flags.allow, deny: flags.deny };
  const runtime = await createRuntime({
    ...more,
    rulesFrom: "flag",
    workspace: place.workspace,
    stateDir: place.stateDir,
    env: terminal.env,
    permissions,
  });
  interrupts.killing(() => runtime.kill());
  return runtime;
}

function askerFor({ terminal, place, interrupts, hold }: OpenRuntimeOptions) {
  const screen = terminal.err;
  return createTerminalAsker({
    screen,
    hold,
    keyboard: openKeyboard,
    render: (question) => {
      const columns = screen.columns();
      return wrapText(questionText(question, { workspace: place.workspace, colors: screen.colors, columns }), columns);
    },
    interrupt: () => interrupts.interrupt("SIGINT"),
  });
}
