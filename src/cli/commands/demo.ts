import type { Command } from "commander";
import { fail } from "../../base/fail.ts";
import type { CommandContext } from "../command-context.ts";
import { type CommonFlags, commonFlags, withCommonFlags } from "../common-flags.ts";

/** `collet demo`: the main line, end to end and offline. */
export function defineDemo(program: Command, { terminal, end }: CommandContext): void {
  const command = program.command("demo").description("watch a scripted model fix a failing test with the real tools; offline, no key");
  withCommonFlags(command, { defaultMode: null, ownWorkspace: true })
    .addHelpText("after", HELP)
    .action(async () => {
      const flags = commonFlags(command);
      checkFlags(flags);
      const { runDemo } = await import("../run-demo.ts");
      end(await runDemo({ terminal, flags }));
    });
}

function checkFlags({ workspace, mode, allow, deny }: CommonFlags): void {
  if (workspace === undefined && mode === undefined && allow.length === 0 && deny.length === 0) return;
  throw fail("invalid_args", "the demo brings its own workspace, mode and rules; it takes --json, --quiet and --state-dir", {
    next_actions: ["collet demo"],
  });
}

const HELP = `
It makes a folder below the temporary one and keeps it, so that you can look at what was done. It touches nothing
else but the state folder. The exit status is 0 when every step came out as it should, and 1 when one did not.`;
