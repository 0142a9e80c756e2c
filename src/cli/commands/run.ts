import { type Command, InvalidArgumentError } from "commander";
import { fail } from "../../base/fail.ts";
import type { CommandContext } from "../command-context.ts";
import { type CommonFlags, commonFlags, withCommonFlags } from "../common-flags.ts";
import { grantOption } from "../grant-option.ts";
import type { RunFlags } from "../run-turn.ts";

/** `collet run PROMPT…`: a model works on a task until it is done. */
export function defineRun(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command("run")
    .description("let a model work on a task; its answer goes to standard output, all else to standard error")
    .argument("[prompt...]", "what to do; words are joined by a space, and - stands for the piped text")
    .option(
      "-m, --model <provider/name>",
      "anthropic/…, openai/… or openai-compatible/… (default: $COLLET_MODEL, else by the one key that is set)",
    )
    .option("--base-url <url>", "the provider's address, up to and including /v1; openai-compatible needs it")
    .option("--api-key-env <name>", "environment variable with the key (default: the provider's own, see below)")
    .option("--max-iterations <n>", "model requests in the turn at most (default: 100)", count)
    .option("--plan", "look and make a plan, and change nothing; no flag lifts that")
    .addOption(grantOption());
  withCommonFlags(command, { defaultMode: "ask" })
    .addHelpText("after", HELP)
    .action(async (words: readonly string[]) => {
      const run = command.opts<RunFlags>();
      const flags = run.plan ? planning(commonFlags(command)) : commonFlags(command);
      const { runTurn } = await import("../run-turn.ts");
      end(await runTurn(words, { terminal, flags, run }));
    });
}

/** With `--plan` the mode is read_only. */
function planning(flags: CommonFlags): CommonFlags {
  if (flags.mode !== undefined && flags.mode !== "read_only") {
    throw fail("invalid_args", `--plan changes nothing, and so cannot be had in the mode ${flags.mode}`, {
      flags: ["--plan", `--permission ${flags.mode}`],
      next_actions: [`--plan, without --permission ${flags.mode}`, `--permission ${flags.mode}, without --plan`],
    });
  }
  return { ...flags, mode: "read_only" };
}

function count(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError("It is a whole number from 1.");
  return Number(value);
}

const HELP = `
Keys are read from the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY, and COLLET_API_KEY for openai-compatible,
which may need none. With --json standard output holds the session's events, one JSON object a line. Ctrl-C ends
the turn in good order, a second one at once.

The words of a command rule are a beginning: 'command(npm test)' allows npm test and all that begins so. A last word $
means that no more words follow: 'command(npm test $)' allows npm test alone.

Examples:
  collet run "Why does the build fail?"                          asks before each change and command
  collet run --allow 'command(npm test)' "Fix the tests"         the same, but npm test runs unasked
  collet run --read-only "What does this project do?"            changes nothing, runs nothing
  collet run --plan "Move the tests to vitest"                   looks around and answers with a plan
  collet run --grant 'git: status; log; diff' "What is new?"     git alone, and of it these three
  git diff | collet run "Review this" -                          piped text as part of the prompt
  collet run --model openai-compatible/llama3.2 \\
    --base-url http://127.0.0.1:11434/v1 "Say hello"`;
