/** Words of one command; `dynamic` as in `CommandEffect`. */
export interface CommandForm {
  readonly argv: readonly string[];
  readonly dynamic: readonly number[];
}

/** More options than anybody gives before the word that says what to do. */
const MAX_LEADING_WORDS = 64;

/**
 * The words as they are, and without the options that stand between the program and its first other word, each with or without a value
 * behind it: `git -C x push` is a push, whatever `-C` means. For what forbids: one of these forms is what it wants to see.
 */
export function withoutLeadingOptions(argv: readonly string[], dynamic: readonly number[] = []): readonly CommandForm[] {
  const forms = [{ argv, dynamic }];
  const isOption = (at: number): boolean => !dynamic.includes(at) && /^[-+]./.test(argv[at] ?? "");
  for (let at = 1; at < argv.length && at <= MAX_LEADING_WORDS && (isOption(at) || isOption(at - 1)); at += 1) {
    const dropped = at;
    forms.push({
      argv: [...argv.slice(0, 1), ...argv.slice(at + 1)],
      dynamic: dynamic.flatMap((index) => (index === 0 ? [0] : index > at ? [index - dropped] : [])),
    });
  }
  return forms;
}
