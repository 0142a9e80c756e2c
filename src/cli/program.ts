import { Command } from "commander";
import { VERSION } from "../base/version.ts";
import type { CommandContext } from "./command-context.ts";
import { defineCall } from "./commands/call.ts";
import { defineDemo } from "./commands/demo.ts";
import { defineKinds } from "./commands/kinds.ts";
import { definePolicy } from "./commands/policy.ts";
import { defineRun } from "./commands/run.ts";
import { defineSessions } from "./commands/sessions.ts";
import { defineTools } from "./commands/tools.ts";
import { defineTrust } from "./commands/trust.ts";
import { wrapWords } from "./view/wrap-words.ts";

/** Prose is hard to read where it is wider. */
const MAX_WIDTH = 110;

/** All commands with their flags and help; nothing of what they do is loaded yet. It throws instead of ending the process. */
export function createProgram(context: CommandContext): Command {
  const { terminal } = context;
  const program = new Command("collet");
  program
    .description("An agent whose tools are planned before they act, confined, permitted and recorded.")
    .version(VERSION, "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help; every command has its own")
    .exitOverride()
    .configureHelp({ helpWidth: Math.min(terminal.out.proseColumns(), MAX_WIDTH) })
    .configureOutput({
      writeOut: (text) => void terminal.out.write(wrapWords(text, terminal.out.proseColumns())),
      writeErr: () => {},
      outputError: () => {},
    });
  defineDemo(program, context);
  defineRun(program, context);
  defineCall(program, context);
  defineTools(program, context);
  defineKinds(program, context);
  defineSessions(program, context);
  definePolicy(program, context);
  defineTrust(program, context);
  program.addHelpText(
    "after",
    `
Start here:
  collet demo                                     watch it fix a failing test, offline
  collet call read --args '{"path":"README.md"}'  use one tool, without a model
  collet run "What does this project do?"         let a model work; see collet run --help for its key

In a clone, where no collet is on the PATH, npx --no-install collet takes its place.`,
  );
  return program;
}
