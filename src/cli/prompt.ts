import { fail } from "../base/fail.ts";

/** Where a prompt's text may come from. */
export interface PromptSources {
  /** The words of the command line; `-` stands for the piped text. */
  readonly words: readonly string[];
  /** True when a person would have to type it: then it is not waited for. */
  readonly stdinIsTerminal: boolean;
  /** Reads all of standard input, called once at most, and only when it is wanted. */
  readonly piped: () => Promise<string>;
}

/**
 * The prompt: the words joined by a space, each `-` among them replaced by the piped text; without words the piped text. Without `-`
 * beside words nothing is read, so an open pipe keeps nobody waiting. Kinds: `no_prompt`, and those of `piped`.
 */
export async function promptOf({ words, stdinIsTerminal, piped }: PromptSources): Promise<string> {
  const wantsPiped = words.length === 0 || words.includes("-");
  if (wantsPiped && stdinIsTerminal) throw nothing(words.length === 0 ? "there is no prompt" : "nothing is piped in for `-` to stand for");
  const text = wantsPiped ? await piped() : "";
  const prompt = words.length === 0 ? text : words.map((word) => (word === "-" ? text : word)).join(" ");
  if (prompt.trim() === "") throw nothing("the prompt is empty");
  return prompt;
}

function nothing(message: string) {
  return fail("no_prompt", message, { next_actions: ['collet run "What does this project do?"', 'git diff | collet run "Review this" -'] });
}
