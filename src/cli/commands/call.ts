import type { Command } from "commander";
import { fail } from "../../base/fail.ts";
import { quoteWord } from "../../base/words.ts";
import type { CommandContext } from "../command-context.ts";
import { commonFlags, withCommonFlags } from "../common-flags.ts";
import { grantOption } from "../grant-option.ts";

interface CallFlags {
  readonly args?: string;
  readonly argsFile?: string;
  readonly dryRun?: boolean;
  readonly batch?: boolean;
  readonly grant?: readonly string[];
  readonly log: boolean;
}

/** `collet call TOOL`: one tool call, or with `--batch` many, through the pipeline that a model's calls take. */
export function defineCall(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command("call")
    .description("call one tool without a model, and print its result envelope as one JSON line")
    .argument("[tool]", "name of the tool; see collet tools")
    .option("--args <json>", "the arguments, one JSON object")
    .option("--args-file <file>", "read the arguments from a file (default: from standard input)")
    .option("--dry-run", "plan and decide only; nothing is changed, run or asked")
    .option("--batch", "read {id, tool, args, dry_run?} a line from standard input, answer each with {ok, id, …} when it is done, in order")
    .addOption(grantOption())
    .option("--no-log", "keep no record of the call in the state folder")
    // a word too many is told with the place where it goes
    .allowExcessArguments();
  withCommonFlags(command, { defaultMode: "auto" })
    .addHelpText("after", HELP)
    .action(async (tool: string | undefined) => {
      const flags = commonFlags(command);
      const own = command.opts<CallFlags>();
      checkFlags(tool, own);
      if (tool !== undefined && command.args.length > 1) await refuseWords(tool, command.args.slice(1), own.grant ?? []);
      const common = { terminal, flags, log: own.log, grants: own.grant ?? [] };
      if (own.batch || tool === undefined) {
        const { callBatch } = await import("../call-batch.ts");
        end(await callBatch(common));
      } else {
        const { callOnce } = await import("../call-once.ts");
        end(await callOnce(tool, { ...common, args: own.args, argsFile: own.argsFile, dryRun: own.dryRun ?? false }));
      }
    });
}

function checkFlags(tool: string | undefined, { args, argsFile, batch, dryRun }: CallFlags): void {
  const next_actions = ["collet call --help"];
  if (args !== undefined && argsFile !== undefined) {
    throw fail("invalid_args", "--args and --args-file both give the arguments; use one", {
      flags: ["--args", "--args-file"],
      next_actions,
    });
  }
  if (batch && (tool !== undefined || args !== undefined || argsFile !== undefined || dryRun)) {
    throw fail("invalid_args", "with --batch each line names its tool, arguments and dry_run; the command line does not", { next_actions });
  }
  if (!batch && tool === undefined)
    throw fail("invalid_args", "which tool is to be called?", { next_actions: ["collet tools", ...next_actions] });
}

async function refuseWords(tool: string, words: readonly string[], grants: readonly string[]): Promise<never> {
  const [{ exampleCall }, { grantedTools }] = await Promise.all([import("../example-call.ts"), import("../grants.ts")]);
  const granted = grantedTools(grants).find(({ name }) => name === tool);
  const line = granted
    ? `collet call ${tool} --grant ${quoteWord(grants.find((grant) => grantedTools([grant])[0]?.name === tool) ?? tool)} --args ${quoteWord(JSON.stringify({ args: words }))}`
    : exampleCall(tool, { value: words.join(" ") });
  const where = line.includes("--args") ? ` in ${line.slice(line.indexOf("--args"))}` : " in --args, as one JSON object";
  throw fail("invalid_args", `arguments go${where}`, { reason: "excess_arguments", words, next_actions: [line, "collet call --help"] });
}

const HELP = `
The default mode is auto, since whoever types a call means it: what no rule denies is allowed. Beside auto an allow rule
changes nothing, but for guarded paths, such as .env: one that names such a path lifts the guard. --deny is stronger than
any --allow and any mode, over what is known before the call runs: what a program does by itself no rule sees, and in auto
a script that Collet cannot take apart runs, whatever it holds. --ask asks then, and --read-only refuses.
With --ask an allow rule lets through what would have to be asked. --read-only is a ceiling: no rule lifts it.

--grant adds a tool by a program's own name: it takes args, a list of words, and gives them to the program as they are.
With 'git: status; log *; !log --all' only arguments that begin with one of these words run (* is any one word, a last $
ends them), and none that begin with what stands behind !: log --all -5 does, log -5 --all does not. Mode and rules decide
beside that, as for the same words in a script.

The result is one JSON line, with --json and without. The exit status is that of the failure's kind (collet kinds), and 0
when a command ran, whatever its own status was. --batch answers a blank line as a bad one, and its exit status is 0 also
when calls fail: each answer says so itself.

Examples:
  collet call read --args '{"path":"README.md"}'
  collet call edit --dry-run \\
    --args '{"path":"a.ts","old_string":"1","new_string":"2"}'
  echo '{"command":"npm test"}' | collet call bash
  collet call bash --ask --allow 'command(npm test)' \\
    --args '{"command":"npm test"}'
  collet call git --grant 'git: status; diff; log' \\
    --args '{"args":["diff","--stat"]}'
  collet call --batch < calls.ndjson`;
