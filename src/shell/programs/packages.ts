/** Runners of packages: they run a program of the workspace, or one that they fetch, and make it the first to be found. */
import { type Doing, type Invocation, open, type Program, type Run } from "../doing.ts";
import type { OptionNames } from "../options.ts";
import { seenOptions } from "../seen-options.ts";
import { knownWord, type Word } from "../word.ts";
import { valuesOf } from "./given.ts";
import { isAboutItself, notUnderstood } from "./runner.ts";
import { shellText } from "./told.ts";

const NPX: OptionNames = {
  flags:
    "-y --yes --no --no-install -q --quiet --ignore-existing --workspaces --include-workspace-root --bun --silent -s --parallel -r --recursive",
  values:
    "-p --package -c --call -w --workspace --registry --cache --userconfig --node-options --node-arg -n --prefix -C --dir --filter --shell-mode",
  mixed: false,
};

/** `npx PROGRAM …`, `bunx PROGRAM …`. */
export const npx: Program = (invocation) => (isAboutItself(invocation.args) ? open() : packaged(invocation));

function packaged({ args, name }: Invocation): Doing {
  const { options, operands } = seenOptions(args, NPX);
  const texts = valuesOf(options, "-c --call");
  const [first, ...rest] = operands;
  if (!first) return open({ runs: texts.map(shellText) });
  const program = first.known ? programOf(first.value) : null;
  if (program === null) return notUnderstood(name, "which program it runs is not known");
  const run: Run = { words: [program, ...rest], assigns: ["PATH"] };
  return open({ runs: [...texts.map(shellText), run] });
}

/** The program of a package as it is asked for, `@scope/name@version`; `null`: it comes from somewhere else. */
function programOf(spec: string): Word | null {
  const [, name] = /^(?:@[\w.-]+\/)?([\w.-]+)(?:@[^/]*)?$/.exec(spec) ?? [];
  return name === undefined ? null : knownWord(name);
}

/** A manager of packages of which these words, as the first that is no option, run the words behind them; other words are for `others`. */
export function packageManager(verbs: string, others: Program): Program {
  return (invocation) => {
    const { operands } = seenOptions(invocation.args, NPX);
    const [verb, ...args] = operands;
    return verb?.known && verbs.split(" ").includes(verb.value) ? npx({ ...invocation, args }) : others(invocation);
  };
}
