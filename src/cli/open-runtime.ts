import type { Mode } from "../base/decision.ts";
import { fail, isFailure } from "../base/fail.ts";
import { createRuntime, type Permissions, type RuntimeOptions } from "../node.ts";
import type { CommonFlags } from "./common-flags.ts";
import type { Interrupts } from "./interrupts.ts";
import { hasKeyboard, openKeyboard } from "./keyboard.ts";
import type { Place } from "./place.ts";
import { editorOf, runEditor } from "./run-editor.ts";
import type { Terminal } from "./terminal.ts";
import { type AskerOptions, createTerminalAsker } from "./terminal-asker.ts";
import { questionText } from "./view/question-text.ts";
import { wrapText } from "./view/wrap-text.ts";
import { writePolicyOf } from "./write-policy-file.ts";

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
  const { terminal, flags, place, interrupts, more } = options;
  const mode = flags.mode ?? options.defaultMode;
  const asker = terminal.err.isTerminal && hasKeyboard() ? askerFor(options) : null;
  const writePolicy = await writePolicyOf(flags, { cwd: terminal.cwd(), workspace: place.workspace, signal: interrupts.signal });
  const permissions: Permissions = { mode, asker, allow: flags.allow, deny: flags.deny };
  const runtime = await createRuntime({
    ...more,
    rulesFrom: "flag",
    workspace: place.workspace,
    stateDir: place.stateDir,
    env: terminal.env,
    permissions,
    writePolicy,
  }).catch((error: unknown) => {
    throw withFlag(error, flags);
  });
  interrupts.killing(() => runtime.kill());
  return runtime;
}

/** In the mode `auto` the first line on a terminal says what that means. */
export async function sayMode({ terminal: { err }, flags, defaultMode }: OpenRuntimeOptions): Promise<void> {
  if ((flags.mode ?? defaultMode) !== "auto" || !err.isTerminal) return;
  await err.write(err.colors.yellow("Mode auto: commands run with your own rights and are not confined to the workspace.\n"));
}

/** A rule that cannot be used, with the flag that it stands after. */
function withFlag(error: unknown, { allow, deny }: CommonFlags): unknown {
  if (!isFailure(error) || typeof error.details.rule !== "string" || "next_actions" in error.details) return error;
  const isDeny = deny.some((rule) => rule.trim() === error.details.rule) && !allow.some((rule) => rule.trim() === error.details.rule);
  const flag = isDeny ? "--deny" : "--allow";
  const next_actions = [`write the rule as in ${flag} 'command(npm test)' or ${flag} 'write(src/**)'`];
  return fail(error.kind, error.message, { ...error.details, flag, next_actions }, { cause: error });
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
      return wrapText(questionText(question, { workspace: place.workspace, colors: screen.colors, columns }), columns);
    },
    wrap: (text) => wrapText(text, screen.columns()),
    inEditor: editor && ((text, signal) => runEditor(text, editor, signal)),
    interrupt: () => interrupts.interrupt("SIGINT"),
  });
}
