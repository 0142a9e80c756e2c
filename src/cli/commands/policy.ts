import type { Command } from "commander";
import { fail } from "../../base/fail.ts";
import { nearestNames } from "../../base/nearest.ts";
import type { CommandContext } from "../command-context.ts";
import { commonFlags, withCommonFlags } from "../common-flags.ts";
import { grantOption } from "../grant-option.ts";

/** `collet policy …`: what the policy is, whether it says what was meant, and how it would decide. Nothing is run or asked. */
export function definePolicy(program: Command, context: CommandContext): void {
  const command = program
    .command("policy")
    .description("the rules in force, and how they would decide; nothing is run or asked")
    .enablePositionalOptions()
    .allowExcessArguments();
  withCommonFlags(command, { defaultMode: null })
    .addHelpText("after", EXAMPLES)
    .action(() => {
      const [wanted] = command.args;
      const names = command.commands.map((each) => each.name());
      const why = wanted === undefined ? "policy needs a subcommand" : `policy has no subcommand "${wanted}"`;
      throw fail("invalid_args", `${why}; there are ${names.join(", ")}`, {
        reason: "unknown_command",
        nearest: nearestNames(wanted ?? "", names),
        next_actions: ["collet policy show", "collet policy --help"],
      });
    });
  defineReports(command, context);
  defineExplain(command, context);
  defineTest(command, context);
  defineApprovals(command, context);
}

function subcommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description);
}

/** They stand after the options of its own. */
function withPolicyFlags(command: Command): Command {
  return withCommonFlags(command, { defaultMode: "ask", asks: false });
}

function grantsOf(command: Command): readonly string[] {
  return command.opts<{ grant?: readonly string[] }>().grant ?? [];
}

function defineReports(parent: Command, { terminal, end }: CommandContext): void {
  const show = subcommand(parent, "show", "mode and rules in force, each with the file and line, or the flag, that it comes from");
  withPolicyFlags(show)
    .addHelpText("after", "\nExample:\n  collet policy show --json")
    .action(async () => {
      const { showPolicy } = await import("../policy/policy-show.ts");
      end(await showPolicy({ terminal, flags: commonFlags(show) }));
    });
  const lint = subcommand(parent, "lint", "rules that never match, that another one shadows, or that allow more than they seem to");
  const lintHelp = "\nExamples:\n  collet policy lint --allow 'command(bash)'\n  collet policy lint --grant 'git: log; !log --all'";
  withPolicyFlags(lint.addOption(grantOption()))
    .addHelpText("after", lintHelp)
    .action(async () => {
      const { lintPolicy } = await import("../policy/policy-lint.ts");
      end(await lintPolicy({ terminal, flags: commonFlags(lint), grants: grantsOf(lint) }));
    });
  const gates = subcommand(parent, "gates", "what can still be asked under these rules, and so is denied where nobody is there");
  withPolicyFlags(gates)
    .addHelpText("after", "\nExample:\n  collet policy gates --auto --ask-for 'command(git push)'")
    .action(async () => {
      const { policyGates } = await import("../policy/policy-gates.ts");
      end(await policyGates({ terminal, flags: commonFlags(gates) }));
    });
}

function defineExplain(parent: Command, { terminal, end }: CommandContext): void {
  const command = subcommand(parent, "explain", "what a call would do, and what decides each of its effects")
    .argument("[command]", "a shell command, as one word: in quotes")
    // words too many are told with the quotes that they need
    .allowExcessArguments()
    .option("--tool <name>", "a call of this tool in its place")
    .option("--args <json>", "the tool's arguments, one JSON object")
    .addOption(grantOption());
  withCommonFlags(command, { defaultMode: "ask" })
    .addHelpText("after", EXPLAIN_EXAMPLES)
    .action(async () => {
      const { explainCall } = await import("../policy/policy-explain.ts");
      const { tool, args } = command.opts<{ tool?: string; args?: string }>();
      end(await explainCall({ terminal, flags: commonFlags(command), words: command.args, tool, args, grants: grantsOf(command) }));
    });
}

function defineTest(parent: Command, { terminal, end }: CommandContext): void {
  const command = subcommand(parent, "test", "decide the cases of a file, and tell those that do not come out as expected")
    .argument("<file>", "JSON with cases; comments are allowed")
    .addOption(grantOption());
  withPolicyFlags(command)
    .addHelpText("after", TEST_EXAMPLES)
    .action(async (file: string) => {
      const { testPolicyFile } = await import("../policy/policy-test.ts");
      end(await testPolicyFile(file, { terminal, flags: commonFlags(command), grants: grantsOf(command) }));
    });
}

function defineApprovals(parent: Command, { terminal, end }: CommandContext): void {
  const command = parent
    .command("approvals")
    .description("what was allowed for good in this workspace")
    .option("--forget <rule>", "allow this one no more")
    .option("--forget-all", "allow none of them any more");
  withCommonFlags(command, { defaultMode: null })
    .addHelpText("after", "\nExamples:\n  collet policy approvals\n  collet policy approvals --forget 'command(npm test)'")
    .action(async () => {
      const { policyApprovals } = await import("../policy/policy-approvals.ts");
      const { forget, forgetAll = false } = command.opts<{ forget?: string; forgetAll?: boolean }>();
      end(await policyApprovals({ terminal, flags: commonFlags(command), forget, forgetAll }));
    });
}

const EXAMPLES = `
Rules stand in permissions.json of the configuration folder (~/.config/collet), in .collet/permissions.json of the
workspace, which only narrows until it is trusted (collet trust), and in flags. Deny beats ask beats allow.

Examples:
  collet policy show
  collet policy explain 'git push'
  collet policy lint`;

const EXPLAIN_EXAMPLES = `
Examples:
  collet policy explain 'npm test && git push'
  collet policy explain --allow 'command(git push)' 'git push'
  collet policy explain --on-ask deny 'git push'
  collet policy explain --tool write \\
    --args '{"path":"a.txt","content":"x"}'
  collet policy explain --grant 'git: status; log' \\
    --tool git --args '{"args":["log"]}'`;

const TEST_EXAMPLES = `
The file: { "version": 1, "mode": "ask", "allow": ["command(npm test)"], "ask": [], "deny": [], "cases": [
  { "command": "npm test", "expect": "allow", "rule": "command(npm test)" },
  { "tool": "write", "args": { "path": "a", "content": "" }, "expect": "ask", "name": "writes are asked" } ] }
Without a mode and rules of its own it tests those in force here. The exit status is 0 when all cases come out as
expected, 1 when one does not, and 2 for a file that cannot be used.

Example:
  collet policy test tests/policy.json`;
