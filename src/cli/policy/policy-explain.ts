import { fail } from "../../base/fail.ts";
import { KINDS } from "../../base/kinds.ts";
import { quoteWord } from "../../base/words.ts";
import { codingTools, createRuntime, type Explanation, readPolicy } from "../../node.ts";
import { closeAfter } from "../close-after.ts";
import { grantedTools, withGrants } from "../grants.ts";
import { ownCommand } from "../own-command.ts";
import { placeFlags } from "../place-flags.ts";
import { withFlag } from "../runtime-options.ts";
import { explanationText, isDenial } from "../view/explanation-text.ts";
import { wrapText } from "../view/wrap-text.ts";
import { lookOf, type PolicyCommand, policyPlace, tellJson } from "./policy-command.ts";
import { waitingRules } from "./waiting-rules.ts";

export interface ExplainCommand extends PolicyCommand {
  /** A shell command, as one word; or a tool and its arguments as JSON. */
  readonly words: readonly string[];
  readonly tool: string | undefined;
  readonly args: string | undefined;
  /** Programs that are granted, as after `--grant`. */
  readonly grants: readonly string[];
}

/**
 * `collet policy explain`: what a call would do and how it would be decided. Returns the exit status: 0 whatever the decision is, and that of the
 * failure where the call cannot be planned.
 */
export async function explainCall(given: ExplainCommand): Promise<number> {
  const { terminal, flags } = given;
  const [tool, args] = callOf(given);
  const tools = withGrants(codingTools(), grantedTools(given.grants));
  const { options: own, place } = await policyPlace(given);
  const options = { ...own, tools };
  const runtime = await createRuntime(options).catch((error: unknown) => {
    throw withFlag(error, flags);
  });
  return closeAfter(runtime, async () => {
    const explanation = await runtime.explain(tool, args);
    const report = await readPolicy(options);
    const waiting = await waitingRules({ tool, args }, explanation, { report, options });
    const { mode, mode_source } = report;
    if (flags.json) await tellJson(terminal, { ...explanation, mode, mode_source, on_ask: flags.onAsk ?? null, waiting });
    else {
      const look = lookOf(terminal, place);
      const trust = `${ownCommand(terminal)} trust${placeFlags(flags)}`;
      const text = explanationText(explanation, look, { report, waiting, trust, onAsk: flags.onAsk ?? null });
      await terminal.out.write(wrapText(text, look.columns ?? null));
    }
    return statusOf(explanation);
  });
}

function statusOf({ decision, error }: Explanation): number {
  return decision === null && error && !isDenial(error) ? KINDS[error.kind].exit : 0;
}

function callOf({ words, tool, args }: ExplainCommand): readonly [string, string | { readonly command: string }] {
  const [command, ...more] = words;
  if (more.length > 0) {
    const next_actions = [`collet policy explain ${quoteWord(words.join(" "))}`];
    throw fail("invalid_args", "a command is one word: it has to stand in quotes", { reason: "excess_arguments", next_actions });
  }
  if (command !== undefined && tool === undefined && args === undefined) return ["bash", { command }];
  if (command === undefined && tool !== undefined && args !== undefined) return [tool, args];
  const why =
    command === undefined && tool === undefined
      ? "what is to be explained? A command, or a tool and its arguments"
      : command === undefined
        ? "the tool's arguments are missing; they go in --args"
        : "a command stands alone; a tool and its arguments go in --tool and --args";
  throw fail("invalid_args", why, {
    next_actions: ["collet policy explain 'git push'", `collet policy explain --tool read --args '{"path":"README.md"}'`],
  });
}
