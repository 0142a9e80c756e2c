import type { Command } from "commander";
import { fail } from "../../base/fail.ts";
import { nearestNames } from "../../base/nearest.ts";
import type { CommandContext } from "../command-context.ts";
import { commonFlags, withCommonFlags } from "../common-flags.ts";

/** `collet sessions` and `collet sessions show ID`: what was done, from the logs. */
export function defineSessions(program: Command, context: CommandContext): void {
  const { terminal, end } = context;
  const command = program
    .command("sessions")
    .description("the sessions of this workspace, newest first; collet sessions show ID for one of them")
    .option("--all", "also those of single calls")
    // flags after `show` are those of `show`
    .enablePositionalOptions()
    // a mistyped subcommand is told as that, not as an argument too many
    .allowExcessArguments();
  withCommonFlags(command, { defaultMode: null })
    .addHelpText("after", LIST_EXAMPLES)
    .action(async () => {
      const [unknown] = command.args;
      if (unknown !== undefined) throw noSubcommand(unknown);
      const flags = commonFlags(command);
      const { listedSessions } = await import("../session-list.ts");
      end(await listedSessions({ terminal, flags, all: command.opts<{ all?: boolean }>().all ?? false }));
    });
  const show = command
    .command("show")
    .description("one session as a person reads it: prompts, calls with plan, decision and result, answers")
    .argument("<id>", "a session's id, the start of one, or last");
  withCommonFlags(show, { defaultMode: null })
    .addHelpText("after", SHOW_EXAMPLES)
    .action(async (id: string) => {
      const { showSession } = await import("../session-show.ts");
      end(await showSession(id, { terminal, flags: commonFlags(show) }));
    });
}

function noSubcommand(name: string) {
  return fail("invalid_args", `sessions has no subcommand "${name}"; its only one is show`, {
    reason: "unknown_command",
    nearest: nearestNames(name, ["show"]),
    next_actions: ["collet sessions", "collet sessions show last"],
  });
}

const LIST_EXAMPLES = `
Examples:
  collet sessions
  collet sessions show last
  collet sessions --all --json`;

const SHOW_EXAMPLES = `
Examples:
  collet sessions show last
  collet sessions show 20261130-15          the start is enough when it is the only one
  collet sessions show last --json          its events as they were logged, one a line`;
