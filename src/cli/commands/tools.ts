import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { commonFlags, withCommonFlags } from "../common-flags.ts";
import { grantOption } from "../grant-option.ts";
import { wrapWords } from "../view/wrap-words.ts";

/** `collet tools [NAME]`: what the tools take, do and raise, from their definitions. */
export function defineTools(program: Command, { terminal: { out } }: CommandContext): void {
  const command = program
    .command("tools")
    .description("the tools: parameters, effects, kinds of failure, examples")
    .argument("[name]", "show this one only")
    .addOption(grantOption());
  withCommonFlags(command, { defaultMode: null })
    .addHelpText("after", EXAMPLES)
    .action(async (name: string | undefined) => {
      const { json } = commonFlags(command);
      const { toolsText } = await import("../tools-text.ts");
      const text = toolsText(name, {
        grants: command.opts<{ grant?: readonly string[] }>().grant ?? [],
        form: json ? "json" : "text",
        colors: out.colors,
        columns: out.proseColumns(),
      });
      await out.write(json ? text : wrapWords(text, out.proseColumns()));
    });
}

const EXAMPLES = `
Examples:
  collet tools                  all of them, a line each
  collet tools edit             one, whole
  collet tools edit --json      its JSON Schema, for programs
  collet tools git --grant git  the tool that a grant adds`;
