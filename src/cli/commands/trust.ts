import type { Command } from "commander";
import { fail } from "../../base/fail.ts";
import type { CommandContext } from "../command-context.ts";
import { commonFlags, withCommonFlags } from "../common-flags.ts";

/** `collet trust`: a person says yes to files of the workspace, by their content. */
export function defineTrust(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command("trust")
    .description("look at the files of this workspace that allow something, and say whether they may")
    .option("--show", "show them, and ask nothing")
    .option("--revoke", "trust nothing in this workspace any more");
  withCommonFlags(command, { defaultMode: null })
    .addHelpText("after", HELP)
    .action(async () => {
      const { show = false, revoke = false } = command.opts<{ show?: boolean; revoke?: boolean }>();
      if (show && revoke)
        throw fail("invalid_args", "--show and --revoke say different things; give one", {
          flags: ["--show", "--revoke"],
          next_actions: ["collet trust --show", "collet trust --revoke"],
        });
      const { trustWorkspace } = await import("../trust-workspace.ts");
      end(await trustWorkspace({ terminal, flags: commonFlags(command), show, revoke }));
    });
}

const HELP = `
A repository is not its user: of .collet/permissions.json in a workspace only deny and ask rules and a narrower mode are
in force until a person has seen it and said yes. That yes is for the very content that was shown; a file that changes
has to be trusted anew. It is asked at a terminal only, and kept in the state folder.

Examples:
  collet trust
  collet trust --show
  collet trust --revoke`;
